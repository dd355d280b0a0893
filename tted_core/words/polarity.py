"""Negations, opposites and exchanged arguments of two texts, which cancel each other in pairs.

"Rarely" is "not often", "A before B" is "B after A", "less cold" is "warmer": only an odd number of differences
changes the claim.
"""

from collections import Counter, defaultdict
from collections.abc import Collection
from itertools import islice
from typing import Literal, TypeAlias

from tted_core.words.lexicon import Statement, leanings, lexicon_of
from tted_core.words.splitting import Word

MOST_OTHER_WORDS = 2
"""Maximum number of different words, except opposites, in texts in which two words are exchanged."""

STEM = 3
"""Minimum letters of the stem of a word with a negating prefix: "into" doesn't deny "to"."""

MOST_BEFORE_AGENT = 4
"""Words behind a verb among which "by" makes it a passive."""

MOST_PIVOTS = 3
"""Maximum number of words of a text around which arguments may be exchanged."""

Sides: TypeAlias = tuple[Statement, Statement]


_Pair: TypeAlias = tuple[int, int]
"""Positions of a word of the left text and of its counterpart in the right one."""

Difference: TypeAlias = tuple[Literal["negation", "opposite"], Word | None, Word | None]
"""Its kind, and a word of each text, or None."""


def differences(
    left: Statement, right: Statement, met: tuple[Collection[Word], Collection[Word]]
) -> list[Difference]:
    """Negations, opposites and exchanges of two texts if their number is odd; none if it is even.

    ``met`` are the words of both that already have a flag.
    """
    sides = (left, right)
    conflicts = _conflicts(sides, met)
    found: list[Difference] = [("opposite", left.words[one], right.words[other]) for one, other in conflicts]
    if prefixed := _find_prefixed(left, right):
        words = left.words[prefixed[0]], right.words[prefixed[1]]
        if not any(words[0] == each[1] or words[1] == each[2] for each in found):
            found.append(("negation", *words))
    taken = {*met[0], *(word for _, word, _ in found)}, {*met[1], *(word for _, _, word in found)}
    if exchange := _exchange(sides, conflicts):
        found.append(("opposite", left.words[exchange[0]], right.words[exchange[1]]))
    denied = [
        [at for at in _negations(side) if side.words[at] not in words]
        for side, words in zip(sides, taken, strict=True)
    ]
    if (len(denied[0]) + len(denied[1])) % 2:
        more = len(denied[1]) > len(denied[0])
        here, there = sides[more], sides[not more]
        applied = [at for at in denied[more] if applies_to_shared(here, at, there)]
        if found or (applied and not _has_implied(sides)):
            word = here.words[(applied or denied[more][-1:])[0]]
            found.append(("negation", None, word) if more else ("negation", word, None))
    return found if len(found) % 2 else []


def _negations(text: Statement) -> list[int]:
    """Positions of the negating words; "никогда не" is one, and "less cold" has one."""
    denying = [position for position in range(len(text.known)) if _is_negation(text, position)]
    return denying or text.find("concordant")[:1]


def _is_negation(text: Statement, position: int) -> bool:
    values = text.values[position]
    if "lessening" in values:  # less cold, but less water
        return position + 1 < len(text.known) and bool(_ends(text, position + 1))
    if "answers" in values and text.begins[position] and "," in text.gap(position + 1):
        return False
    return "negations" in values or "negating_shapes" in values or values.get("modality", 0) < 0


def applies_to_shared(text: Statement, position: int, other: Statement) -> bool:
    """Return True if the other text has a word that a negation or modal verb applies to, mostly behind it."""
    around = text.behind(position + 1) or text.ahead(position)
    return not around or any(key in other.content for key in around)


def _has_implied(sides: Sides) -> bool:
    """Return True if a word of only one text implies a negation: "forbidden" is "not allowed"."""
    return any(
        side.value("implied", position) and not _is_negation(side, position)
        for side, other in (sides, sides[::-1])
        for position in side.own(other)
    )


def _find_prefixed(left: Statement, right: Statement) -> _Pair | None:
    """A word of one text that is a word of the other with a negating prefix."""
    prefix = lexicon_of(left.language).shapes.get("prefixes")
    if prefix is None:
        return None
    for turned, (here, there) in enumerate(((left, right), (right, left))):
        bases = {there.stems[position]: position for position in reversed(there.own(here))}
        for position in here.own(there):
            partner = bases.get(prefix.sub("", here.stems[position]))
            if (
                partner is not None
                and len(there.stems[partner]) >= STEM
                and "negations" not in here.values[position]
            ):
                return (partner, position) if turned else (position, partner)
    return None


def _ends(text: Statement, position: int) -> dict[int, int]:
    """Axis -> end for each axis that a word is on; "less" before such a word is on none."""
    found = leanings(text.known[position], text.language)
    lessened = found and text.value("lessening", position) and position + 1 < len(text.known)
    return {} if lessened and leanings(text.known[position + 1], text.language) else found


def _conflicts(sides: Sides, met: tuple[Collection[Word], Collection[Word]]) -> dict[_Pair, int]:
    """Positions of two words at different ends of an axis, which no word of both texts is on -> the axis."""
    on_axes: list[dict[int, list[tuple[int, int]]]] = [defaultdict(list), defaultdict(list)]
    for axes, side, other, words in zip(on_axes, sides, sides[::-1], met, strict=True):
        for position in side.own(other):
            if side.words[position] not in words:
                for axis, end in _ends(side, position).items():
                    axes[axis].append((end, position))
    found: dict[_Pair, int] = {}  # "hard" is on two axes and one opposite
    for axis in sorted(on_axes[0].keys() & on_axes[1].keys(), key=lambda axis: (axis > 0, abs(axis))):
        lefts, rights = on_axes[0][axis], on_axes[1][axis]
        if {end for end, _ in lefts}.isdisjoint(end for end, _ in rights):
            found.setdefault((lefts[0][1], rights[0][1]), axis)
    ends = {left for left, _ in found}, {right for _, right in found}
    return {  # "speeds up" and "slows down" are one, as are "shallow lake" and "deep sea"
        (left, right): axis
        for (left, right), axis in found.items()
        if not (left - 1 in ends[0] and right - 1 in ends[1])
    }


def _exchange(sides: Sides, conflicts: dict[_Pair, int]) -> _Pair | None:
    """Two exchanged arguments: of a comparison, of a word that has a converse, or of equal texts otherwise.

    The arguments of "sells" or "than" are exchanged if a word before it is behind it, or behind its converse, in
    the other text, and a word behind it is before it. In other texts all other words must be equal, since with
    further changes ("is eaten by") the exchange may be grammatical only.
    """
    left, right = sides
    for (one, other), axis in conflicts.items():
        pivotal = axis < 0 or "comparatives" in left.values[one] or "comparatives" in right.values[other]
        if pivotal and (found := _across(sides, one, other)):
            return found
    than = [side.find("than") for side in sides]
    if all(than):
        return _across(sides, than[0][-1], than[1][-1], compared=True)
    return _find_swapped(sides) or _find_turned(sides)


def _find_turned(sides: Sides) -> _Pair | None:
    """Exchanged arguments of an English verb in the passive, or of a word with a converse: "lent", "before"."""
    left, right = sides
    alike = bool(left.find("agents")) == bool(right.find("agents"))
    firsts = {stem: at for at, stem in reversed([*enumerate(right.stems)])} if left.language == "en" else {}
    pivots = (
        (at, firsts[stem])
        for at, stem in enumerate(left.stems)
        if stem in firsts
        and (
            (alike and any(axis < 0 for axis in _ends(left, at)))
            or {_voice(left, at), _voice(right, firsts[stem])} == {-1, 1}
        )
    )
    found = (_across(sides, *pivot) for pivot in islice(pivots, MOST_PIVOTS))
    return next(filter(None, found), None)


def _voice(text: Statement, at: int) -> int:
    """-1 for "is eaten by", 1 for "eats", 0 for "is eaten" and "eaten by", whose arguments are uncertain."""
    is_copula = text.value("copulas", at - 1) is not None
    has_agent = any(text.value("agents", behind) for behind in range(at + 1, at + MOST_BEFORE_AGENT))
    return 0 if has_agent != is_copula else -1 if has_agent else 1


def _across(sides: Sides, here: int, there: int, *, compared: bool = False) -> _Pair | None:
    """A word before one position and after the other, exchanged with one after the first and before the second.

    Comparatives in a comparison ("hotter although it is farther than ...") are no arguments.
    """
    (ahead, behind), (others_ahead, others_behind) = (
        [
            {
                side.topics[at]: at
                for at in part
                if side.topics[at]
                and not (compared and "comparatives" in side.values[at] and _ends(side, at))
            }
            for part in _parts_around(side, position)
        ]
        for side, position in zip(sides, (here, there), strict=True)
    )
    both = behind.keys() & others_ahead.keys(), ahead.keys() & others_behind.keys()
    gone = [ahead[key] for key in ahead if key in both[1] and key not in both[0]]
    come = [others_ahead[key] for key in behind if key in both[0] and key not in both[1]]
    return (gone[0], come[0]) if gone and come else None


def _parts_around(text: Statement, at: int) -> tuple[range, range]:
    """Positions of the words before and behind a word; exchanged in the passive."""
    parts = range(at), range(at + 1, len(text.topics))
    return parts[::-1] if _voice(text, at) < 0 else parts


def _find_swapped(sides: Sides) -> _Pair | None:
    """Two words in each other's place, in texts whose other words are equal and in the same order.

    In English each of the two has the other's preposition, and there is a word between them; in Russian both have
    other endings.
    """
    name = sides[0].language
    if name not in {"en", "ru"} or any(side.find("copulas") for side in sides):
        return None  # "A is B" is "B is A"
    one, other = (
        Counter(key for key, word in zip(side.stems, side.known, strict=True) if not leanings(word, name))
        for side in sides
    )
    left, right = (_single(side) for side in sides)
    here, there = ([key for key in side if key in left and key in right] for side in (left, right))
    moved = [number for number, key in enumerate(here) if key != there[number]]
    if ((one - other) + (other - one)).total() > MOST_OTHER_WORDS or len(moved) != 2:
        return None
    first, second = here[moved[0]], here[moved[1]]
    parted = moved[1] > moved[0] + 1
    ones, others = ([side[key][1] for key in (first, second)] for side in (left, right))
    is_swapped = ones == others[::-1] and not {"and", "or"}.intersection(ones) and (parted or ones != others)
    if name == "ru":  # "Кошки боятся собак"; without endings, "экспорт превысил импорт"
        changed = {sides[0].known[left[key][0]] != sides[1].known[right[key][0]] for key in (first, second)}
        is_swapped = parted and (changed == {True} or (is_swapped and changed == {False} and one == other))
    return (left[first][0], right[second][0]) if is_swapped else None


def _single(text: Statement) -> dict[str, tuple[int, str]]:
    """Stem -> position of a content word that occurs once, and the function word before it, in order."""
    counts = Counter(text.stems)
    found: dict[str, tuple[int, str]] = {}
    before = ""
    for position, key in enumerate(text.stems):
        if not text.value("function", position):
            if counts[key] == 1:
                found[key] = position, before
            before = ""
        elif not text.value("articles", position):
            before = text.known[position]
    return found
