"""The orders as the package edist computes them (Paaßen 2021): the only module that imports it.

edist wants nodes in preorder and costs as a function of two nodes, None for the gap. It is given integer
nodes and a function that indexes the cost matrix. The import takes 0.4 s (it brings scipy.optimize), so it
waits for the first use.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core.solvers.solution import Progress, Solution
from tted_core.tree import TextTree


def solve_ordered(
    left: TextTree,
    right: TextTree,
    costs: NDArray[np.float64],
    *,
    time_limit: float | None = None,  # noqa: ARG001
    progress: Progress | None = None,  # noqa: ARG001
) -> Solution:
    """Siblings keep their order (Zhang and Shasha 1989)."""
    from edist import ted

    return _solve(ted.ted, ted.ted_backtrace, left, right, costs)


def solve_constrained(
    left: TextTree,
    right: TextTree,
    costs: NDArray[np.float64],
    *,
    time_limit: float | None = None,  # noqa: ARG001
    progress: Progress | None = None,  # noqa: ARG001
) -> Solution:
    """Sibling order is free, and disjoint subtrees map to disjoint subtrees (Zhang 1996)."""
    from edist import uted

    return _solve(uted.uted, uted.uted_backtrace, left, right, costs)


def _solve(
    distance: Callable[..., float],
    backtrace: Callable[..., Any],
    left: TextTree,
    right: TextTree,
    costs: NDArray[np.float64],
) -> Solution:
    rows: list[list[float]] = costs.tolist()  # plain lists index several times faster than an array

    def delta(source: int | None, target: int | None) -> float:
        return rows[-1 if source is None else source][-1 if target is None else target]

    trees = (
        list(range(len(left))),
        list(map(list, left.children)),
        list(range(len(right))),
        list(map(list, right.children)),
    )
    value = float(distance(*trees, delta))
    mapping = tuple(
        (None if entry._left < 0 else entry._left, None if entry._right < 0 else entry._right)  # noqa: SLF001
        for entry in backtrace(*trees, delta)
    )
    return Solution(mapping, lower=value, upper=value)
