"""Names of a text: capitalised words, acronyms, weekdays and months."""

from bisect import bisect_left
from collections.abc import Iterator

from tted_core.words.lexicon import NO_SHAPE, Statement, lexicon_of, word_values

TITLE_SHARE = 0.8
"""Share of capitalised words, among those with content, above which a text is a title without known names."""

_NO_NAMES = frozenset({"function", "negations", "titles", "numbers", "amounts", "temperature", "zones"})
_PERIODS = frozenset({"periods", "capital_periods"})


def find_renamed(left: Statement, right: Statement) -> Iterator[tuple[int, int]]:
    """Positions of names that the other text lacks in any form: inflected, in lower case, or as an acronym."""
    lost, new = _lost(left, right), _lost(right, left)
    slots = {slot: position for position in reversed(new) for slot in _slots(right, position)}
    for position in lost:
        for slot in _slots(left, position):
            if slot in slots:
                yield position, slots[slot]


def _lost(text: Statement, other: Statement) -> list[int]:
    """Positions of the names that the other text lacks: acronyms, periods, and capitals within a sentence.

    The first word of a text is one too if the texts differ in it alone, and it looks like a name.
    """
    tokens = text.tokens
    spoken = [at for at, token in enumerate(tokens) if token.word.text[0].isalpha()]
    content = [at for at in spoken if tokens[at].content]
    capitals = sum(tokens[at].word.text[0].isupper() for at in content)
    is_title = len(spoken) > 2 and capitals >= TITLE_SHARE * len(content)
    shape = lexicon_of(text.language).shapes.get("name_shapes", NO_SHAPE)
    is_led = (
        len(tokens) > 1
        and [token.known for token in tokens[1:]] == [token.known for token in other.tokens[1:]]
        and all(shape.search(side.tokens[0].word.text) and _may_be_name(side, 0) for side in (text, other))
        and tokens[0].axes.keys().isdisjoint(other.tokens[0].axes)
    )
    names = [
        at
        for at in spoken
        if "periods" in tokens[at].values
        or (is_led and at == 0)
        or (
            _may_be_name(text, at)
            and (_is_acronym(tokens[at].word.text) or not (is_title or tokens[at].begins))
        )
    ]
    return _without_known(text, names, other) if names else []


def _without_known(text: Statement, names: list[int], other: Statement) -> list[int]:
    """These names without those whose beginning, group of names, acronym or words another text has."""
    ours, theirs = _parts(text), _parts(other)
    capitals, every = (
        sorted({part.lower() for part in theirs if part[0].isupper() or not capital})
        for capital in (True, False)
    )
    groups = {token.values.get("same_names") for token in other.tokens} - {None}
    initials = ["".join(part[0] for part in parts if part[0].isupper()) for parts in (ours, theirs)]
    acronyms = {part.replace(".", "") for part in theirs if _is_acronym(part)}
    letters = {letter for acronym in acronyms if acronym in initials[0] for letter in acronym}

    def is_known(word: str) -> bool:
        lower = word.lower().removesuffix("'s").removesuffix("’s")
        enough = max(min(len(lower), 3), round(0.5 * len(lower)))  # Poland and Polish, Байкал and Байкале
        return (
            _has_beginning(capitals, lower[:enough])
            or _has_beginning(every, lower[: max(enough, 4)])
            or word_values(lower, text.language).get("same_names") in groups
            or (word.replace(".", "") in initials[1] if word.isupper() else word[0] in letters)
        )

    return [at for at in names if not is_known(text.tokens[at].word.text)]


def _has_beginning(words: list[str], beginning: str) -> bool:
    """Return True if one of the sorted words begins so."""
    at = bisect_left(words, beginning)
    return at < len(words) and words[at].startswith(beginning)


def _parts(text: Statement) -> list[str]:
    """Words, and the parts of phrases and compounds."""
    words = [token.word.text for token in text.tokens]
    return [part for word in words for part in dict.fromkeys((word, *word.replace("-", " ").split()))]


def _may_be_name(text: Statement, position: int) -> bool:
    """Return True for a capitalised word that is no function word, title, number or scale of degrees.

    In German, which capitalises all nouns, there is none.
    """
    token = text.tokens[position]
    if not token.word.text[0].isupper() or text.language == "de" or (position and not token.gap):
        return False
    kinds = token.values.keys()
    is_acronym = _is_acronym(token.word.text) and "zones" not in kinds
    return is_acronym or "capital_periods" in kinds or kinds.isdisjoint(_NO_NAMES)


def _is_acronym(word: str) -> bool:
    return word.isupper() and len(word) > 1


def _slots(text: Statement, position: int) -> Iterator[tuple[str, str]]:
    """Marks of names that may stand for each other: their kind, the word before, the content word behind."""
    tokens = text.tokens
    if not _PERIODS.isdisjoint(tokens[position].values):
        yield "period", ""
        return
    yield "before", "" if tokens[position].begins else tokens[position - 1].key
    if position + 1 < len(tokens) and tokens[position + 1].content:
        yield "behind", tokens[position + 1].key
