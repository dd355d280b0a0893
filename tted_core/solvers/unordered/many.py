"""The unordered distance of many pairs in one compiled call: what bounds and a short search can prove.

A third of the pairs of 25 nodes are proven by the best one-to-one mapping of their nodes, whatever the trees: it
costs no more than any other; half of them by the bounds of :mod:`.bounds` after few steps, and all of the others
but one in a hundred by the search of :mod:`.branching`. For what is left the call says so, and it goes to
:func:`tted_core.solvers.unordered.solve_unordered`, one pair after another.
"""

import numpy as np

from tted_core.solvers.kernels.assignment import match_rows
from tted_core.solvers.kernels.compiling import compiled
from tted_core.solvers.kernels.many import (
    EditProblems,
    Mappings,
    new_mappings,
    pair_of,
    partners_cost,
    store,
    take_apart,
)
from tted_core.solvers.kernels.restricted import constrained_partners, kept_gains, new_child_space
from tted_core.solvers.kernels.trees import Booleans, Floats, Integers, Layout, tree_layout
from tted_core.solvers.unordered.bounds import CLOSED, Bounds, Picks, fill_rows, new_bounds
from tted_core.solvers.unordered.branching import MOST_STEPS, Closing, close_rows
from tted_core.solvers.unordered.lagrange import new_price_space
from tted_core.solvers.unordered.recovery import Filled, recover_partners

STEPS = 40, 300
"""Of the search for prices: few first, which the search for mappings makes good mostly; then as many as pay."""


CELLS = 40_000
"""Pairs of nodes, 200 by 200: of larger ones, the exact solver alone can be stopped."""


def solve_pairs_unordered(problems: EditProblems) -> tuple[Mappings, Booleans]:
    """Solve every pair as far as the bounds go, and none that is large.

    Returns:
        The best mappings found and, (p,), whether each is proven optimal.
    """
    found = new_mappings(problems)
    proven = np.zeros(len(found.distances), dtype=np.bool_)
    _solve(problems, found, proven)
    return found, proven


@compiled
def _solve(problems: EditProblems, found: Mappings, proven: Booleans) -> None:
    for pair in range(problems.starts.size - 1):
        left, right, costs = pair_of(problems, pair)
        if costs.size <= CELLS:
            partners, proven[pair] = _unordered_partners(left, right, costs)
            store(pair, costs, partners, found)


@compiled
def _unordered_partners(
    parents_left: Integers, parents_right: Integers, costs: Floats
) -> tuple[Integers, bool]:
    """The best mapping found, the constrained one if none is better, and whether it is proven."""
    _, start = constrained_partners(parents_left, parents_right, costs)
    take_apart(costs, start)
    kept, total = kept_gains(costs)
    best, tolerance = partners_cost(costs, start), CLOSED * total
    if best - (total - matched_gains(kept)) <= tolerance:
        return start, True
    layouts = tree_layout(parents_left), tree_layout(parents_right)
    bounds = new_bounds(kept, layouts[1])
    room = 2 * _room_for_picks(layouts[0], layouts[1])  # of filling and of closing
    picks = Picks(np.zeros(room, dtype=np.int32), np.zeros(room, dtype=np.int32), np.zeros(1, dtype=np.int64))
    children = new_child_space(layouts[0], layouts[1])
    space = new_price_space(max(kept.shape[0], kept.shape[1]))
    steps_left = np.array([10 * MOST_STEPS])
    closing = Closing(0.1 * tolerance, steps_left, picks, space, children)
    for steps in STEPS:
        picks.used[0] = 0
        bounds.pick_start[:] = -1
        fill_rows((0, parents_left.size), layouts, steps, bounds, (picks, space, children))
        if _is_open(best, total, tolerance, bounds):
            close_rows(layouts, bounds, closing)
        if not _is_open(best, total, tolerance, bounds):
            break
    partners = recover_partners(Filled(layouts[0], layouts[1], bounds, picks, children))
    take_apart(costs, partners)
    if best <= partners_cost(costs, partners):
        partners = start
    lower = total - bounds.pair_upper.max()
    return partners, partners_cost(costs, partners) - lower <= tolerance


@compiled
def _is_open(best: float, total: float, tolerance: float, bounds: Bounds) -> bool:
    """Whether a better mapping than all known may be left."""
    known = min(best, total - bounds.pair_lower.max())
    return bool(known - (total - bounds.pair_upper.max()) > tolerance)


@compiled
def matched_gains(kept: Floats) -> float:
    """The most that any one-to-one mapping keeps, whatever the trees: of one mapping in three a proof."""
    rows, columns = min(kept.shape), max(kept.shape)
    gains = np.empty((columns, columns))
    for i in range(kept.shape[0]):
        for j in range(kept.shape[1]):
            if kept.shape[0] <= kept.shape[1]:
                gains[i, j] = max(0.0, kept[i, j])
            else:
                gains[j, i] = max(0.0, kept[i, j])
    return match_rows(gains, rows, columns, np.empty(columns, dtype=np.int64))


@compiled
def _room_for_picks(left: Layout, right: Layout) -> int:
    """One pick for each pair of branching nodes: a count and as many pairs as the narrower forest has leaves."""
    room = 0
    for i in range(left.sizes.size):
        if left.first[i + 1] - left.first[i] > 1:
            wide = left.leaves[i + left.sizes[i]] - left.leaves[i]
            for j in range(right.sizes.size):
                if right.first[j + 1] - right.first[j] > 1:
                    room += 1 + min(wide, right.leaves[j + right.sizes[j]] - right.leaves[j])
    return room
