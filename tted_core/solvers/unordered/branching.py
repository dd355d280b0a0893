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
from tted_core.solvers.kernels.trees import Floats, Integers
from tted_core.solvers.unordered.bounds import (
    Tables,
    bound_forest,
    load_prices,
    offer_pick,
    set_forest,
    set_trees,
)
from tted_core.solvers.unordered.lagrange import Forests, PriceSpace, first_leaf, force_values, relaxed_value

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
    pair: Forests, weights: Floats, columns: _Columns, known: tuple[float, float, int], space: PriceSpace
) -> tuple[float, int]:
    """Search for the best matching that is worth more than a known one.

    Args:
        pair: the forests.
        weights: upper bounds of W.
        columns: candidates.
        known: the worth of the known one, the sum of the leaf prices, and the maximum number of steps.
        space: receives the best pick, if there is a better one.

    Returns:
        (its worth, or that of the known one; the number of steps, one more than the maximum if the search didn't
        end).
    """
    value, total, most = known
    rows, sizes, right_sizes = columns.rest.size - 1, pair.left.sizes[pair.i + 1 :], pair.right.sizes
    node = np.zeros(rows + 1, dtype=np.int64)  # by depth: the left node to decide;
    option = np.zeros(rows + 1, dtype=np.int64)  # its next column; past the last one, the node is left out;
    reduced = np.zeros(rows + 1)  # the sum of the columns taken above,
    height = np.zeros(rows + 1, dtype=np.int64)  # and how many these are
    owner, taken = np.empty(rows + 1, dtype=np.int64), np.empty(rows + 1, dtype=np.int64)  # their nodes
    depth, steps = 0, 0
    while depth >= 0 and steps <= most:
        steps += 1
        k, count = node[depth], height[depth]
        if k == rows:
            value = _better(pair.i + 1, weights, (owner[:count], taken[:count]), value, space)
            depth -= 1
            continue
        end, column, needed = columns.first[k + 1], option[depth], value - total - reduced[depth]
        while (
            column < end
            and columns.reduced[column] + columns.rest[k + sizes[k]] > needed
            and not _is_free(columns.partner[column], taken[:count], right_sizes)
        ):
            column += 1
        if column < end and columns.reduced[column] + columns.rest[k + sizes[k]] > needed:
            option[depth], owner[count], taken[count] = column + 1, k, columns.partner[column]
            gain, below, count = columns.reduced[column], k + sizes[k], count + 1
        elif option[depth] <= end and columns.rest[k + 1] > needed:
            option[depth] = end + 1
            gain, below = 0.0, k + 1
        else:
            depth -= 1
            continue
        depth += 1
        node[depth], reduced[depth] = below, reduced[depth - 1] + gain
        option[depth], height[depth] = columns.first[below], count
    return value, steps


@borrowing
def _is_free(partner: int, taken: Integers, sizes: Integers) -> bool:
    """Return True if a right node is on no root path with those taken."""
    for other in taken:  # noqa: SIM110 - numba compiles no all()
        if other < partner + sizes[partner] and partner < other + sizes[other]:
            return False
    return True


@borrowing
def _better(
    first: int, weights: Floats, found: tuple[Integers, Integers], value: float, space: PriceSpace
) -> float:
    """The worth of a matching, which becomes the best pick if it is worth more; ``first`` is left node 0."""
    owner, taken = found
    worth = 0.0
    for index in range(owner.size):
        worth += weights[first + owner[index], taken[index]]
    if worth <= value:
        return value
    for index in range(owner.size):
        space.best_left[index], space.best_right[index] = first + owner[index], taken[index]
    space.best_count[0] = owner.size
    return worth


@compile_kernel
def _close_forest(pair: Forests, tables: Tables, tolerance: float, steps_left: Integers) -> None:
    """Bound F(i, j) by a search: exactly, if smaller pairs are exact and it ends."""
    i, j, bounds, space = pair.i, pair.j, tables.bounds, tables.prices
    load_prices(pair, bounds, space)
    upper = min(bounds.forest_upper[i, j], relaxed_value(pair, bounds.pair_upper, space))
    known, most = bounds.forest_lower[i, j] + 0.5 * tolerance, min(MOST_STEPS, steps_left[0])
    total = space.leaf_price[: first_leaf(pair)[1]].sum()
    columns = _columns(pair, bounds.pair_upper, total, known, space)
    space.best_count[0] = 0
    value, steps = _search(pair, bounds.pair_upper, columns, (known, total, most), space)
    steps_left[0] -= steps
    if steps <= most:
        upper = min(upper, value)
    set_forest(i, j, bounds.forest_lower[i, j], upper, bounds)
    offer_pick(i, j, bounds, space)


@compile_kernel
def close_rows(tables: Tables, tolerance: float, steps_left: Integers) -> None:
    """Close all pairs, bottom-up, after :func:`.bounds.fill_rows`.

    Args:
        tables: filled.
        tolerance: closer bounds are equal.
        steps_left: (1,) of all searches; counted down.
    """
    left, right, bounds = tables.left, tables.right, tables.bounds
    for i in range(left.sizes.size - 1, -1, -1):
        wide_left = left.first[i + 1] - left.first[i]
        for j in range(right.sizes.size - 1, -1, -1):
            wide_right = right.first[j + 1] - right.first[j]
            if wide_left == 0 or wide_right == 0:  # nothing below it, so nothing to close
                continue
            pair = Forests(i, j, left, right)
            bound_forest(pair, 1, tables)
            is_open = bounds.forest_upper[i, j] - bounds.forest_lower[i, j] > tolerance
            if wide_left > 1 and wide_right > 1 and is_open and steps_left[0] > 0:
                _close_forest(pair, tables, tolerance, steps_left)
            set_trees(pair, bounds)
