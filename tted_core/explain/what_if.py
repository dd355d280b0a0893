"""Comparisons under a person's choices: pairs that must, and pairs that must not, be in the mapping.

Nothing is encoded again. The price of a choice is the cost of the cheapest script that keeps it minus the current
script's cost.
"""

from dataclasses import dataclass, replace

import numpy as np

from tted_core.baselines.suite import SUITE
from tted_core.compare import with_suite
from tted_core.comparison import Comparison, search
from tted_core.contexts import CONTEXTS
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.script import edit_script
from tted_core.solvers import Choices

PRICE_NOISE = 1e-9  # of the total: prices below it come from rounding, and are 0


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


def nearest(
    comparison: Comparison, *, source: int | None = None, target: int | None = None, count: int = 5
) -> tuple[Candidate, ...]:
    """The nodes of the other map that are nearest to a node (give one), the cheapest pair first."""
    costs = comparison.costs[source, :-1] if source is not None else comparison.costs[:-1, target]
    order = np.argsort(costs, kind="stable")[:count].tolist()
    return tuple(Candidate(node, float(costs[node])) for node in order)
