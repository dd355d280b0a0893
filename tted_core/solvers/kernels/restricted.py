"""Zhang's constrained unordered tree edit distance (Zhang 1996), with its mapping, in gain form.

Keeping the pair (i, j) is worth g(i, j) = delete(i) + insert(j) - replace(i, j); the distance is the sum of
all deletes and inserts less the best total gain. For the subtrees T and the forests F below two nodes,

    F(i, j) = max( max_k F(k, j),  max_l F(i, l),  best matching of the children by T(k, l) ),
    T(i, j) = max( g(i, j) + F(i, j),  max_k T(k, j),  max_l T(i, l) ),

k and l running over the children of i and j; F is 0 if either forest is empty, and T of a leaf may also be 0
(nothing kept). This is what edist.uted computes, cost for gain: deleting i *and* inserting j while something
below both is kept is not an option there (with costs that obey the triangle inequality it never pays).
"""

from typing import NamedTuple

import numpy as np

from tted_core.solvers.kernels.assignment import MatchingSpace, new_matching_space, solve_assignment
from tted_core.solvers.kernels.compiling import Floats, Integers, borrowing, compile_kernel
from tted_core.solvers.kernels.trees import Layout, tree_layout, widest


class Gains(NamedTuple):
    """The tables of the recurrence, (n, m) each."""

    kept: Floats  # g
    forests: Floats  # F
    trees: Floats  # T


@compile_kernel
def new_child_space(left: Layout, right: Layout) -> MatchingSpace:
    """Allocate the workspace for matching the children of any two nodes, by their positions."""
    return new_matching_space(max(widest(left), widest(right)))


@borrowing
def match_children(below_left: Integers, below_right: Integers, trees: Floats, space: MatchingSpace) -> float:
    """Best total gain of matching two lists of subtrees one to one; their ``trees`` must be >= 0."""
    for a in range(below_left.size):
        for b in range(below_right.size):
            space.weights[a, b] = trees[below_left[a], below_right[b]]
    return solve_assignment(below_left.size, below_right.size, space)


@borrowing
def best_forest(
    below_left: Integers, below_right: Integers, i: int, j: int, tables: tuple[Floats, Floats]
) -> float:
    """The largest of F(k, j) and F(i, l), and of T(k, l) if one list has a single member."""
    forests, trees = tables
    best = 0.0
    for k in below_left:
        best = max(best, forests[k, j])
    for m in below_right:
        best = max(best, forests[i, m])
    if below_left.size == 1 or below_right.size == 1:
        for k in below_left:
            for m in below_right:
                best = max(best, trees[k, m])
    return best


@compile_kernel
def fill_gains(kept: Floats, left: Layout, right: Layout, space: MatchingSpace) -> tuple[Gains, float]:
    """Fill the tables bottom-up (children have larger preorder numbers).

    Also returns the value of the last matching, which, if both roots have several children, is theirs and is still
    in ``space``.
    """
    gains = Gains(kept, np.zeros(kept.shape), np.empty(kept.shape))
    return gains, _fill(gains, left, right, space)


@borrowing
def _fill(gains: Gains, left: Layout, right: Layout, space: MatchingSpace) -> float:
    kept, forests, trees = gains
    size_left, size_right = kept.shape
    matched = 0.0
    for i in range(size_left - 1, -1, -1):
        below_i = left.children[left.first[i] : left.first[i + 1]]
        for j in range(size_right - 1, -1, -1):
            below_j = right.children[right.first[j] : right.first[j + 1]]
            tree = kept[i, j]
            if below_i.size == 0 or below_j.size == 0:
                tree = max(tree, 0.0)
            else:
                forest = best_forest(below_i, below_j, i, j, (forests, trees))
                if below_i.size > 1 and below_j.size > 1:
                    matched = match_children(below_i, below_j, trees, space)
                    forest = max(forest, matched)
                forests[i, j] = forest
                tree += forest
            for k in below_i:
                tree = max(tree, trees[k, j])
            for m in below_j:
                tree = max(tree, trees[i, m])
            trees[i, j] = tree
    return matched


@borrowing
def _descend(i: int, j: int, below_left: Integers, below_right: Integers, table: Floats) -> tuple[int, int]:
    """The child pair (k, j) or (i, m) that has the value of (i, j) in a table; (-1, -1) if none has."""
    for k in below_left:
        if table[k, j] == table[i, j]:
            return k, j
    for m in below_right:
        if table[i, m] == table[i, j]:
            return i, m
    return -1, -1


@borrowing
def _find(value: float, rows: Integers, columns: Integers, table: Floats) -> tuple[int, int]:
    """A cell of the subtable with the value ``value``; (-1, -1) if there is none."""
    for row in rows:
        for column in columns:
            if table[row, column] == value:
                return row, column
    return -1, -1


@borrowing
def _push_matched(
    below_left: Integers, below_right: Integers, partner: Integers, pending: Integers, count: int
) -> int:
    """Put the matched children on the stack; returns its new height."""
    for a in range(below_left.size):
        if partner[a] >= 0:
            pending[count, 0], pending[count, 1], pending[count, 2] = (
                below_left[a],
                below_right[partner[a]],
                1,
            )
            count += 1
    return count


@compile_kernel
def _trace(gains: Gains, matched: float, left: Layout, right: Layout, space: MatchingSpace) -> Integers:
    """Walk down from the roots; returns each left node's partner. Among equal options a kept pair comes first.

    ``matched`` and ``space`` still contain the roots' matching, which isn't computed again.
    """
    kept, forests, trees = gains
    size_left, size_right = kept.shape
    partner = np.full(size_left, -1, dtype=np.int64)
    pending = np.zeros((min(size_left, size_right) + 1, 3), dtype=np.int64)
    pending[0, 2] = 1
    count = 1
    while count > 0:
        count -= 1
        i, j, whole = pending[count, 0], pending[count, 1], pending[count, 2]
        below_i = left.children[left.first[i] : left.first[i + 1]]
        below_j = right.children[right.first[j] : right.first[j + 1]]
        if whole == 1 and trees[i, j] == kept[i, j] + forests[i, j]:
            partner[i] = j
            whole = 0
        k, m = -1, -1
        if whole == 1:
            k, m = _descend(i, j, below_i, below_j, trees)
        elif below_i.size > 1 and below_j.size > 1:
            if i > 0 or j > 0:
                matched = match_children(below_i, below_j, trees, space)
            if matched == forests[i, j]:
                count = _push_matched(below_i, below_j, space.partner, pending, count)
            else:
                k, m = _descend(i, j, below_i, below_j, forests)
        elif below_i.size > 0 and below_j.size > 0:
            k, m = _find(forests[i, j], below_i, below_j, trees)
            if k >= 0:
                whole = 1
            else:
                k, m = _descend(i, j, below_i, below_j, forests)
        if k >= 0:
            pending[count, 0], pending[count, 1], pending[count, 2] = k, m, whole
            count += 1
    return partner


@compile_kernel
def keep_gains(costs: Floats) -> tuple[Floats, float]:
    """g(i, j) for all pairs (n, m), and the sum of all deletes and inserts."""
    size_left, size_right = costs.shape[0] - 1, costs.shape[1] - 1
    kept = np.empty((size_left, size_right))
    total = 0.0
    for j in range(size_right):
        total += costs[size_left, j]
    for i in range(size_left):
        total += costs[i, size_right]
        for j in range(size_right):
            kept[i, j] = costs[i, size_right] + costs[size_left, j] - costs[i, j]
    return kept, total


@compile_kernel
def pair_constrained(
    parents_left: Integers, parents_right: Integers, costs: Floats
) -> tuple[float, Integers]:
    """The constrained distance and each left node's partner (preorder, -1 for none). O(n m) memory."""
    left, right = tree_layout(parents_left), tree_layout(parents_right)
    space = new_child_space(left, right)
    kept, total = keep_gains(costs)
    gains, matched = fill_gains(kept, left, right, space)
    return total - gains.trees[0, 0], _trace(gains, matched, left, right, space)
