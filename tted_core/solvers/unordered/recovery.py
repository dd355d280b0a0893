"""From the tables of lower bounds back to a mapping that is worth at least as much."""

import numpy as np
from numpy.typing import NDArray

from tted_core.solvers.kernels.restricted import match_children
from tted_core.solvers.unordered.problem import Pick, Problem


def recover_partners(problem: Problem) -> NDArray[np.int64]:
    """Each left node's partner, -1 for none.

    From the most valuable pair W down: the forests below a kept pair take whichever is worth most of their
    stored antichain matching, the matching of their children (Zhang 1996), and a single child's forest.
    """
    bounds = problem.bounds
    partners = np.full(bounds.kept.shape[0], -1, dtype=np.int64)
    pending = [_best_pair(problem, 0, 0)]
    while pending:
        i, j = pending.pop()
        if bounds.kept[i, j] >= 0.0:
            partners[i] = j
        pending.extend(_forest_pairs(problem, i, j))
    return partners


def _best_pair(problem: Problem, i: int, j: int) -> tuple[int, int]:
    """The pair of the largest W in two subtrees."""
    ends = i + problem.left.sizes[i], j + problem.right.sizes[j]
    block = problem.bounds.pair_lower[i : ends[0], j : ends[1]]
    k, m = divmod(int(block.argmax()), block.shape[1])
    return i + k, j + m


def _forest_pairs(problem: Problem, i: int, j: int) -> Pick:
    """The pairs of nodes at the top of the best mapping known of the forests below i and j."""
    bounds = problem.bounds
    while True:
        below_i = problem.left.children[problem.left.first[i] : problem.left.first[i + 1]]
        below_j = problem.right.children[problem.right.first[j] : problem.right.first[j + 1]]
        if not below_i.size or not below_j.size:
            return []
        pick = problem.pick(i, j)
        picked = sum(bounds.pair_lower[k, m] for k, m in pick)
        best_left = int(below_i[bounds.forest_lower[below_i, j].argmax()])
        best_right = int(below_j[bounds.forest_lower[i, below_j].argmax()])
        down_left, down_right = bounds.forest_lower[best_left, j], bounds.forest_lower[i, best_right]
        matched = match_children(below_i, below_j, bounds.tree_lower, problem.child_space)
        if picked >= max(matched, down_left, down_right):
            return pick
        if matched >= max(down_left, down_right):
            return [_best_pair(problem, k, m) for k, m in _matched(problem, below_i, below_j)]
        if down_left >= down_right:
            i = best_left
        else:
            j = best_right


def _matched(problem: Problem, below_i: NDArray[np.int64], below_j: NDArray[np.int64]) -> Pick:
    """The pairs of children that the scratch arrays hold, but for worthless ones."""
    longer = max(below_i.size, below_j.size)
    pairs = [
        (int(below_i[shorter]), int(below_j[position]))
        if below_i.size <= below_j.size
        else (int(below_i[position]), int(below_j[shorter]))
        for position, shorter in enumerate(problem.child_space.partner[:longer].tolist())
        if shorter >= 0
    ]
    return [(k, m) for k, m in pairs if problem.bounds.tree_lower[k, m] > 0.0]
