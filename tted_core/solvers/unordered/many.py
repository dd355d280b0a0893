"""The unordered distance of many pairs in one compiled call: what the bounds alone can prove.

Nineteen in twenty pairs of 25 nodes are proven by the bounds of :mod:`.bounds` and never see a linear program.
They are solved here without Python; for the others the call says so, and they go to
:func:`tted_core.solvers.unordered.solve_unordered` one by one.
"""

import numpy as np

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
from tted_core.solvers.unordered.bounds import CLOSED, Picks, fill_rows, new_bounds
from tted_core.solvers.unordered.lagrange import new_price_space
from tted_core.solvers.unordered.recovery import Filled, recover_partners

STEPS = 300


def solve_pairs_unordered(problems: EditProblems) -> tuple[Mappings, Booleans]:
    """Solve every pair as far as the bounds go.

    Returns:
        The best mappings found and, (p,), whether each is proven optimal.
    """
    found = new_mappings(problems)
    proven = np.zeros(len(problems.pairs), dtype=np.bool_)
    _solve(problems, found, proven)
    return found, proven


@compiled
def _solve(problems: EditProblems, found: Mappings, proven: Booleans) -> None:
    for pair in range(problems.pairs.shape[0]):
        left, right, costs = pair_of(problems, pair)
        partners, proven[pair] = _unordered_partners(left, right, costs)
        store(pair, costs, partners, found)


@compiled
def _unordered_partners(
    parents_left: Integers, parents_right: Integers, costs: Floats
) -> tuple[Integers, bool]:
    """The better of the constrained mapping and the one that the bounds give, and whether it is proven."""
    _, start = constrained_partners(parents_left, parents_right, costs)
    take_apart(costs, start)
    layouts = tree_layout(parents_left), tree_layout(parents_right)
    kept, total = kept_gains(costs)
    bounds = new_bounds(kept, layouts[1])
    room = _room_for_picks(layouts[0], layouts[1])
    picks = Picks(np.zeros(room, dtype=np.int32), np.zeros(room, dtype=np.int32), np.zeros(1, dtype=np.int64))
    children = new_child_space(layouts[0], layouts[1])
    scratch = (picks, new_price_space(max(kept.shape[0], kept.shape[1])), children)
    fill_rows((0, parents_left.size), layouts, STEPS, bounds, scratch)
    partners = recover_partners(Filled(layouts[0], layouts[1], bounds, picks, children))
    take_apart(costs, partners)
    if partners_cost(costs, start) <= partners_cost(costs, partners):
        partners = start
    lower = total - bounds.pair_upper.max()
    return partners, partners_cost(costs, partners) - lower <= CLOSED * total


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
