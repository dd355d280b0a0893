"""The unordered distance of many pairs in one compiled call, as far as bounds and a short search can prove it.

A third of the pairs of 25 nodes are proven by the best one-to-one mapping of their nodes, which ignores the
trees and costs no more than any other mapping; half by :mod:`.bounds`, exact for small forests; and of the
others all but one in a thousand by the search of :mod:`.branching`. Unproven ones are solved one by one by
:func:`tted_core.solvers.unordered.solve_unordered`.
"""

import numpy as np

from tted_core.solvers.kernels.compiling import Booleans, Floats, Integers, borrowing, compile_kernel
from tted_core.solvers.kernels.many import (
    EditProblems,
    Mappings,
    assign_partners,
    new_mappings,
    pair_of,
    partners_cost,
    store,
    take_apart,
)
from tted_core.solvers.kernels.restricted import keep_gains, match_children, pair_constrained
from tted_core.solvers.kernels.trees import tree_layout
from tted_core.solvers.unordered.bounds import CLOSED, Bounds, Tables, fill_rows, new_tables
from tted_core.solvers.unordered.branching import close_rows

_STEPS = 40  # steps of the search for prices: few, which the search for mappings usually complements

_CELLS = 40_000  # maximum pairs of nodes, 200 by 200: for larger maps, only the exact solver can be stopped


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
    if best - assign_partners(costs)[0] <= tolerance:
        return start, True
    left, right = tree_layout(parents_left), tree_layout(parents_right)
    tables = new_tables(kept, left, right)
    bounds = tables.bounds
    fill_rows(0, parents_left.size, _STEPS, tables)
    if _is_open(best, total, tolerance, bounds):
        close_rows(tables, 0.1 * tolerance)
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
def recover_partners(tables: Tables) -> Integers:
    """Each left node's partner in a mapping worth at least the lower bound, -1 for none.

    Starting from the most valuable pair W: for the forests below a kept pair, take the best of their stored
    antichain matching, the matching of their children (Zhang 1996), and a single child's forest.
    """
    kept = tables.bounds.kept
    partners = np.full(kept.shape[0], -1, dtype=np.int64)
    pending = np.empty((kept.shape[0] + 1, 2), dtype=np.int64)
    pending[0, 0], pending[0, 1] = _best_pair(0, 0, tables)
    count = 1
    while count > 0:
        count -= 1
        i, j = pending[count, 0], pending[count, 1]
        if kept[i, j] >= 0.0:
            partners[i] = j
        count = _push_forest_pairs(i, j, tables, pending, count)
    return partners


@borrowing
def _best_pair(i: int, j: int, tables: Tables) -> tuple[int, int]:
    """The pair of the largest W in two subtrees."""
    pair_lower = tables.bounds.pair_lower
    best, best_k, best_m = -1.0, i, j
    for k in range(i, i + tables.left.sizes[i]):
        for m in range(j, j + tables.right.sizes[j]):
            if pair_lower[k, m] > best:
                best, best_k, best_m = pair_lower[k, m], k, m
    return best_k, best_m


@borrowing
def _best_child(children: Integers, values: Floats) -> int:
    """The child with the largest value."""
    best = int(children[0])
    for child in children:
        if values[child] > values[best]:
            best = int(child)
    return best


@borrowing
def _push_forest_pairs(i: int, j: int, tables: Tables, pending: Integers, count: int) -> int:
    """Put the top pairs of the best known mapping of the forests below i and j on the stack."""
    left, right, bounds, space = tables.left, tables.right, tables.bounds, tables.children
    while True:
        below_i = left.children[left.first[i] : left.first[i + 1]]
        below_j = right.children[right.first[j] : right.first[j + 1]]
        if below_i.size == 0 or below_j.size == 0:
            return count
        start, picked = bounds.pick_start[i, j], 0.0
        end = start + bounds.pick_size[i, j]
        for position in range(start, end):
            picked += bounds.pair_lower[bounds.pick_left[position], bounds.pick_right[position]]
        best_left = _best_child(below_i, bounds.forest_lower[:, j])
        best_right = _best_child(below_j, bounds.forest_lower[i])
        down_left, down_right = bounds.forest_lower[best_left, j], bounds.forest_lower[i, best_right]
        matched = match_children(below_i, below_j, bounds.tree_lower, space)
        if picked >= max(matched, down_left, down_right):
            for position in range(start, end):
                pending[count, 0], pending[count, 1] = bounds.pick_left[position], bounds.pick_right[position]
                count += 1
            return count
        if matched >= max(down_left, down_right):
            for a in range(below_i.size):
                b = space.partner[a]
                if b >= 0 and bounds.tree_lower[below_i[a], below_j[b]] > 0.0:
                    pending[count, 0], pending[count, 1] = _best_pair(below_i[a], below_j[b], tables)
                    count += 1
            return count
        if down_left >= down_right:
            i = best_left
        else:
            j = best_right
