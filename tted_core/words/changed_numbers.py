"""Changed numbers of two texts."""

from tted_core.words.lexicon import Statement
from tted_core.words.quantities import Quantity, quantities

MOST_UNEQUAL = 100  # maximum numbers of each text, without those that both have, that are compared in pairs


def find_changed_number(left: Statement, right: Statement) -> tuple[range, range] | None:
    """Positions of the first numbers that the other text lacks; not of missing numbers.

    The units belong to them if the numbers are equal otherwise: "6 a.m.", "6 p.m.".
    """
    sides = quantities(left), quantities(right)
    lost, come = _unequal(*sides), _unequal(*sides[::-1])
    ours = [each for each in lost if not any(map(each.equals, come))]
    theirs = [each for each in come if not any(map(each.equals, lost))]
    pairs = [
        (one, other)
        for one in ours
        for other in theirs
        if one.differs(other)
        if one.of == other.of or "amount" not in {one.dimension, other.dimension}
    ]
    if not pairs:
        return None
    one, other = min(pairs, key=lambda pair: pair[0].of != pair[1].of)  # of the same thing
    if left.within(one.at).text == right.within(other.at).text:
        one, other = (each._replace(at=range(each.at.start, each.end)) for each in (one, other))
    return one.at, other.at


def _unequal(one: list[Quantity], other: list[Quantity]) -> list[Quantity]:
    """The first quantities of one text that the other one hasn't in the same form."""
    forms = {(each.values, each.dimension, each.bound) for each in other}
    return [each for each in one if (each.values, each.dimension, each.bound) not in forms][:MOST_UNEQUAL]
