"""Names of a text: capitalised words, acronyms, weekdays and months."""

from bisect import bisect_left
from collections.abc import Iterator

import regex

from tted_core.words.lexicon import Statement, entries_of, groups, has_shape, leanings, shared, values_of
from tted_core.words.splitting import Word

TITLE_SHARE = 0.8
"""Share of capitalised words, among those with content, above which a text is a title without known names."""

_PARTED = regex.compile(r"[\s\-]+")

CLOSE = 0.75
"""Share of common words from which on one preposition before two names shows that they stand for each other."""

LONGEST_ACRONYM = 6
"""Maximum letters of an acronym that is searched for among the initials of names."""


def names_of(text: Statement) -> list[int]:
    """Positions of capitalised words within a sentence, acronyms, weekdays and months.

    For German, which capitalises all nouns, only weekdays and months.
    """
    spoken = [position for position, word in enumerate(text.words) if word.text[0].isalpha()]
    content = [position for position in spoken if not text.is_function(text.known[position])]
    capitals = sum(text.words[position].text[0].isupper() for position in content)
    title = len(spoken) > 2 and capitals >= TITLE_SHARE * len(content)
    found = []
    for position in spoken:
        word = text.words[position].text
        capital = word[0].isupper() and text.language != "de" and _may_be_name(text, position)
        acronym = word.isupper() and len(word) > 1
        if text.value("periods", position) or (capital and (acronym or not (title or text.begins[position]))):
            found.append(position)
    return found


def _may_be_name(text: Statement, position: int) -> bool:
    """Return False for function words, titles, numbers and scales of degrees."""
    word = text.known[position]
    if text.words[position].text.isupper() and len(word) > 1:
        return True
    kinds = values_of(word, text.language).keys()
    if "capital_periods" in kinds:
        return True
    is_other = text.is_function(word) or values_of(word, "temperature")
    return not is_other and kinds.isdisjoint({"titles", "numbers", "amounts"})


def renamed(left: Statement, right: Statement) -> tuple[Word, Word] | None:
    """A name of each text that the other lacks in any form: inflected, in lower case, or as an acronym."""
    sides = left, right
    forms = _Forms(right, left), _Forms(left, right)
    lost, new = (
        [position for position in names_of(side) if not others.know(side.words[position].text)]
        for side, others in zip(sides, forms, strict=True)
    )
    if not lost and not new and _other_beginning(sides) and not forms[0].know(left.words[0].text):
        return left.words[0], right.words[0]
    close = shared(left, right) >= CLOSE
    slots = {slot: position for position in reversed(new) for slot in _slots(right, position, close=close)}
    for position in lost:
        partner = next((slots[slot] for slot in _slots(left, position, close=close) if slot in slots), None)
        if partner is not None:
            return left.words[position], right.words[partner]
    return None


def _slots(text: Statement, position: int, *, close: bool) -> Iterator[tuple[str, str]]:
    """Marks of names that may stand for each other: their kind, the words before, the content word behind."""
    word = text.words[position].text
    if text.value("periods", position) or text.value("capital_periods", position):
        yield "period", ""
        return
    if word.isupper() and len(word) > 1:
        yield "acronym", ""
    before = position - 1
    if before < 0 or text.begins[position]:
        yield "before", ""
    elif (close and not text.value("joins", before)) or not text.is_function(text.known[before]):
        yield "before", text.keys[before]
    elif before:
        yield "before", f"{text.keys[before - 1]} {text.keys[before]}"
    if position + 1 < len(text.known) and not text.is_function(text.known[position + 1]):
        yield "behind", text.keys[position + 1]


def _other_beginning(sides: tuple[Statement, Statement]) -> bool:
    """Return True if texts differ only in their first word, and it looks like a name: "Vivaldi wrote it"."""
    name = sides[0].language
    if not all(side.words for side in sides) or sides[0].known[1:] != sides[1].known[1:]:
        return False
    firsts = [(side.words[0].text, side.known[0]) for side in sides]
    return all(
        has_shape("name_shapes", name, side.words[0].text) and _may_be_name(side, 0) for side in sides
    ) and not {axis for axis, _ in leanings(firsts[0][1], name)} & {
        axis for axis, _ in leanings(firsts[1][1], name)
    }


class _Forms:
    """The words of a text, to look names of another text up in."""

    def __init__(self, text: Statement, other: Statement) -> None:
        self.same = groups("same_names", text.language)
        entries = (entry for word in text.known for entry in entries_of(word) if entry in self.same)
        self.groups = {self.same[entry] for entry in entries}
        words = {part for word in text.words for part in (word.text, *_PARTED.split(word.text)) if part}
        self.names = sorted(word.lower() for word in words if word[0].isupper())
        self.words = sorted(words)
        self.initials = _initials(text)
        acronyms = {word.replace(".", "") for word in words if word.isupper()}
        self.in_acronyms = frozenset("".join(acronyms & _initials(other)))

    def know(self, name: str) -> bool:
        """Return True if one of the words is a form of the name, or they are an acronym and its words."""
        lower = name.lower().removesuffix("'s").removesuffix("’s")
        name = name.replace(".", "")
        enough = max(min(len(lower), 3), round(0.5 * len(lower)))  # Poland and Polish, Байкал and Байкале
        return (
            any(self.same.get(entry) in self.groups for entry in entries_of(lower))
            or _has_beginning(self.names, lower[:enough])
            or _has_beginning(self.words, lower[: max(enough, 4)])
            or (name in self.initials if name.isupper() else name[0] in self.in_acronyms)
        )


def _initials(text: Statement) -> set[str]:
    """All acronyms that names of a text may have."""
    initials = "".join(word.text[0] for word in text.words if word.text[0].isupper())
    lengths = range(2, LONGEST_ACRONYM + 1)
    return {initials[start : start + length] for start in range(len(initials)) for length in lengths}


def _has_beginning(words: list[str], beginning: str) -> bool:
    at = bisect_left(words, beginning)
    return at < len(words) and words[at].startswith(beginning)
