"""The unordered distance of many pairs in one compiled call, as far as bounds and a short search can prove it.

A third of the pairs of 25 nodes are proven by the best one-to-one mapping of their nodes, which ignores the
trees and costs no more than any other mapping; half by the bounds of :mod:`.bounds` after few steps; and of the
others all but one in a hundred by the search of :mod:`.branching`. Unproven ones are solved one by one by
:func:`tted_core.solvers.unordered.solve_unordered`.
"""

import numpy as np

from tted_core.solvers.kernels.assignment import match_rows
from tted_core.solvers.kernels.compiling import compile_kernel
from tted_core.solvers.kernels.many import (
    EditProblems,
    Mappings,
    new_mappings,
    pair_of,
    partners_cost,
    store,
    take_apart,
)
from tted_core.solvers.kernels.restricted import keep_gains, pair_constrained
from tted_core.solvers.kernels.trees import Booleans, Floats, Integers, tree_layout
from tted_core.solvers.unordered.bounds import CLOSED, Bounds, fill_rows, new_tables, size_of_picks
from tted_core.solvers.unordered.branching import MOST_STEPS, close_rows
from tted_core.solvers.unordered.recovery import recover_partners

_STEPS = 40, 300
"""Steps of the search for prices: few first, which the search for mappings usually complements; then more."""


_CELLS = 40_000
"""Maximum pairs of nodes, 200 by 200: for larger maps, only the exact solver can be stopped."""


def solve_pairs_unordered(problems: EditProblems) -> tuple[Mappings, Booleans]:
    """Solve every pair that isn't too large, as far as bounds prove it.

    Returns:
        The best mappings found and, (p,), whether each is proven optimal.
    """
    found = new_mappings(problems)
    proven = np.zeros(len(found.distances), dtype=np.bool_)
    _solve(problems, found, proven)
    return found, proven


@compile_kernel
def _solve(problems: EditProblems, found: Mappings, proven: Booleans) -> None:
    for pair in range(problems.starts.size - 1):
        left, right, costs = pair_of(problems, pair)
        if costs.size <= _CELLS:
            partners, proven[pair] = _unordered_partners(left, right, costs)
            store(pair, costs, partners, found)


@compile_kernel
def _unordered_partners(
    parents_left: Integers, parents_right: Integers, costs: Floats
) -> tuple[Integers, bool]:
    """The best mapping found, the constrained one if none is better, and whether it is proven."""
    _, start = pair_constrained(parents_left, parents_right, costs)
    take_apart(costs, start)
    kept, total = keep_gains(costs)
    best, tolerance = partners_cost(costs, start), CLOSED * total
    if best - (total - match_gains(kept)) <= tolerance:
        return start, True
    left, right = tree_layout(parents_left), tree_layout(parents_right)
    tables = new_tables(
        kept, left, right, 2 * size_of_picks(left, right, 0, left.sizes.size)
    )  # for filling and for closing
    bounds, steps_left = tables.bounds, np.array([10 * MOST_STEPS])
    for steps in _STEPS:
        tables.picks.used[0] = 0
        bounds.pick_start[:] = -1
        fill_rows(0, parents_left.size, steps, tables)
        if _is_open(best, total, tolerance, bounds):
            close_rows(tables, 0.1 * tolerance, steps_left)
        if not _is_open(best, total, tolerance, bounds):
            break
    partners = recover_partners(tables)
    take_apart(costs, partners)
    if best <= partners_cost(costs, partners):
        partners = start
    lower = total - bounds.pair_upper.max()
    return partners, partners_cost(costs, partners) - lower <= tolerance


@compile_kernel
def _is_open(best: float, total: float, tolerance: float, bounds: Bounds) -> bool:
    """Return True if there may be a mapping better than all known."""
    known = min(best, total - bounds.pair_lower.max())
    return bool(known - (total - bounds.pair_upper.max()) > tolerance)


@compile_kernel
def match_gains(kept: Floats) -> float:
    """The largest total gain of a one-to-one mapping, ignoring the trees; it proves a third of the mappings."""
    rows, columns = min(kept.shape), max(kept.shape)
    gains = np.empty((columns, columns))
    for i in range(kept.shape[0]):
        for j in range(kept.shape[1]):
            if kept.shape[0] <= kept.shape[1]:
                gains[i, j] = max(0.0, kept[i, j])
            else:
                gains[j, i] = max(0.0, kept[i, j])
    return match_rows(gains, rows, columns, np.empty(columns, dtype=np.int64))
