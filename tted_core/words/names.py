"""Names of a text: capitalised words, acronyms, weekdays and months."""

from collections.abc import Iterator

from tted_core.words.lexicon import BEGINNING, LONGEST, NO_SHAPE, Statement, lexicon_of, word_values

TITLE_SHARE = 0.8
"""Share of capitalised words, among those with content, above which a text is a title without known names."""

_NO_NAMES = frozenset({"function", "negations", "titles", "numbers", "amounts", "temperature", "zones"})
_PERIODS = frozenset({"periods", "capital_periods"})


def find_renamed(left: Statement, right: Statement) -> Iterator[tuple[int, int]]:
    """Positions of names that the other text lacks in any form: inflected, in lower case, or as an acronym."""
    slots = {slot: at for at in reversed(_own_names(right, left)) for slot in _slots(right, at)}
    for position in _own_names(left, right):
        for slot in _slots(left, position):
            if slot in slots:
                yield position, slots[slot]


def _own_names(text: Statement, other: Statement) -> list[int]:
    """Positions of the names that the other text lacks: acronyms, periods, and capitals within a sentence.

    The first word of a text is one too if the texts differ in it alone, and it looks like a name.
    """
    tokens = text.tokens
    content = [token.word.text[0].isupper() for token in tokens if token.topic]
    is_title = len(content) > 2 and sum(content) >= TITLE_SHARE * len(content)
    shape = lexicon_of(text.language).shapes.get("name_shapes", NO_SHAPE)
    is_led = (
        len(tokens) > 1
        and [token.known for token in tokens[1:]] == [token.known for token in other.tokens[1:]]
        and all(shape.search(side.tokens[0].word.text) and _may_be_name(side, 0) for side in (text, other))
        and tokens[0].axes.keys().isdisjoint(other.tokens[0].axes)
    )
    named = [
        (at, token)
        for at, token in enumerate(tokens)
        if "periods" in token.values
        or (
            _may_be_name(text, at)
            and (token.word.text[1:].isupper() or not (is_title or token.begins) or (is_led and at == 0))
        )
    ]
    if not named:
        return []
    words = {
        part for token in other.tokens for part in (token.word.text, *token.word.text.split("-")) if part
    }
    known = {  # "Perm" isn't known by "permits"
        word[:end].lower() for word in words for end in range(3 if word[:1].isupper() else 4, LONGEST)
    }
    groups = {token.values.get("same_names") for token in other.tokens} - {None}
    initials = "".join(token.word.text[0] for token in other.tokens if token.word.text[0].isupper())
    found = []
    for at, token in named:
        lower = token.known.removesuffix("'s")
        enough = max(3, round(len(lower) / 2))  # Poland and Polish, Байкал and Байкале
        is_known = (
            not known.isdisjoint({lower, lower[:enough]})
            or word_values(lower, text.language).get("same_names") in groups
        )
        if not (is_known or token.word.text.replace(".", "") in initials):
            found.append(at)
    return found


def _may_be_name(text: Statement, position: int) -> bool:
    """Return True for a capitalised word that is no function word, title, number or scale of degrees.

    In German, which capitalises all nouns, there is none.
    """
    token = text.tokens[position]
    word, kinds = token.word.text, token.values.keys()
    is_acronym = word[1:].isupper() and "zones" not in kinds
    is_capital = word[0].isupper() and text.language != "de" and (token.gap or not position)
    return bool(is_capital and (is_acronym or "capital_periods" in kinds or kinds.isdisjoint(_NO_NAMES)))


def _slots(text: Statement, position: int) -> Iterator[tuple[str, str]]:
    """Marks of names that may stand for each other: their kind, the word before, the content word behind."""
    tokens = text.tokens
    if not _PERIODS.isdisjoint(tokens[position].values):
        yield "period", ""
        return
    yield "before", "" if tokens[position].begins else tokens[position - 1].stem[:BEGINNING]
    if position + 1 < len(tokens) and tokens[position + 1].topic:
        yield "behind", tokens[position + 1].topic
