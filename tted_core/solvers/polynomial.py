"""The two orders that can be solved in polynomial time: ordered and constrained.

Small pairs go to edist, the reference: it answers within a millisecond there and needs no machine code loaded.
Larger ones go to our compiled kernels, which are 3 to 6 times faster on random trees from 100 nodes on, 100 to
1,700 times on stars and combs (docs/benchmarks.md), and agree with edist on thousands of random trees.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tted_core.solvers import edist_reference, kernels
from tted_core.solvers.solution import Mapping, Solution, TellBounds
from tted_core.tree import TextTree

EDIST_PAIRS = 1_000
"""Pairs of nodes up to which edist is used: 31 by 31 nodes take it 0.3 ms ordered and 1 ms constrained."""


def solve_ordered(
    left: TextTree,
    right: TextTree,
    costs: NDArray[np.float64],
    *,
    time_limit: float | None = None,  # noqa: ARG001 - always finishes with a proof
    progress: TellBounds | None = None,  # noqa: ARG001
) -> Solution:
    """Siblings keep their order (Zhang and Shasha 1989)."""
    if _is_small(left, right):
        return edist_reference.solve_ordered(left, right, costs)
    return kernels.zhang_shasha(left, right, costs)


def solve_constrained(
    left: TextTree,
    right: TextTree,
    costs: NDArray[np.float64],
    *,
    time_limit: float | None = None,  # noqa: ARG001 - always finishes with a proof
    progress: TellBounds | None = None,  # noqa: ARG001
) -> Solution:
    """Sibling order is free, and disjoint subtrees map to disjoint subtrees (Zhang 1996).

    Zhang's recursion takes it that replacing costs no more than deleting and inserting, as with any metric. With
    other costs it is given just that instead, and a pair which costs more is taken apart afterwards: what is left
    of a constrained mapping is one too.
    """
    solve = edist_reference.solve_constrained if _is_small(left, right) else kernels.constrained
    apart = costs[:-1, -1:] + costs[-1:, :-1]
    dear = costs[:-1, :-1] > apart
    if not dear.any():
        return solve(left, right, costs)
    cheaper = costs.copy()
    cheaper[:-1, :-1] = np.minimum(costs[:-1, :-1], apart)
    solution = solve(left, right, cheaper)
    return replace(solution, mapping=tuple(_apart(solution.mapping, dear)))


def _apart(mapping: Mapping, dear: NDArray[np.bool_]) -> Iterator[tuple[int | None, int | None]]:
    """The mapping, with a deletion and an insertion for each pair that is dear."""
    for source, target in mapping:
        if source is not None and target is not None and dear[source, target]:
            yield source, None
            yield None, target
        else:
            yield source, target


def _is_small(left: TextTree, right: TextTree) -> bool:
    return len(left) * len(right) <= EDIST_PAIRS
