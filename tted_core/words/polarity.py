"""Negations, opposites, strengths and exchanged arguments of two texts.

"Rarely" is "not often", "A before B" is "B after A", "less cold" is "warmer": only an odd number of negations,
opposites and exchanges changes the claim.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Literal, TypeAlias

from tted_core.words.lexicon import MODALITY, NO_SHAPE, Statement, lexicon_of, word_values

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

Difference: TypeAlias = tuple[Literal["negation", "opposite", "modality"], int | None, int | None]
"""Its kind, and the position of a word of each text, or None."""


def differences(sides: Sides, spent: tuple[range, range]) -> list[Difference]:
    """Negations, opposites and exchanges of two texts if their number is odd, and another modality.

    ``spent`` are the positions of numbers that have a flag.
    """
    conflicts = _conflicts(sides, spent)
    strength = next((pair for pair, axis in conflicts.items() if axis == MODALITY), None)
    pairs = [pair for pair, axis in conflicts.items() if axis != MODALITY]
    found: list[Difference] = [("opposite", *pair) for pair in pairs]
    prefixed = _find_prefixed(sides)
    if prefixed and not any(prefixed[side] == pair[side] for pair in pairs for side in (0, 1)):
        found.append(("negation", *prefixed))
    taken = [{*spent[side], *(each[side + 1] for each in found)} for side in (0, 1)]
    if exchange := _find_exchange(sides, conflicts):
        found.append(("opposite", *exchange))
    denied = [[at for at in _negations(side) if at not in taken[turned]] for turned, side in enumerate(sides)]
    if (len(denied[0]) + len(denied[1])) % 2:
        more = len(denied[1]) > len(denied[0])
        here, there = sides[more], sides[not more]
        applied = [at for at in denied[more] if _applies_to_shared(here, at, there)]
        if found or (applied and not _has_implied(sides)):
            at = (applied or denied[more][-1:])[0]
            found.append(("negation", None, at) if more else ("negation", at, None))
    return (found if len(found) % 2 else []) + [*_modality(sides, strength)]


def _negations(text: Statement) -> list[int]:
    """Positions of the negating words; "никогда не" is one, and "less cold" has one."""
    denying = [position for position in range(len(text.tokens)) if _is_negation(text, position)]
    return denying or text.find("concordant")[:1]


def _is_negation(text: Statement, position: int) -> bool:
    values = text.tokens[position].values
    behind = text.tokens[position + 1] if position + 1 < len(text.tokens) else None
    if "lessening" in values:  # less cold, but less water
        return behind is not None and bool(behind.axes)
    if "answers" in values and text.tokens[position].begins and behind and "," in behind.gap:
        return False
    return "negations" in values or "negating_shapes" in values or values.get("modality", 0) < 0


def _applies_to_shared(text: Statement, position: int, other: Statement) -> bool:
    """Return True if the other text has a word that a negation or modal verb applies to, mostly behind it."""
    around = text.behind(position + 1) or text.ahead(position)
    return not around or any(key in other.content for key in around)


def _has_implied(sides: Sides) -> bool:
    """Return True if a word of only one text implies a negation: "forbidden" is "not allowed"."""
    return any(
        not _is_negation(side, position)
        for side, other in (sides, sides[::-1])
        for position in side.own(other, "implied")
    )


def _find_prefixed(sides: Sides) -> _Pair | None:
    """A word of one text that is a word of the other with a negating prefix."""
    prefix = lexicon_of(sides[0].language).shapes.get("prefixes", NO_SHAPE)
    for turned, (here, there) in enumerate((sides, sides[::-1])):
        bases = {
            there.tokens[at].stem: at
            for at in reversed(there.own(here))
            if len(there.tokens[at].stem) >= STEM
        }
        for position in here.own(there):
            partner = bases.get(prefix.sub("", here.tokens[position].stem))
            if partner is not None and "negations" not in here.tokens[position].values:
                return (partner, position) if turned else (position, partner)
    return None


def _ends(text: Statement, position: int) -> dict[int, float]:
    """Axis -> end for each axis that a word is on; "less" before such a word is on none."""
    token = text.tokens[position]
    lessened = "lessening" in token.values and position + 1 < len(text.tokens)
    return {} if lessened and text.tokens[position + 1].axes else token.axes


def _conflicts(sides: Sides, spent: tuple[range, range]) -> dict[_Pair, int]:
    """Positions of two words at different ends of an axis, which no word of both texts is on -> the axis."""
    on_axes: list[dict[int, list[tuple[float, int]]]] = [defaultdict(list), defaultdict(list)]
    for axes, side, other, numbers in zip(on_axes, sides, sides[::-1], spent, strict=True):
        for position in side.own(other):
            if position not in numbers:
                for axis, end in _ends(side, position).items():
                    axes[axis].append((end, position))
    found: dict[_Pair, int] = {}  # "hard" is on two axes and one opposite
    for axis in sorted(on_axes[0].keys() & on_axes[1].keys(), key=lambda axis: (axis > 0, abs(axis))):
        lefts, rights = on_axes[0][axis], on_axes[1][axis]
        if {end for end, _ in lefts}.isdisjoint(end for end, _ in rights):
            found.setdefault((lefts[0][1], rights[0][1]), axis)
    # "speeds up" and "slows down" are one, as are "shallow lake" and "deep sea"
    ends = [{pair[side] for pair in found} for side in (0, 1)]
    return {
        pair: axis for pair, axis in found.items() if not (pair[0] - 1 in ends[0] and pair[1] - 1 in ends[1])
    }


def _modality(sides: Sides, strength: _Pair | None) -> Iterator[Difference]:
    """A word of necessity, possibility or probability of another strength than that of the other text.

    Of two texts of which only one has such a word, the other claims more if the word is a hedge ("possibly").
    "Predict" is a reservation too.
    """
    left, right = sides
    if strength:
        one, other = strength
        ours, theirs = left.tokens[one].axes[MODALITY], right.tokens[other].axes[MODALITY]
        applied = _applies_to_shared(left, one, right) and _applies_to_shared(right, other, left)
        stronger = sides if ours > theirs else sides[::-1]
        if applied and ours * theirs > 0 and not stronger[0].own(stronger[1], "reserved"):
            yield "modality", one, other
        return
    modal = [
        [at for at in side.own(other, "modality") if MODALITY in side.tokens[at].axes]
        for side, other in (sides, sides[::-1])
    ]
    if bool(modal[0]) != bool(modal[1]):
        more = bool(modal[1])
        here, there = sides[more], sides[not more]
        hedge = next((at for at in modal[more] if "hedges" in here.tokens[at].values), None)
        if hedge is not None and not there.own(here, "reserved") and _applies_to_shared(here, hedge, there):
            yield ("modality", None, hedge) if more else ("modality", hedge, None)


def _find_exchange(sides: Sides, conflicts: dict[_Pair, int]) -> _Pair | None:
    """Two exchanged arguments: of a comparison, of a word that has a converse, or of equal texts otherwise.

    The arguments of "sells" or "than" are exchanged if a word before it is behind it, or behind its converse, in
    the other text, and a word behind it is before it. In other texts all other words must be equal, since with
    further changes ("is eaten by") the exchange may be grammatical only.
    """
    left, right = sides
    pivots = [
        (one, other)
        for (one, other), axis in conflicts.items()
        if axis < 0
        or "comparatives" in left.tokens[one].values
        or "comparatives" in right.tokens[other].values
    ]
    if than := [*zip(left.find("than")[-1:], right.find("than")[-1:], strict=False)]:
        return _first_across(sides, pivots + than, compared=True)
    exchanged = _first_across(sides, pivots) or _find_redirected(sides) or _find_swapped(sides)
    return exchanged or _first_across(sides, _turned(sides))


def _turned(sides: Sides) -> Iterator[_Pair]:
    """An English verb in the passive of one text, or a word of both with a converse: "lent", "before"."""
    left, right = sides
    alike = bool(left.find("agents")) == bool(right.find("agents"))
    firsts = (
        {token.stem: at for at, token in reversed([*enumerate(right.tokens)])}
        if left.language == "en"
        else {}
    )
    pivots = (
        (at, firsts[token.stem])
        for at, token in enumerate(left.tokens)
        if token.stem in firsts
        and (
            (alike and any(axis < 0 for axis in _ends(left, at)))
            or {_voice(left, at), _voice(right, firsts[token.stem])} == {-1, 1}
        )
    )
    return islice(pivots, MOST_PIVOTS)


def _voice(text: Statement, at: int) -> int:
    """-1 for "is eaten by", 1 for "eats", 0 for "is eaten" and "eaten by", whose arguments are uncertain."""
    is_copula = text.value("copulas", at - 1) is not None
    has_agent = any(text.value("agents", behind) for behind in range(at + 1, at + MOST_BEFORE_AGENT))
    return 0 if has_agent != is_copula else -1 if has_agent else 1


def _first_across(sides: Sides, pivots: Iterable[_Pair], *, compared: bool = False) -> _Pair | None:
    """The first two words that are on the other side of one of these pairs of words in the other text.

    In the passive, the sides are exchanged. In a comparison, comparatives ("hotter although it is farther than")
    are no words to compare.
    """
    left, right = (
        _arguments(
            side,
            [
                "" if compared and "comparatives" in token.values and token.axes else token.topic
                for token in side.tokens
            ],
        )
        for side in sides
    )
    for here, there in pivots:
        passive = [_voice(side, at) < 0 for side, at in zip(sides, (here, there), strict=True)]
        behind = {
            key: ((left[key][0] > here) != passive[0], (right[key][0] > there) != passive[1])
            for key in left
            if key in right and left[key][0] != here and right[key][0] != there
        }
        gone = next((left[key][0] for key, (one, other) in behind.items() if other > one), None)
        come = next((right[key][0] for key, (one, other) in behind.items() if one > other), None)
        if gone is not None and come is not None:
            return gone, come
    return None


def _find_redirected(sides: Sides) -> _Pair | None:
    """Two words with each other's preposition of a direction: "from Rome to Paris"."""
    left, right = (_arguments(side, [token.topic for token in side.tokens]) for side in sides)
    turned = {(before, right[key][1]): key for key, (_, before) in left.items() if key in right}
    for (before, after), key in turned.items():
        other = turned.get((after, before)) if before != after else None
        if other and all("roles" in word_values(each, sides[0].language) for each in (before, after)):
            return left[key][0], right[other][0]
    return None


def _find_swapped(sides: Sides) -> _Pair | None:
    """Two words in each other's place, in texts whose other words are equal and in the same order.

    In English each of the two has the other's preposition, and there is a word between them; in Russian both have
    other endings.
    """
    name = sides[0].language
    if name not in {"en", "ru"} or any(side.find("copulas") for side in sides):
        return None  # "A is B" is "B is A"
    one, other = (Counter(token.stem for token in side.tokens if not token.axes) for side in sides)
    counts = [Counter(token.stem for token in side.tokens) for side in sides]
    left, right = (
        _arguments(side, [token.stem if count[token.stem] == 1 else "" for token in side.tokens])
        for side, count in zip(sides, counts, strict=True)
    )
    here, there = ([key for key in side if key in left and key in right] for side in (left, right))
    moved = [number for number, key in enumerate(here) if key != there[number]]
    if ((one - other) + (other - one)).total() > MOST_OTHER_WORDS or len(moved) != 2:
        return None
    first, second = here[moved[0]], here[moved[1]]
    parted = moved[1] > moved[0] + 1
    ones, others = ([side[key][1] for key in (first, second)] for side in (left, right))
    is_swapped = ones == others[::-1] and not {"and", "or"}.intersection(ones) and (parted or ones != others)
    if name == "ru":  # "Кошки боятся собак"; without endings, "экспорт превысил импорт"
        changed = {
            sides[0].tokens[left[key][0]].known != sides[1].tokens[right[key][0]].known
            for key in (first, second)
        }
        is_swapped = parted and (changed == {True} or (is_swapped and changed == {False} and one == other))
    return (left[first][0], right[second][0]) if is_swapped else None


def _arguments(text: Statement, keys: list[str]) -> dict[str, tuple[int, str]]:
    """Key -> position of its last content word, and the function word before it; "" is no key."""
    found: dict[str, tuple[int, str]] = {}
    before = ""
    for position, (key, token) in enumerate(zip(keys, text.tokens, strict=True)):
        if "function" not in token.values:
            if key:
                found[key] = position, before
            before = ""
        elif "articles" not in token.values:
            before = token.known
    return found
