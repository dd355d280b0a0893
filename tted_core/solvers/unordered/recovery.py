"""Recovery of a mapping, worth at least the lower bound, from the tables."""

import numpy as np

from tted_core.solvers.kernels.compiling import compile_kernel
from tted_core.solvers.kernels.restricted import match_children
from tted_core.solvers.kernels.trees import Integers
from tted_core.solvers.unordered.bounds import Bounds, Picks, Tables


@compile_kernel
def recover_partners(tables: Tables) -> Integers:
    """Each left node's partner, -1 for none.

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


@compile_kernel
def _best_pair(i: int, j: int, tables: Tables) -> tuple[int, int]:
    """The pair of the largest W in two subtrees."""
    pair_lower = tables.bounds.pair_lower
    best, best_k, best_m = -1.0, i, j
    for k in range(i, i + tables.left.sizes[i]):
        for m in range(j, j + tables.right.sizes[j]):
            if pair_lower[k, m] > best:
                best, best_k, best_m = pair_lower[k, m], k, m
    return best_k, best_m


@compile_kernel
def _push_forest_pairs(i: int, j: int, tables: Tables, pending: Integers, count: int) -> int:
    """Put the top pairs of the best known mapping of the forests below i and j on the stack."""
    left, right, bounds, picks, _, space = tables
    while True:
        below_i = left.children[left.first[i] : left.first[i + 1]]
        below_j = right.children[right.first[j] : right.first[j + 1]]
        if below_i.size == 0 or below_j.size == 0:
            return count
        start, end, picked = _pick(i, j, bounds, picks)
        best_left = below_i[np.argmax(bounds.forest_lower[below_i, j])]
        best_right = below_j[np.argmax(bounds.forest_lower[i, below_j])]
        down_left, down_right = bounds.forest_lower[best_left, j], bounds.forest_lower[i, best_right]
        matched = match_children(below_i, below_j, bounds.tree_lower, space)
        if picked >= max(matched, down_left, down_right):
            for position in range(start, end):
                pending[count, 0], pending[count, 1] = picks.left[position], picks.right[position]
                count += 1
            return count
        if matched >= max(down_left, down_right):
            return _push_matched(below_i, below_j, tables, pending, count)
        if down_left >= down_right:
            i = best_left
        else:
            j = best_right


@compile_kernel
def _pick(i: int, j: int, bounds: Bounds, picks: Picks) -> tuple[int, int, float]:
    """Start, end and worth of the antichain matching stored for F(i, j)."""
    start, end = bounds.pick_start[i, j] + 1, 0
    worth = 0.0
    if start > 0:
        end = start + picks.left[start - 1]
        for position in range(start, end):
            worth += bounds.pair_lower[picks.left[position], picks.right[position]]
    return start, end, worth


@compile_kernel
def _push_matched(below_i: Integers, below_j: Integers, tables: Tables, pending: Integers, count: int) -> int:
    """Put the best pairs below the matched children on the stack, except worthless ones."""
    left_is_shorter = below_i.size <= below_j.size
    for position in range(max(below_i.size, below_j.size)):
        shorter = tables.children.partner[position]
        if shorter < 0:
            continue
        k = below_i[shorter] if left_is_shorter else below_i[position]
        m = below_j[position] if left_is_shorter else below_j[shorter]
        if tables.bounds.tree_lower[k, m] > 0.0:
            pending[count, 0], pending[count, 1] = _best_pair(k, m, tables)
            count += 1
    return count
