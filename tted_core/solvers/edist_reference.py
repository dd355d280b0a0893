"""Ordered and constrained as the package edist computes them (Paaßen 2021): the only module that imports it.

edist wants nodes in preorder and costs as a function of two nodes, None for the gap. It is given integer
nodes and a function that indexes the cost matrix. The import takes 0.4 s (it brings scipy.optimize), so it
waits for the first use.

edist's backtrace takes costs for equal that differ by less than about 0.00001, whatever their size: it would
lose its way in rounding errors among large costs, and in near ties return a mapping that isn't optimal. So the
costs are multiplied by a power of 2 first, which is exact.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core.solvers.solution import Solution
from tted_core.tree import TextTree


def solve_ordered(left: TextTree, right: TextTree, costs: NDArray[np.float64]) -> Solution:
    """The distance by Zhang and Shasha 1989."""
    from edist import ted

    return _solve(ted.ted, ted.ted_backtrace, left, right, costs)


def solve_constrained(left: TextTree, right: TextTree, costs: NDArray[np.float64]) -> Solution:
    """The distance by Zhang 1996."""
    from edist import uted

    return _solve(uted.uted, uted.uted_backtrace, left, right, costs)


def published_ordered(left: TextTree, right: TextTree, costs: NDArray[np.float32]) -> float:
    """The distance alone, as the published code has it from ``edist.ted``: costs go in as they are, NaN too."""
    from edist import ted

    return float(ted.ted(*_as_edist(left), *_as_edist(right), _delta(costs.tolist())))


def published_constrained(left: TextTree, right: TextTree, costs: NDArray[np.float32]) -> float:
    """The same from ``edist.uted``, the published code's default."""
    from edist import uted

    return float(uted.uted(*_as_edist(left), *_as_edist(right), _delta(costs.tolist())))


PUBLISHED_SOLVERS = {"ordered": published_ordered, "constrained": published_constrained}

TOTAL_BITS = 24
"""All deletions and insertions cost 2^23 to 2^24 then: 0.00001 is 1e-12 of it, and thousands of roundings."""


def _solve(
    distance: Callable[..., float],
    backtrace: Callable[..., Any],
    left: TextTree,
    right: TextTree,
    costs: NDArray[np.float64],
) -> Solution:
    _, exponent = math.frexp(costs[:-1, -1].sum() + costs[-1, :-1].sum())
    shift = TOTAL_BITS - exponent
    rows: list[list[float]] = np.ldexp(
        costs, shift
    ).tolist()  # plain lists index several times faster than an array
    delta = _delta(rows)
    trees = (*_as_edist(left), *_as_edist(right))
    value = math.ldexp(float(distance(*trees, delta)), -shift)
    mapping = tuple(
        (None if entry._left < 0 else entry._left, None if entry._right < 0 else entry._right)  # noqa: SLF001
        for entry in backtrace(*trees, delta)
    )
    return Solution(mapping, lower=value, upper=value)


def _delta(rows: list[list[float]]) -> Callable[[int | None, int | None], float]:
    def delta(source: int | None, target: int | None) -> float:
        return rows[-1 if source is None else source][-1 if target is None else target]

    return delta


def _as_edist(tree: TextTree) -> tuple[list[int], list[list[int]]]:
    """Nodes and child lists."""
    return list(range(len(tree))), list(map(list, tree.children))
