"""Names of a text: capitalised words, acronyms, weekdays and months."""

from unicodedata import combining, normalize

from tted_core.words.lexicon import LONGEST, SHAPES, Statement, Token, are_alike, lexicon_of, word_values
from tted_core.words.splitting import fold

# Share of capitalised words, among those with content, above which a text is a title without known names.
TITLE_SHARE = 0.8

# Minimum share of the topics of both texts that both have, from which names anywhere in them are compared.
CLOSE = 0.75

NEAR = 3  # words around a name

LAST_LATIN = "\u024f"

_PERIODS = frozenset({"periods", "capital_periods"})
_NO_NAMES = frozenset({"function", "negations", "titles", "numbers", "amounts", "temperature"})
_CLOSING = frozenset('»”"')  # quotation marks behind a single word, which is a name then


def find_renamed(left: Statement, right: Statement) -> tuple[int, int] | None:
    """Positions of names that the other text lacks in any form: inflected, in lower case, or as an acronym.

    They stand for each other if each text has one, of one word or several; in free rewordings, of a kind. First
    words of sentences are names only if the other text has a certain one, or the texts differ in them alone.
    """
    sides = left, right
    own = _own_names(left, right), _own_names(right, left)
    if own[0] or own[1]:
        own = (
            own[0] or _own_names(left, right, with_first=True),
            own[1] or _own_names(right, left, with_first=True),
        )
    for is_period in (False, True):  # a weekday is in no place's stead
        ours, theirs = (
            [at for at in found if _PERIODS.isdisjoint(side.tokens[at].values) != is_period]
            for side, found in zip(sides, own, strict=True)
        )
        if all(each and len(each) == each[-1] - each[0] + 1 for each in (ours, theirs)) and (
            _are_alike((left, ours[0]), (right, theirs[0]))
        ):
            return ours[0], theirs[0]
    return None


def _are_alike(one: tuple[Statement, int], other: tuple[Statement, int]) -> bool:
    """Return True for names in one script; in free rewordings, near the same word and both or no adjectives."""
    if len({side.tokens[at].known[0] > LAST_LATIN for side, at in (one, other)}) == 2:  # Google and Гугл
        return False
    if are_alike(one[0], other[0], CLOSE):
        return True
    around = [
        {token.topic or token.known for token in side.tokens[max(at - NEAR, 0) : at + NEAR + 1]}
        for side, at in (one, other)
    ]
    return bool(around[0] & around[1]) and _is_adjective(*one) == _is_adjective(*other)


def _is_adjective(text: Statement, position: int) -> bool:
    """Return True for an adjective of a people or place before its noun."""
    behind = text.tokens[position + 1 : position + 2]
    is_before_noun = any(token.topic and not token.gap.strip() for token in behind)
    return is_before_noun and "demonyms" in text.tokens[position].values


def _own_names(text: Statement, other: Statement, *, with_first: bool = False) -> list[int]:
    """Positions of the names that the other text lacks: acronyms, periods, and capitals within a sentence.

    So is the first word of a text if the texts differ in it alone and it looks like a name, and with
    ``with_first`` those of sentences that do.
    """
    tokens = text.tokens
    content = [token.word.text[0].isupper() for token in tokens if token.topic]
    is_title = len(content) > 2 and sum(content) >= TITLE_SHARE * len(content)
    first = lexicon_of(text.language).shapes["first_names"]
    is_led = [token.known for token in tokens[1:]] == [token.known for token in other.tokens[1:]] and all(
        side.tokens and first.search(side.tokens[0].word.text) for side in (text, other)
    )
    own = [at for at in text.own(other) if tokens[at].topic]
    named = [
        (at, token)
        for at, token in enumerate(tokens)
        if "periods" in token.values
        or (
            _may_be_name(token, text.language)
            and (
                token.word.text[1:].isupper()
                or not (is_title or token.begins)
                or (is_led and at == 0)
                or text.text[token.word.end : token.word.end + 1] in _CLOSING
                or (with_first and _may_be_first(text, at) and (first.search(token.word.text) or own == [at]))
            )
        )
    ]
    if not named:
        return []
    parts = {_bare(token.word.text): 3 if token.word.text[0].isupper() else 4 for token in other.tokens}
    known = {part[:end] for part, least in parts.items() for end in range(least, LONGEST)}
    groups = {token.values.get("same_names") for token in other.tokens} - {None}
    initials = "".join(token.word.text[0].upper() for token in other.tokens)
    found = []
    for at, token in named:
        lower = _bare(token.known)
        enough = max(3, round(len(lower) / 2))  # Poland and Polish, Байкал and Байкале
        is_known = (
            not known.isdisjoint({lower, lower[:enough], *lower.split("-")})
            or word_values(lower, text.language).get("same_names") in groups
        )
        if not (is_known or token.word.text.replace(".", "") in initials):
            found.append(at)
    return found


def _may_be_first(text: Statement, at: int) -> bool:
    """Return True for a first word in no list, unlike "Now", and before no comma, unlike "However"."""
    behind = text.tokens[at + 1 : at + 2]
    return (SHAPES | {"same_names"}).issuperset(text.tokens[at].values) and not any(
        "," in token.gap for token in behind
    )


def _bare(word: str) -> str:
    """A word in lower case and without accents: Galápagos is Galapagos."""
    return "".join(each for each in normalize("NFD", fold(word)) if not combining(each))


def _may_be_name(token: Token, language: str) -> bool:
    """Return True for a capitalised word that is no function word, title, number or scale of degrees.

    In German, which capitalises all nouns, there is none.
    """
    word, kinds = token.word.text, token.values.keys()
    may_be = word[1:].isupper() or "capital_periods" in kinds or kinds.isdisjoint(_NO_NAMES)
    return len(word) > 1 and word[0].isupper() and may_be and "units" not in kinds and language != "de"
