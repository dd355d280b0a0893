"""Names of a text: capitalised words, acronyms, weekdays and months."""

from collections.abc import Iterator

from tted_core.words.lexicon import LONGEST, Statement, leanings, lexicon_of, word_values
from tted_core.words.splitting import Word

TITLE_SHARE = 0.8
"""Share of capitalised words, among those with content, above which a text is a title without known names."""

_NO_NAMES = frozenset({"function", "negations", "titles", "numbers", "amounts", "temperature"})


def find_renamed(left: Statement, right: Statement) -> Iterator[tuple[Word, Word]]:
    """Names of each text that the other lacks in any form: inflected, in lower case, or as an acronym."""
    forms = _forms(left, right), _forms(right, left)
    lost = [position for position in _names(left) if not _is_known(left, position, forms[1])]
    new = [position for position in _names(right) if not _is_known(right, position, forms[0])]
    if not lost and not new and _other_beginning(left, right) and not _is_known(left, 0, forms[1]):
        yield left.words[0], right.words[0]
    slots = {slot: position for position in reversed(new) for slot in _slots(right, position)}
    for position in lost:
        for slot in _slots(left, position):
            if slot in slots:
                yield left.words[position], right.words[slots[slot]]


def _names(text: Statement) -> list[int]:
    """Positions of capitalised words within a sentence, acronyms, weekdays and months."""
    spoken = [position for position, word in enumerate(text.words) if word.text[0].isalpha()]
    content = [position for position in spoken if text.contents[position]]
    capitals = sum(text.words[position].text[0].isupper() for position in content)
    is_title = len(spoken) > 2 and capitals >= TITLE_SHARE * len(content)
    return [
        position
        for position in spoken
        if text.value("periods", position)
        or (
            _may_be_name(text, position)
            and (_is_acronym(text.words[position].text) or not (is_title or text.begins[position]))
        )
    ]


def _may_be_name(text: Statement, position: int) -> bool:
    """Return True for a capitalised word that is no function word, title, number or scale of degrees.

    In German, which capitalises all nouns, there is none.
    """
    word, kinds = text.words[position].text, text.values[position].keys()
    if not word[0].isupper() or text.language == "de" or (position and not text.gap(position)):
        return False
    return _is_acronym(word) or "capital_periods" in kinds or kinds.isdisjoint(_NO_NAMES)


def _is_acronym(word: str) -> bool:
    return word.isupper() and len(word) > 1


def _slots(text: Statement, position: int) -> Iterator[tuple[str, str]]:
    """Marks of names that may stand for each other: their kind, the word before, the content word behind."""
    if text.value("periods", position) or text.value("capital_periods", position):
        yield "period", ""
        return
    yield "before", "" if text.begins[position] else text.keys[position - 1]
    if position + 1 < len(text.known) and text.contents[position + 1]:
        yield "behind", text.keys[position + 1]


def _other_beginning(left: Statement, right: Statement) -> bool:
    """Return True if texts differ only in their first word, and it looks like a name: "Vivaldi wrote it"."""
    shape = lexicon_of(left.language).shapes.get("name_shapes")
    if not (shape and left.words and right.words) or left.known[1:] != right.known[1:]:
        return False
    axes = (leanings(side.known[0], side.language).keys() for side in (left, right))
    firsts = (shape.search(side.words[0].text) and _may_be_name(side, 0) for side in (left, right))
    return all(firsts) and next(axes).isdisjoint(next(axes))


def _forms(text: Statement, other: Statement) -> set[str]:
    """Signs by which a text has a name: beginnings of words, groups of names, acronyms of its names, their letters."""
    forms = {f"={values['same_names']}" for values in text.values if "same_names" in values}
    initials, theirs = _initials(text), _initials(other)
    forms.update(acronym for acronym in _acronyms(other) if acronym in initials)
    forms.update(*(acronym for acronym in _acronyms(text) if acronym in theirs))
    for part in {*_parts(text), *(word.text for word in text.words)}:
        shortest = 1 if part[0].isupper() else min(4, len(part))
        forms.update(part.lower()[:end] for end in range(shortest, min(len(part), LONGEST) + 1))
    return forms


def _is_known(text: Statement, position: int, forms: set[str]) -> bool:
    """Return True if these forms of another text have the name at a position, or are its acronym or its words."""
    word = text.words[position].text
    lower = word.lower().removesuffix("'s").removesuffix("’s")
    enough = max(min(len(lower), 3), round(0.5 * len(lower)))  # Poland and Polish, Байкал and Байкале
    group = word_values(lower, text.language).get("same_names")
    initial = word.replace(".", "") if word.isupper() else word[0]
    return not forms.isdisjoint({lower[:enough], lower[: max(enough, 4)], f"={group}", initial})


def _acronyms(text: Statement) -> set[str]:
    return {word.text.replace(".", "") for word in text.words if _is_acronym(word.text)}


def _initials(text: Statement) -> str:
    return "".join(part[0] for part in _parts(text) if part[0].isupper())


def _parts(text: Statement) -> Iterator[str]:
    """Words, and the parts of phrases and compounds."""
    return (part for word in text.words for part in word.text.replace("-", " ").split())
