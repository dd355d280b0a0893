"""Names of a text: capitalised words, acronyms, weekdays and months."""

from tted_core.words.lexicon import LONGEST, SHAPES, Statement, Token, lexicon_of, word_values
from tted_core.words.splitting import fold

# Share of capitalised words, among those with content, above which a text is a title without known names.
TITLE_SHARE = 0.8

_NO_NAMES = frozenset({"function", "negations", "titles", "numbers", "amounts", "temperature"})


def find_renamed(left: Statement, right: Statement) -> tuple[int, int] | None:
    """Positions of names that the other text lacks in any form: inflected, in lower case, or as an acronym.

    They stand for each other if each text has one, of one word or several. First words of sentences are names only
    if the other text has a certain one, or the texts differ in their first words alone.
    """
    pairs = (left, right), (right, left)
    own = [_own_names(*pair) for pair in pairs]
    if any(own) or [each.known for each in left.tokens[1:]] == [each.known for each in right.tokens[1:]]:
        own = [found or _own_names(*pair, with_first=True) for found, pair in zip(own, pairs, strict=True)]
    for is_period in (False, True):  # a weekday is in no place's stead
        ours, theirs = (
            [
                at
                for at in found
                if is_period != {"periods", "capital_periods"}.isdisjoint(text.tokens[at].values)
            ]
            for found, (text, _) in zip(own, pairs, strict=True)
        )
        if all(found and len(found) == found[-1] - found[0] + 1 for found in (ours, theirs)):
            is_kind_same = left.value("demonyms", ours[0]) == right.value("demonyms", theirs[0])
            return (ours[0], theirs[0]) if is_kind_same else None  # not Oslo and Norwegian
    return None


def _own_names(text: Statement, other: Statement, *, with_first: bool = False) -> list[int]:
    """Positions of the names that the other text lacks: acronyms, periods, and capitals within a sentence.

    With ``with_first``, also first words of sentences that look like names and are in no list, unlike "Now".
    """
    content = [token.word.text[0].isupper() for token in text.tokens if token.topic]
    is_title = len(content) > 2 and sum(content) >= TITLE_SHARE * len(content)
    first = lexicon_of(text.language).shapes["first_names"]
    named = [
        (at, token)
        for at, token in enumerate(text.tokens)
        if "periods" in token.values
        or (
            _may_be_name(token, text.language)
            and (
                token.word.text[1:].isupper()
                or not (is_title or token.begins)
                or text.text[token.word.end : token.word.end + 1]
                in {"»", "”", '"'}  # a word in quotation marks
                or (
                    with_first
                    and (SHAPES | {"same_names"}).issuperset(token.values)
                    and first.search(token.word.text)
                )
            )
        )
    ]
    if not named:
        return []
    parts = {fold(token.word.text): 3 if token.word.text[0].isupper() else 4 for token in other.tokens}
    known = {part[:end] for part, least in parts.items() for end in range(least, LONGEST)}
    groups = {token.values.get("same_names") for token in other.tokens} - {None}
    initials = "".join(token.word.text[0].upper() for token in other.tokens)
    found = []
    for at, token in named:
        is_known = (  # Poland and Polish, Байкал and Байкале
            token.known[: max(3, round(len(token.known) / 2))] in known
            or not known.isdisjoint({token.known, *token.known.split("-")})
            or word_values(token.known, text.language).get("same_names") in groups
            or token.word.text.replace(".", "") in initials
        )
        if not is_known:
            found.append(at)
    return found


def _may_be_name(token: Token, language: str) -> bool:
    """Return True for a capitalised word that is no function word, title, number or unit.

    In German, which capitalises all nouns, there is none.
    """
    word, kinds = token.word.text, token.values.keys()
    may_be = word[1:].isupper() or "capital_periods" in kinds or kinds.isdisjoint(_NO_NAMES)
    return (
        len(word) > 1
        and word[:2] != word[:2].lower()
        and may_be
        and "units" not in kinds
        and language != "de"
    )
