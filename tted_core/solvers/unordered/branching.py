"""Branch and bound in compiled code, which closes the remaining gaps of many small maps.

Bottom-up, each pair of forests (i, j) whose bounds differ is searched for the antichain matching with the largest
total of *upper* bounds of W. Most smaller pairs are closed by then, so that upper bounds are values.

For prices p (see :mod:`.lagrange`) a matching S is worth  sum over S of (W(k, m) - price(m))  plus at most the
sum of p. Left nodes are decided in preorder: a node takes a partner and its subtree is done, or it takes none.
With R(k) the best antichain of k and all nodes after it, R(k) = max( worth(k) + R(k + size(k)), R(k + 1) ), the
decided part plus R(k) plus the sum of p bounds every continuation, in one addition. Columns that can't be in a
better matching (reduced-cost fixing) are left out from the start.
"""

from typing import NamedTuple

import numpy as np

from tted_core.solvers.kernels.compiling import borrowing, compile_kernel
from tted_core.solvers.kernels.restricted import best_forest, match_children
from tted_core.solvers.kernels.trees import Floats, Integers
from tted_core.solvers.unordered.bounds import (
    Bounds,
    Picks,
    Tables,
    load_prices,
    set_forest,
    set_trees,
    single_child_upper,
    split_upper,
)
from tted_core.solvers.unordered.lagrange import Forests, PriceSpace, force_values, relaxed_value

MOST_STEPS = 100_000
"""Maximum steps of a search, with ten times as many for two maps; open pairs are left to linear programs."""


class _Columns(NamedTuple):
    """Pairs that may be in a better matching, grouped by left node, the most promising first."""

    first: Integers  # (rows + 1,) start of each left node's columns
    partner: Integers  # the right node
    reduced: Floats  # W less the partner's price
    rest: Floats  # (rows + 1,): R


@compile_kernel
def _columns(pair: Forests, weights: Floats, total: float, known: float, space: PriceSpace) -> _Columns:
    i, j, left, right = pair
    rows, count = left.sizes[i] - 1, right.sizes[j] - 1
    forced = force_values(pair, weights, total, space)
    first = np.zeros(rows + 1, dtype=np.int64)
    partner = np.empty(rows * count, dtype=np.int64)
    reduced = np.empty(rows * count)
    used = 0
    for k in range(rows):
        first[k] = used
        for m in range(count):
            if forced[k, m] > known:
                worth = weights[i + 1 + k, j + 1 + m] - space.node_price[j + 1 + m]
                slot = used
                while slot > first[k] and reduced[slot - 1] < worth:
                    reduced[slot], partner[slot] = reduced[slot - 1], partner[slot - 1]
                    slot -= 1
                reduced[slot], partner[slot] = worth, j + 1 + m
                used += 1
    first[rows] = used
    rest = np.zeros(rows + 1)
    for k in range(rows - 1, -1, -1):
        rest[k] = rest[k + 1]
        if first[k] < first[k + 1]:
            after = k + left.sizes[i + 1 + k]
            rest[k] = max(rest[k], reduced[first[k]] + rest[after])
    return _Columns(first, partner, reduced, rest)


@compile_kernel
def _search(
    pair: Forests, weights: Floats, columns: _Columns, known: tuple[float, float, int], best: Integers
) -> tuple[float, int]:
    """Search for the best matching that is worth more than a known one.

    Args:
        pair: the forests.
        weights: upper bounds of W.
        columns: candidates.
        known: the worth of the known one, the sum of the leaf prices, and the maximum number of steps.
        best: (rows,) receives each left node's partner, -1 for none, if there is a better one.

    Returns:
        (its worth, or that of the known one; the number of steps, one more than the maximum if the search didn't
        end).
    """
    value, total, most = known
    rows, sizes, right_sizes = columns.rest.size - 1, pair.left.sizes[pair.i + 1 :], pair.right.sizes
    node = np.zeros(rows + 1, dtype=np.int64)  # by depth: the left node to decide;
    option = np.zeros(rows + 1, dtype=np.int64)  # its next column; past the last one, the node is left out;
    taken = np.full(rows + 1, -1, dtype=np.int64)  # its partner, -1 for none;
    reduced = np.zeros(rows + 1)  # and the sum of those taken above
    depth, steps = 0, 0
    while depth >= 0 and steps <= most:
        steps += 1
        k = node[depth]
        if k == rows:
            value = _better(weights[pair.i + 1 :], (node[:depth], taken[:depth]), value, best)
            depth -= 1
            continue
        end, column, needed = columns.first[k + 1], option[depth], value - total - reduced[depth]
        while column < end and not _is_free(columns.partner[column], taken[:depth], right_sizes):
            column += 1
        if column < end and columns.reduced[column] + columns.rest[k + sizes[k]] > needed:
            option[depth], taken[depth] = column + 1, columns.partner[column]
            gain, below = columns.reduced[column], k + sizes[k]
        elif option[depth] <= end and columns.rest[k + 1] > needed:
            option[depth], taken[depth] = end + 1, -1
            gain, below = 0.0, k + 1
        else:
            depth -= 1
            continue
        depth += 1
        node[depth], reduced[depth] = below, reduced[depth - 1] + gain
        option[depth] = columns.first[below]
    return value, steps


@borrowing
def _is_free(partner: int, taken: Integers, sizes: Integers) -> bool:
    """Return True if a right node is on no root path with those taken; -1 is none."""
    for other in taken:  # noqa: SIM110 - numba compiles no all()
        if 0 <= other < partner + sizes[partner] and partner < other + sizes[other]:
            return False
    return True


@borrowing
def _better(weights: Floats, found: tuple[Integers, Integers], value: float, best: Integers) -> float:
    """The worth of a matching, which replaces the best one if it is worth more."""
    node, taken = found
    worth = 0.0
    for depth in range(node.size):
        if taken[depth] >= 0:
            worth += weights[node[depth], taken[depth]]
    if worth <= value:
        return value
    best[:] = -1
    for depth in range(node.size):
        best[node[depth]] = taken[depth]
    return worth


@compile_kernel
def _close_forest(pair: Forests, tables: Tables, tolerance: float, steps_left: Integers) -> None:
    """Bound F(i, j) again from the tables of smaller pairs: exactly, if those are exact and the search ends."""
    i, j, left, right = pair
    bounds, space = tables.bounds, tables.prices
    below_i = left.children[left.first[i] : left.first[i + 1]]
    below_j = right.children[right.first[j] : right.first[j + 1]]
    lower = max(
        bounds.forest_lower[i, j],
        best_forest(below_i, below_j, i, j, (bounds.forest_lower, bounds.tree_lower)),
        match_children(below_i, below_j, bounds.tree_lower, tables.children),
    )
    upper = min(bounds.forest_upper[i, j], split_upper(pair, bounds))
    if upper - lower > tolerance:
        load_prices(pair, bounds, space)
        upper = min(upper, relaxed_value(pair, bounds.pair_upper, space))
    most = min(MOST_STEPS, steps_left[0])
    if upper - lower > tolerance and most > 0:
        total = space.leaf_price[: right.leaves[j + right.sizes[j]] - right.leaves[j]].sum()
        known = lower + 0.5 * tolerance
        columns = _columns(pair, bounds.pair_upper, total, known, space)
        best = np.full(left.sizes[i] - 1, -1, dtype=np.int64)
        value, steps = _search(pair, bounds.pair_upper, columns, (known, total, most), best)
        steps_left[0] -= steps
        if steps <= most:
            upper = min(upper, value)
        lower = max(lower, _keep_pick(pair, lower, best, bounds, tables.picks))
    set_forest(i, j, lower, upper, bounds)


@borrowing
def _keep_pick(pair: Forests, lower: float, best: Integers, bounds: Bounds, picks: Picks) -> float:
    """A certain lower bound of a matching's worth; it is stored if that is more than ``lower``."""
    worth, count = 0.0, 0
    for k in range(best.size):
        if best[k] >= 0:
            worth += bounds.pair_lower[pair.i + 1 + k, best[k]]
            count += 1
    if worth > lower:
        position = picks.used[0]
        bounds.pick_start[pair.i, pair.j] = position
        picks.left[position] = count
        for k in range(best.size):
            if best[k] >= 0:
                position += 1
                picks.left[position], picks.right[position] = pair.i + 1 + k, best[k]
        picks.used[0] = position + 1
    return worth


@compile_kernel
def close_rows(tables: Tables, tolerance: float, steps_left: Integers) -> None:
    """Close all pairs, bottom-up, after :func:`.bounds.fill_rows`.

    Args:
        tables: with space for one more pick of each pair.
        tolerance: closer bounds are equal.
        steps_left: (1,) of all searches; counted down.
    """
    left, right, bounds = tables.left, tables.right, tables.bounds
    for i in range(left.sizes.size - 1, -1, -1):
        below_i = left.children[left.first[i] : left.first[i + 1]]
        for j in range(right.sizes.size - 1, -1, -1):
            below_j = right.children[right.first[j] : right.first[j + 1]]
            pair = Forests(i, j, left, right)
            if below_i.size > 1 and below_j.size > 1:
                _close_forest(pair, tables, tolerance, steps_left)
            elif below_i.size > 0 and below_j.size > 0:
                lowers = (bounds.forest_lower, bounds.tree_lower)
                lower = max(bounds.forest_lower[i, j], best_forest(below_i, below_j, i, j, lowers))
                upper = min(bounds.forest_upper[i, j], single_child_upper(pair, bounds))
                set_forest(i, j, lower, upper, bounds)
            set_trees(pair, bounds)
