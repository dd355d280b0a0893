"""Independent ordered and constrained distances by edist (Paaßen 2021), which the published code calls.

It shares no code with the compiled kernels, so a replay that both confirm doesn't rest on one implementation.
"""

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from tted_core.solvers.solution import EditProblem
from tted_core.tree import TextTree

ORDERS = ("ordered", "constrained")

MAX_NODES = 200  # maximum nodes of both maps together; edist takes 3.5 s for a star of 500 leaves

# Tolerance for each node of the smaller map: edist ignores smaller gains when it matches children.
TOLERANCE = 1e-5


def edist_distance(problem: EditProblem, order: str) -> float:
    """The distance by edist, for an order of ``ORDERS``; it calls back to Python for the cost of each pair."""
    from edist import ted, uted

    distance = {"ordered": ted.ted, "constrained": uted.uted}[order]
    return problem.distance(float(distance(*edist_arguments(problem.left, problem.right, problem.weights))))


def edist_arguments(
    left: TextTree, right: TextTree, costs: NDArray[Any]
) -> tuple[list[int], list[list[int]], list[int], list[list[int]], Callable[[int | None, int | None], float]]:
    """Nodes and child lists of both trees in preorder, and a function of two nodes, None for the gap."""
    rows = costs.tolist()  # indexing lists is several times faster than an array

    def delta(source: int | None, target: int | None) -> float:
        cost: float = rows[-1 if source is None else source][-1 if target is None else target]
        return cost

    here, there = ((list(range(len(tree))), list(map(list, tree.children))) for tree in (left, right))
    return *here, *there, delta
