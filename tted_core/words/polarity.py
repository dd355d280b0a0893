"""Negations, opposites and exchanged arguments of two texts, which cancel each other in pairs.

"Rarely" is "not often", "A before B" is "B after A", "less cold" is "warmer": only an odd number of differences
changes the claim.
"""

from collections import Counter, defaultdict
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import regex
from rapidfuzz.distance import Prefix

from tted_core.words.lexicon import LISTS, Statement, has_shape, leanings, stem, values_of
from tted_core.words.splitting import Word

MOST_OTHER_WORDS = 1
"""Maximum number of different words, except opposites, in texts in which two words are exchanged."""

STEM_KEPT = 4
"""Minimum letters that a word and its negation with a prefix have in common."""

MOST_PIVOTS = 3
"""Maximum number of words of a text around which arguments may be exchanged."""

MOST_BEFORE_AGENT = 4
"""Words behind a verb among which "by" makes it a passive."""

ORDERED = frozenset({"en"})
"""Languages in which the order of words distinguishes the arguments of a verb."""

Sides: TypeAlias = tuple[Statement, Statement]


class Difference(NamedTuple):
    """A word of one text and its counterpart in the other, by position; None where a text has no such word."""

    is_negation: bool
    left: int | None
    right: int | None


def differences(
    left: Statement, right: Statement, met: tuple[Collection[Word], Collection[Word]]
) -> list[Difference]:
    """Negations, opposites and exchanges of two texts if their number is odd; none if it is even.

    ``met`` are the words of both that already have a flag.
    """
    sides = (left, right)
    conflicts = _conflicts(sides, met)
    taken: list[set[int | None]] = [{conflict[side] for conflict in conflicts} for side in (1, 2)]
    found = [Difference(False, *conflict[1:]) for conflict in conflicts]
    if (prefixed := _prefixed(left, right)) and not any(
        position in positions for position, positions in zip(prefixed[1:], taken, strict=True)
    ):
        found.append(prefixed)
        taken = [positions | {position} for position, positions in zip(prefixed[1:], taken, strict=True)]
    if exchange := _exchange(sides, conflicts):
        found.append(exchange)
    denied = [
        [
            position
            for position in _negations(side)
            if position not in positions and side.words[position] not in words
        ]
        for side, positions, words in zip(sides, taken, met, strict=True)
    ]
    if (len(denied[0]) + len(denied[1])) % 2:
        more = len(denied[1]) > len(denied[0])
        here, there = sides[more], sides[not more]
        position = next(
            (each for each in denied[more] if applies_to_shared(here, each, there)), denied[more][-1]
        )
        if found or (applies_to_shared(here, position, there) and not _implied(sides)):
            found.append(Difference(True, *((None, position) if more else (position, None))))
    return found if len(found) % 2 else []


def _negations(text: Statement) -> list[int]:
    """The negating words; "никогда не" is one, and "less cold" has one."""
    denying = [position for position, word in enumerate(text.known) if _is_negation(text, position, word)]
    repeating = (position for position in range(len(text.known)) if text.value("concordant", position))
    return denying or [position for position, _ in zip(repeating, range(1), strict=False)]


def _is_negation(text: Statement, position: int, word: str) -> bool:
    if text.value("negations", position) or (text.value("modality", position) or 0) < 0:
        return True
    if text.value("lessening", position):  # less cold, but less water
        return position + 1 < len(text.known) and bool(_ends(text, position + 1))
    return has_shape("negating_shapes", text.language, word)


def applies_to_shared(text: Statement, position: int, other: Statement) -> bool:
    """Return True if the other text has a word that a negation or modal verb applies to, mostly behind it."""
    if text.known[position].endswith(("less", "free")):
        return True
    keys = [
        text.keys[at] if text.keys[at] in text.content and not _is_number(text, at) else ""
        for at in range(max(0, position - 4), min(position + 7, len(text.keys)))
    ]
    here = min(position, 4)
    behind, ahead = [*filter(None, keys[here + 1 :])][:2], [*filter(None, keys[:here])][-2:]
    around = {"before": ahead or behind, "around": behind + ahead}.get(
        LISTS["scope"].get(text.language, ""), behind
    )
    return any(key in other.content for key in around or ahead)


def _is_number(text: Statement, position: int) -> bool:
    return text.known[position][0].isdigit() or text.value("numbers", position) is not None


def _implied(sides: Sides) -> bool:
    """Return True if a word of only one text implies a negation: "forbidden" is "not allowed"."""
    shape = f"{sides[0].language}_shape"
    for side, other in (sides, sides[::-1]):
        for position in side.own(other):
            word = side.known[position]
            if not _is_negation(side, position, word) and (
                side.value("implied", position) or (len(word) > 5 and has_shape("implied", shape, word))
            ):
                return True
    return False


def _prefixed(left: Statement, right: Statement) -> Difference | None:
    """A word of one text that is a word of the other with a negating prefix."""
    own = left.own(right), right.own(left)
    for turned, (longs, shorts) in enumerate((own, own[::-1])):
        here, there = (right, left) if turned else (left, right)
        bare = defaultdict(list)
        for position in shorts:
            bare[there.known[position][:STEM_KEPT]].append(position)
        for position in longs:
            rest = _without_prefix(here.known[position], here.language)
            for partner in bare.get(rest[:STEM_KEPT], ())[:STEM_KEPT] if rest else ():
                short = there.known[partner]
                if Prefix.similarity(short, rest) >= max(STEM_KEPT, len(rest) - 3, len(short) - 3):
                    return Difference(True, *((partner, position) if turned else (position, partner)))
    return None


@lru_cache(16_384)
def _without_prefix(word: str, name: str) -> str:
    prefix = regex.match(LISTS["prefixes"].get(name, "$^"), word)
    return word[prefix.end() :] if prefix and "negations" not in values_of(word, name) else ""


def _ends(text: Statement, position: int) -> tuple[tuple[int, int], ...]:
    """(axis, end) for each axis that a word is on; "less" before such a word is on none."""
    if text.value("lessening", position) and position + 1 < len(text.known):
        following = leanings(text.known[position + 1], text.language)
        return () if following else leanings(text.known[position], text.language)
    return leanings(text.known[position], text.language)


Conflict: TypeAlias = tuple[int, int, int]
"""Axis, position in the left text, position in the right one."""


def _conflicts(sides: Sides, met: tuple[Collection[Word], Collection[Word]]) -> list[Conflict]:
    """Each axis with different ends in the two texts, by words that only one of them has; one for each word."""
    on_axes: list[dict[int, list[tuple[int, int]]]] = [defaultdict(list), defaultdict(list)]
    for axes, side, other, words in zip(on_axes, sides, sides[::-1], met, strict=True):
        for position in side.own(other):
            if side.words[position] not in words:
                for axis, end in _ends(side, position):
                    axes[axis].append((end, position))
    found: dict[tuple[int, int], Conflict] = {}  # "hard" is on two axes and one opposite
    for axis in sorted(on_axes[0].keys() & on_axes[1].keys(), key=lambda axis: (axis > 0, abs(axis))):
        ends = [{end for end, _ in axes[axis]} for axes in on_axes]
        if ends[0].isdisjoint(ends[1]):
            positions = on_axes[0][axis][0][1], on_axes[1][axis][0][1]
            found.setdefault(positions, (axis, *positions))
    ends_of = {position for position, _ in found}, {position for _, position in found}
    return [  # "speeds up" and "slows down" are one, as are "shallow lake" and "deep sea"
        conflict
        for (left, right), conflict in found.items()
        if not (left - 1 in ends_of[0] and right - 1 in ends_of[1])
    ]


def _exchange(sides: Sides, conflicts: list[Conflict]) -> Difference | None:
    """Two exchanged arguments: of a comparison, of a word that has a converse, or of equal texts otherwise.

    The arguments of "sells" or "than" are exchanged if a word before it is behind it, or behind its converse, in
    the other text, and a word behind it is before it. In other texts all other words must be equal, since with
    further changes ("is eaten by") the exchange may be grammatical only.
    """
    left, right = sides
    than = [[at for at in range(len(side.known)) if side.value("than", at)] for side in sides]
    if all(than):
        return _across(sides, than[0][-1], than[1][-1], compared=True)
    for axis, one, other in conflicts:
        pivotal = axis < 0 or _compares(left, one) or _compares(right, other)
        if pivotal and (found := _across(sides, one, other, loosely=axis < 0)):
            return found
    return _swapped(sides) or (None if conflicts else _turned(sides))


def _turned(sides: Sides) -> Difference | None:
    """Exchanged arguments of a verb in the passive, or of a word that has a converse: "lent", "before"."""
    left, right = sides
    if left.language not in ORDERED:
        return None
    by = [any(side.value("agents", at) for at in range(len(side.known))) for side in sides]
    positions = {word: at for at, word in reversed([*enumerate(right.known)])}
    pivots = [
        (here, positions[word])
        for here, word in enumerate(left.known)
        if word in positions
        and (
            (by[0] == by[1] and any(axis < 0 for axis, _ in _ends(left, here)))
            or {_voice(left, here), _voice(right, positions[word])} == {-1, 1}
        )
    ]
    for here, there in pivots[:MOST_PIVOTS]:
        stays = _arguments(left, here)[0].keys() & _arguments(right, there)[0].keys()
        if not stays and (found := _across(sides, here, there)):
            return found
    return None


def _compares(text: Statement, position: int) -> bool:
    """Return True for a comparative, of an adjective that has an opposite."""
    return has_shape("comparatives", text.language, text.known[position])


def _arguments(text: Statement, position: int) -> tuple[dict[str, int], dict[str, int]]:
    """Key -> position of the content words before and behind a word; exchanged in the passive."""
    ahead, behind = (
        {
            text.keys[at]: at
            for at in range(*ends)
            if text.keys[at] in text.content and not _is_number(text, at)
        }
        for ends in ((0, position), (position + 1, len(text.known)))
    )
    if not ahead:  # "Before the lecture, lunch is served"
        gaps = (
            at
            for at in range(position + 2, len(text.words))
            if "," in text.text[text.words[at - 1].end : text.words[at].start]
        )
        cut = next(gaps, len(text.words))
        ahead = {key: at for key, at in behind.items() if at >= cut}
        behind = {key: at for key, at in behind.items() if at < cut}
    return (behind, ahead) if _voice(text, position) < 0 else (ahead, behind)


def _voice(text: Statement, position: int) -> int:
    """-1 for "is eaten by", 1 for "eats", 0 for "is eaten" and "eaten by", whose arguments are uncertain."""
    adverb = position > 1 and text.known[position - 1].endswith("ly")
    copula = text.value("copulas", position - 1 - adverb) is not None
    agent = any(text.value("agents", at) for at in range(position + 1, position + MOST_BEFORE_AGENT))
    return 0 if agent != copula else -1 if agent else 1


def _across(
    sides: Sides, here: int, there: int, *, compared: bool = False, loosely: bool = False
) -> Difference | None:
    """A word before one position and after the other, exchanged with one after the first and before the second.

    One of them is enough, ``loosely``, if no word before the first position is before the other.
    Comparatives in a comparison ("hotter although it is farther than ...") are no arguments.
    """
    (ahead, behind), (others_ahead, others_behind) = (
        tuple(
            {
                key: at
                for key, at in each.items()
                if not (compared and _compares(side, at) and _ends(side, at))
            }
            for each in _arguments(side, position)
        )
        for side, position in zip(sides, (here, there), strict=True)
    )
    both = behind.keys() & others_ahead.keys(), ahead.keys() & others_behind.keys()
    gone = [ahead[key] for key in ahead if key in both[1] and key not in both[0]]
    come = [others_ahead[key] for key in behind if key in both[0] and key not in both[1]]
    if loosely and (gone or come) and not ahead.keys() & others_ahead.keys():
        return Difference(False, here, there)
    return Difference(False, gone[0], come[0]) if gone and come else None


def _swapped(sides: Sides) -> Difference | None:
    """Two words in each other's place, in texts whose other words are equal and in the same order.

    In English each of the two has the other's preposition, and there is a word between them; in Russian both have
    other endings.
    """
    name = sides[0].language
    if name not in {"en", "ru"} or any(
        side.value("copulas", at) for side in sides for at in range(len(side.known))
    ):
        return None  # "A is B" is "B is A"
    one, other = (Counter(_stems(side)) for side in sides)
    if ((one - other) + (other - one)).total() > MOST_OTHER_WORDS:
        return None
    left, right = (_single(side) for side in sides)
    here = [key for key in left if key in right]
    there = [key for key in right if key in left]
    moved = [number for number, key in enumerate(here) if key != there[number]]
    if len(moved) != 2 or here[moved[0]] != there[moved[1]]:
        return None
    first, second = here[moved[0]], here[moved[1]]
    parted = moved[1] > moved[0] + 1
    ones, others = ([side[key][1] for key in (first, second)] for side in (left, right))
    is_swapped = ones == others[::-1] and not {"and", "or"}.intersection(ones) and (parted or ones != others)
    if name == "ru":  # "Кошки боятся собак"; without endings, "экспорт превысил импорт"
        changed = {sides[0].known[left[key][0]] != sides[1].known[right[key][0]] for key in (first, second)}
        is_swapped = parted and (changed == {True} or (is_swapped and changed == {False} and one == other))
    return Difference(False, left[first][0], right[second][0]) if is_swapped else None


def _stems(text: Statement) -> list[str]:
    return [stem(word, text.language) for word in text.known if not leanings(word, text.language)]


def _single(text: Statement) -> dict[str, tuple[int, str]]:
    """Stem -> position of a content word that occurs once, and the function word before it, in order."""
    stems = [stem(word, text.language) for word in text.known]
    counts = Counter(stems)
    found: dict[str, tuple[int, str]] = {}
    before = ""
    for position, key in enumerate(stems):
        if text.value("function", position):
            before = before if text.value("articles", position) else text.known[position]
            continue
        if counts[key] == 1:
            found[key] = position, before
        before = ""
    return found
