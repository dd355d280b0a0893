"""Changed numbers of two texts, and numbers that follow from others: 1904 to 1914 are ten years."""

import math
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from tted_core.words.lexicon import Statement
from tted_core.words.quantities import EXACT, Quantity, quantities

MOST_UNEQUAL = 100  # maximum numbers of each text, without those that both have, that are compared in pairs


YEAR = (
    31_557_600  # in seconds, as in the list of units; looked up, it would compile the English lists at import
)


class ChangedNumber(NamedTuple):
    """Positions of a number of each text; ``is_rest`` if they are shares of which one is the rest."""

    left: range
    right: range
    is_rest: bool


def find_changed_number(left: Statement, right: Statement) -> ChangedNumber | None:
    """Positions of the first numbers that the other text lacks, or has in another role; not of missing numbers.

    The units belong to them if the numbers are equal otherwise: "6 a.m.", "6 p.m.".
    """
    sides = quantities(left), quantities(right)
    lost, come = _unequal(*sides), _unequal(*sides[::-1])
    for quantity in [*lost]:
        if partner := next((other for other in come if quantity.equals(other)), None):
            come.remove(partner)
            lost.remove(quantity)
    spans = _settle_derived(sides[0], lost, come), _settle_derived(sides[1], come, lost)
    pairs = [*spans[0], *(pair[::-1] for pair in spans[1])] or [
        (one, other)
        for one in lost
        for other in come
        if one.differs(other)
        if one.roles[0][1] == other.roles[0][1] or "amount" not in {one.dimension, other.dimension}
    ]
    ours, theirs = map(_by_role, sides)
    changed = [
        (one, theirs[role]) for role, one in ours.items() if role in theirs and not one.equals(theirs[role])
    ]
    if not pairs and len({one.at for one, _ in changed}) > 1:
        pairs = changed
    if not pairs:
        return None
    one, other = min(pairs, key=lambda pair: pair[0].roles[0][1] != pair[1].roles[0][1])  # of the same thing
    if left.within(one.at).text == right.within(other.at).text:
        one, other = (each._replace(at=range(each.at.start, each.end)) for each in (one, other))
    is_rest = any(a < 1 and math.isclose(a + b, 1.0, rel_tol=1e-3) for a in one.values for b in other.values)
    return ChangedNumber(one.at, other.at, is_rest)


def _settle_derived(
    found: list[Quantity], own: list[Quantity], others: list[Quantity]
) -> list[tuple[Quantity, Quantity]]:
    """Remove the numbers of another text that follow from two of a text, and those two from its own numbers.

    Returned is a number that the other text lacks, with that which should follow from it and another one.
    """
    changed = []
    for one, two in pairwise(found[:MOST_UNEQUAL]):
        for derived in _derived(one, two):
            alike = [each for each in others if each.dimension == derived.dimension]
            lacking = [each for each in (two, one) if each in own]
            if partner := next((other for other in others if derived.equals(other)), None):
                others.remove(partner)
                own[:] = [each for each in own if each.at not in {one.at, two.at}]
            elif alike and len(lacking) == {"time": 2, "share": 1}.get(derived.dimension):
                changed += [(lacking[0], alike[0])]
                break
    return changed


def _derived(one: Quantity, two: Quantity) -> Iterator[Quantity]:
    """The years between two years, otherwise the sum of two numbers, one's share in the other, and its change."""
    first, second = one.values[0], two.values[0]
    if one.dimension == two.dimension == "years":
        spans = tuple(YEAR * (second - first + more) for more in (0, 1))
        yield two._replace(values=spans, dimension="time", unit=YEAR)
    elif one.dimension in {two.dimension, ""} and two.dimension not in EXACT and min(first, second) > 1:
        ratio = second / first
        yield two._replace(values=(ratio, abs(1 - ratio)), dimension="share", unit=1.0)
        yield two._replace(values=(first + second,))


def _by_role(found: list[Quantity]) -> dict[tuple[str, str], Quantity]:
    """Role -> the quantity, where only one has it."""
    counts = Counter(role for each in found for role in each.roles)
    return {role: each for each in found for role in each.roles if counts[role] == 1 and any(role)}


def _unequal(one: list[Quantity], other: list[Quantity]) -> list[Quantity]:
    """The first quantities of one text without those that the other has in the same form."""
    counts = Counter((each.values, each.dimension, each.bound) for each in other)
    found = []
    for quantity in one:
        form = quantity.values, quantity.dimension, quantity.bound
        counts[form] -= 1
        if counts[form] < 0:
            found.append(quantity)
    return found[:MOST_UNEQUAL]
