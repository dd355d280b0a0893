"""Changed numbers of two texts."""

from collections import Counter

from tted_core.words.lexicon import Statement
from tted_core.words.quantities import Quantity, quantities

MOST_UNEQUAL = 100  # maximum numbers of each text, without those that both have, that are compared in pairs


def find_changed_number(left: Statement, right: Statement) -> tuple[range, range] | None:
    """Positions of the first numbers that the other text lacks, or has in another role; not of missing numbers.

    The units belong to them if the numbers are equal otherwise: "6 a.m.", "6 p.m.".
    """
    sides = quantities(left), quantities(right)
    lost, come = _unequal(*sides), _unequal(*sides[::-1])
    for quantity in [*lost]:
        if partner := next((other for other in come if quantity.equals(other)), None):
            come.remove(partner)
            lost.remove(quantity)
    pairs = [
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
    one, other = pairs[0]
    if left.within(one.at).text != right.within(other.at).text:
        return one.at, other.at
    return range(one.at.start, one.end), range(other.at.start, other.end)


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
