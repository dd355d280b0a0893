"""Doubt: which parts of an optimal script have close alternatives.

An optimal mapping is often one of many. The price of forbidding an operation says what the best script without it
costs more: 0 where another optimal script does without it, little where one nearly as good does. Such an operation
is a coin flip, and no finding about the two maps.
"""

from dataclasses import dataclass, replace

import numpy as np

from tted_core.arithmetic import increase, raise_to_power
from tted_core.comparison import Comparison
from tted_core.errors import ChoiceError
from tted_core.explain.what_if import Price, price_of
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.solvers.structure import Entry

NOT_UNIQUE = "not unique"  # the note of an operation that a script does without which is as good

# Of the total: another script that costs at most so much more is as good, for all that the costs can say.
CLOSE_SHARE = 0.01

# Of the mean cost of deleting or inserting a node: the same for large maps, whose total holds many nodes.
CLOSE_NODE = 0.1


@dataclass(frozen=True)
class Doubts:
    """Prices of forbidding each operation of a script.

    Attributes:
        prices: (source, target) -> the price; None where no mapping can do without it.
        operations: how many operations could have been looked at.
        close: the price up to which an operation counts as not unique: ``CLOSE_SHARE`` of the total, but no more
            than ``CLOSE_NODE`` of the mean cost of deleting or inserting a node; with a power, of costs to it.
    """

    prices: dict[Entry, Price | None]
    operations: int
    close: float

    @property
    def complete(self) -> bool:
        """True if every operation was examined."""
        return len(self.prices) == self.operations

    def not_unique(self) -> frozenset[Entry]:
        """The operations that a script does without which costs at most ``close`` more."""
        return frozenset(
            entry for entry, price in self.prices.items() if price and price.at_most <= self.close
        )


def doubts(comparison: Comparison, *, monitor: Monitor = UNWATCHED) -> Doubts:
    """Solve once without each operation of the script, by the solver of the same order.

    Forced operations are left out: they are somebody's choice. Replacements come first, the dearest before the
    others, so that a check that is stopped has looked at what is most in doubt.

    Args:
        comparison: whose script is looked at.
        monitor: watches; once it says stop, the result holds the operations done.
    """
    free = [
        op
        for op in sorted(comparison.script.ops, key=lambda op: (op.op != "replace", -op.cost))
        if (op.source, op.target) not in comparison.choices.forced
    ]
    prices: dict[Entry, Price | None] = {}
    for done, op in enumerate(free):
        if monitor.stopped:
            break
        monitor.stage(f"Looking for other scripts: {done} of {len(free)} operations", done / len(free))
        entry = (op.source, op.target)
        try:
            prices[entry] = price_of(comparison, comparison.choices.forbidding(entry))
        except ChoiceError:  # nothing else is possible there
            prices[entry] = None
    return Doubts(prices, len(free), _close(comparison))


def _close(comparison: Comparison) -> float:
    gaps = np.concatenate([comparison.costs[:-1, -1], comparison.costs[-1, :-1]])
    tted, power = comparison.tted, comparison.method.power
    near = (CLOSE_SHARE * raise_to_power(tted, power), CLOSE_NODE * float(raise_to_power(gaps, power).mean()))
    return increase(tted, min(near), power)


def add_notes(comparison: Comparison, found: Doubts) -> Comparison:
    """The comparison with the note ``NOT_UNIQUE`` on each operation that has an equally good alternative."""
    doubtful = found.not_unique()
    ops = tuple(
        replace(op, notes=(*op.notes, NOT_UNIQUE)) if (op.source, op.target) in doubtful else op
        for op in comparison.script.ops
    )
    return replace(comparison, script=replace(comparison.script, ops=ops))
