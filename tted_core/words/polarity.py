"""Negations, opposites and strengths of two texts.

"Rarely" is "not often", "A before B" is "B after A", "less cold" is "warmer": only an odd number of negations,
opposites and exchanges changes the claim.
"""

from collections import defaultdict
from itertools import takewhile
from typing import Literal, TypeAlias

from tted_core.words.exchanges import Pair, Sides, find_exchange, is_agentless
from tted_core.words.lexicon import MOST_IN_PHRASE, Statement

# Its kind, and the position of a word of each text, or None.
Difference: TypeAlias = tuple[Literal["negation", "opposite", "modality"], int | None, int | None]


def differences(sides: Sides, spent: tuple[range, range]) -> list[Difference]:
    """Negations, opposites and exchanges of two texts if their number is odd, and another modality.

    ``spent`` are the positions of numbers that have a flag.
    """
    conflicts = _conflicts(sides, spent)
    found: list[Difference] = [
        ("negation" if isinstance(axis, str) else "opposite", *pair) for pair, axis in conflicts.items()
    ]
    taken = [{*spent[side], *(each[side + 1] for each in found)} for side in (0, 1)]
    if exchange := find_exchange(sides, conflicts):
        found.append(("opposite", *exchange))
    denied = [[at for at in _negations(side) if at not in taken[turned]] for turned, side in enumerate(sides)]
    if (len(denied[0]) + len(denied[1])) % 2:
        more = len(denied[1]) > len(denied[0])
        here, there = sides[more], sides[not more]
        applied = [at for at in denied[more] if _applies_to_shared(here, at, there)]
        if found or (applied and not _has_implied(sides)):
            at = (applied or denied[more][-1:])[0]
            found.append(("negation", None, at) if more else ("negation", at, None))
    return (found if len(found) % 2 else []) + _modality(sides)


def _negations(text: Statement) -> list[int]:
    """Positions of the negating words; "никогда не" is one, and "less cold" has one."""
    denying = [position for position in range(len(text.tokens)) if _is_negation(text, position)]
    return denying or text.find("concordant")[:1]


def _is_negation(text: Statement, position: int) -> bool:
    values = text.tokens[position].values
    behind = text.tokens[position + 1 : position + 2]
    if any("unconditional" in token.values for token in text.before(position)):
        return False
    if "lessening" in values:  # less cold, but less water
        return any("axes" in token.values for token in behind)
    is_answer = "answers" in values and any("," in token.gap for token in behind)  # "No, it isn't"
    return ("negations" in values and not is_answer) or values.get("modality", 0) < 0


def _applies_to_shared(text: Statement, position: int, other: Statement) -> bool:
    """Return True if the other text has a word that a negation or modal verb applies to, mostly behind it.

    A negation applies to the last topic before it in its clause, too: "The king is not aware of it".
    """
    clause = takewhile(lambda token: "joins" not in token.values, text.before(position))
    before = [token.topic for token in clause if token.topic]
    within = takewhile(
        lambda token: not token.gap.strip(), text.tokens[position + 1 : position + 1 + MOST_IN_PHRASE]
    )
    behind = [token.topic for token in within if token.topic]
    around = (behind[:2] or before[1:2]) + before[:1]
    return not around or any(key in other.topics for key in around)


def _has_implied(sides: Sides) -> bool:
    """Return True if a word of only one text implies a negation: "forbidden" is "not allowed"."""
    return any(
        not _is_negation(side, position)
        for side, other in (sides, sides[::-1])
        for position in side.own(other, "implied")
    )


def _conflicts(sides: Sides, spent: tuple[range, range]) -> dict[Pair, int | str]:
    """Positions of two words at different ends of an axis, which no word of both texts is on -> the axis."""
    on_axes: list[dict[int | str, list[tuple[float, int]]]] = [defaultdict(list), defaultdict(list)]
    for axes, side, other, numbers in zip(on_axes, sides, sides[::-1], spent, strict=True):
        for position in side.own(other):
            if position not in numbers:
                for axis, end in side.tokens[position].axes.items():
                    is_passive = isinstance(axis, int) and axis < 0 and is_agentless(side, position)
                    axes[axis].append((1 - end if is_passive else end, position))  # "was beaten": lost
    found: dict[Pair, int | str] = {}  # "hard" is on two axes and one opposite
    for axis in sorted(on_axes[0].keys() & on_axes[1].keys(), key=str):  # converses first, prefixes last
        lefts, rights = on_axes[0][axis], on_axes[1][axis]
        if {end for end, _ in lefts}.isdisjoint(end for end, _ in rights):
            found.setdefault((lefts[0][1], rights[0][1]), axis)
    return found


def _modality(sides: Sides) -> list[Difference]:
    """A word of necessity, possibility or probability of another strength than that of the other text.

    Of two texts of which only one has such a word, the other claims more if the word is a hedge ("possibly").
    "Predict" is a reservation too.
    """
    modal = [side.own(other, "modality") for side, other in (sides, sides[::-1])]
    strengths = [[token.values.get("modality", 0) for token in side.tokens] for side in sides]
    if all(modal):
        ours, theirs = ([every[at] for at in each] for every, each in zip(strengths, modal, strict=True))
        is_changed = ours[0] * theirs[0] > 0 and {*ours}.isdisjoint(theirs)
        return [("modality", modal[0][0], modal[1][0])] if is_changed else []
    more = bool(modal[1])
    here, there = sides[more], sides[not more]
    hedge = next((at for at in modal[more] if "hedges" in here.tokens[at].values), None)
    if hedge is None or strengths[more][hedge] in strengths[not more] or there.own(here, "reserved"):
        return []
    if not _applies_to_shared(here, hedge, there):
        return []
    return [("modality", None, hedge) if more else ("modality", hedge, None)]
