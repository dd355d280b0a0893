"""Comparisons under a person's choices: pairs that must, and pairs that must not, be in the mapping.

Nothing is encoded again. The price of a choice is the cost of the cheapest script that keeps it minus the current
script's cost.

An optimal mapping is often one of many. The price of forbidding an operation says what the best script without it
costs more: 0 where another optimal script does without it, little where one nearly as good does. Such an operation
is a coin flip, and no finding about the two maps.
"""

from dataclasses import dataclass, replace

import numpy as np

from tted_core.arithmetic import increase, raise_to_power
from tted_core.baselines.suite import SUITE
from tted_core.compare import with_suite
from tted_core.comparison import Comparison, search
from tted_core.contexts import CONTEXTS
from tted_core.errors import ChoiceError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.script import edit_script
from tted_core.solvers import Choices
from tted_core.solvers.structure import Entry

PRICE_NOISE = 1e-9  # of the total: prices below it come from rounding, and are 0

NOT_UNIQUE = "not unique"  # the note of an operation that a script does without which is as good

# Of the total: another script that costs at most so much more is as good, for all that the costs can say.
CLOSE_SHARE = 0.01

# Of the mean cost of deleting or inserting a node: the same for large maps, whose total holds many nodes.
CLOSE_NODE = 0.1


@dataclass(frozen=True)
class Price:
    """Amount that a choice adds to the total; ``at_least`` and ``at_most`` differ if the search was cut short."""

    at_least: float
    at_most: float

    @property
    def proven(self) -> bool:
        """True if the price is known exactly."""
        return self.at_least == self.at_most


@dataclass(frozen=True)
class Candidate:
    """A node of the other map that a node could be paired with.

    Attributes:
        node: its preorder index.
        cost: of the pair.
    """

    node: int
    cost: float


def under_choices(
    comparison: Comparison,
    choices: Choices,
    *,
    monitor: Monitor = UNWATCHED,
) -> Comparison:
    """Compare the maps again under the same options, with the cheapest script that keeps ``choices``.

    TTED@k keeps those choices whose nodes are all within k levels, or none where these can't be kept there. The
    signature lists the choices: the number is not the distance of the two maps.

    Args:
        comparison: of the two maps; it may be under other choices, which end.
        choices: what must and what must not be in the mapping.
        monitor: as for ``compare_maps``.
    """
    method, trees = comparison.method, (comparison.left.tree, comparison.right.tree)
    solution = search(
        comparison.problem, method.order, choices, time_limit=method.time_limit, monitor=monitor
    )
    context = CONTEXTS[method.context]
    texts = context.texts(trees[0]), context.texts(trees[1])
    script = edit_script(*trees, solution.mapping, comparison.costs, texts, power=method.power)
    kept = replace(comparison, script=script, lower_bound=solution.lower, choices=choices, depths=None)
    again = [name for name in comparison.suite if SUITE[name].reads == "script"]
    return with_suite(kept, again, monitor=monitor) if again else kept


def price_of(comparison: Comparison, choices: Choices, *, time_limit: float | None = None) -> Price:
    """Extra cost if these choices must be kept.

    Args:
        comparison: of the two maps.
        choices: the comparison's own, with a further one.
        time_limit: seconds for an order that may take long.
    """
    solution = search(comparison.problem, comparison.method.order, choices, time_limit=time_limit)
    low, high = (
        0.0 if bound - comparison.tted <= PRICE_NOISE * (1 + comparison.tted) else bound - comparison.tted
        for bound in (solution.lower, solution.upper)
    )
    return Price(low, high)


def find_nearest(
    comparison: Comparison, *, source: int | None = None, target: int | None = None, count: int = 5
) -> tuple[Candidate, ...]:
    """The nodes of the other map that are nearest to a node (give one), the cheapest pair first."""
    costs = comparison.costs[source, :-1] if source is not None else comparison.costs[:-1, target]
    order = np.argsort(costs, kind="stable")[:count].tolist()
    return tuple(Candidate(node, float(costs[node])) for node in order)


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

    Forced operations are left out: they are somebody's choice. Replacements come first, the most costly before the
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
            prices[entry] = price_of(comparison, comparison.choices.with_forbidden(entry))
        except ChoiceError:  # nothing else is possible there
            prices[entry] = None
    gaps = np.concatenate([comparison.costs[:-1, -1], comparison.costs[-1, :-1]])
    tted, power = comparison.tted, comparison.method.power
    near = (CLOSE_SHARE * raise_to_power(tted, power), CLOSE_NODE * float(raise_to_power(gaps, power).mean()))
    return Doubts(prices, len(free), increase(tted, min(near), power))


def add_notes(comparison: Comparison, found: Doubts) -> Comparison:
    """The comparison with the note ``NOT_UNIQUE`` on each operation that has an equally good alternative."""
    doubtful = found.not_unique()
    ops = tuple(
        replace(op, notes=(*op.notes, NOT_UNIQUE)) if (op.source, op.target) in doubtful else op
        for op in comparison.script.ops
    )
    return replace(comparison, script=replace(comparison.script, ops=ops))
