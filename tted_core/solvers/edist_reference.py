"""The published code's distances, from the package edist (Paaßen 2021): the only module that imports it.

edist wants nodes in preorder and costs as a function of two nodes, None for the gap. It is given integer nodes and
a function that indexes the cost matrix. The tests hold our kernels against it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core.tree import TextTree


def published_ordered(left: TextTree, right: TextTree, costs: NDArray[np.float32]) -> float:
    """The distance alone, as the published code has it from ``edist.ted``: costs go in as they are, NaN too."""
    from edist import ted

    return float(ted.ted(*edist_arguments(left, right, costs)))


def published_constrained(left: TextTree, right: TextTree, costs: NDArray[np.float32]) -> float:
    """The same from ``edist.uted``, the published code's default."""
    from edist import uted

    return float(uted.uted(*edist_arguments(left, right, costs)))


PUBLISHED_SOLVERS = {"ordered": published_ordered, "constrained": published_constrained}


def edist_arguments(
    left: TextTree, right: TextTree, costs: NDArray[Any]
) -> tuple[list[int], list[list[int]], list[int], list[list[int]], Callable[[int | None, int | None], float]]:
    """Nodes and child lists of both trees, and the function that costs are asked of."""
    rows = costs.tolist()  # plain lists index several times faster than an array

    def delta(source: int | None, target: int | None) -> float:
        cost: float = rows[-1 if source is None else source][-1 if target is None else target]
        return cost

    here, there = ((list(range(len(tree))), list(map(list, tree.children))) for tree in (left, right))
    return *here, *there, delta
