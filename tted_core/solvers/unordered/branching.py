"""Branch and bound in compiled code, which closes the remaining gaps of many small maps.

Bottom-up, each pair of forests (i, j) whose bounds differ is searched for the antichain matching with the largest
total of *upper* bounds of W. Most smaller pairs are closed by then, so that upper bounds are values.

For prices p (see :mod:`.lagrange`) a matching S is worth  sum over S of (W(k, m) - price(m))  plus at most the
sum of p. Left nodes are decided in preorder: a node takes a partner and its subtree is done, or it takes none.
With R(k) the best antichain of k and all nodes after it, R(k) = max( worth(k) + R(k + size(k)), R(k + 1) ), the
decided part plus R(k) plus the sum of p bounds every continuation, in one addition. Columns that can't be in a
better matching (reduced-cost fixing) are left out from the start.

What can still be taken depends only on the next left node and on the right leaves in use. Two ways to the same
state differ by what they have taken, and only the better one is followed (dominance; with few leaves this is a
dynamic program over their subsets). The states met are remembered in a table that forgets those it has no room
for. With 384-dimensional random vectors this takes a third of the steps, and 100 steps for better prices before a
long search nearly halve the rest.
"""

from typing import NamedTuple

import numpy as np

from tted_core.solvers.kernels.compiling import Floats, Integers, compile_kernel
from tted_core.solvers.unordered.bounds import (
    Tables,
    bound_forest,
    load_prices,
    offer_pick,
    set_forest,
    set_trees,
)
from tted_core.solvers.unordered.lagrange import Forests, PriceSpace, first_leaf, force_values, relaxed_value

# Maximum steps for two maps, 0.2 seconds; what is open then is left to linear programs, which may take seconds.
_MOST_STEPS = 4_000_000

# Steps for prices and of a search: few first, which is enough for most pairs of forests.
_EFFORTS = (1, 300), (100, _MOST_STEPS)

# Maximum kinds of leaves, so that a state is one number; pairs of forests with more are left open.
_MOST_BITS = 45

_SLOTS_PER_COLUMN = 128  # of the table of states


class _Columns(NamedTuple):
    """Pairs that may be in a better matching, grouped by left node, the most promising first."""

    first: Integers  # (rows + 1,) start of each left node's columns
    partner: Integers  # the right node
    reduced: Floats  # W less the partner's price
    rest: Floats  # (rows + 1,): R
    leaves: Integers  # the leaves below the partner, as bits
    later: Integers  # (rows + 1,) those below the partners of all columns from a row on


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
    leaves = _leaves_as_bits(pair, partner[:used])
    rest, later = np.zeros(rows + 1), np.zeros(rows + 1, dtype=np.int64)
    for k in range(rows - 1, -1, -1):
        rest[k], later[k] = rest[k + 1], later[k + 1]
        if first[k] < first[k + 1]:
            after = k + left.sizes[i + 1 + k]
            rest[k] = max(rest[k], reduced[first[k]] + rest[after])
        for column in range(first[k], first[k + 1]):
            later[k] |= leaves[column]
    return _Columns(first, partner, reduced, rest, leaves, later)


@compile_kernel
def _leaves_as_bits(pair: Forests, partners: Integers) -> Integers:
    """The leaves below each right node, as bits of a number: two nodes are on a root path if they share a bit.

    Leaves that no node separates share a bit. Empty if that takes more than ``_MOST_BITS``.
    """
    leaves, sizes = pair.right.leaves, pair.right.sizes
    start, count = first_leaf(pair)
    bits = np.zeros(count + 1, dtype=np.int64)
    for node in partners:
        bits[leaves[node] - start] = 1
        bits[leaves[node + sizes[node]] - start] = 1
    bits = np.cumsum(bits)
    if bits[count] > _MOST_BITS:
        return np.empty(0, dtype=np.int64)
    found = np.empty(partners.size, dtype=np.int64)
    for column in range(partners.size):
        node = partners[column]
        found[column] = (1 << bits[leaves[node + sizes[node]] - start]) - (1 << bits[leaves[node] - start])
    return found


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
    first, partner, reduced, rest, leaves, later = columns
    rows, sizes = rest.size - 1, pair.left.sizes[pair.i + 1 :]
    node = np.zeros(rows + 1, dtype=np.int64)  # by number of pairs taken: the left node to decide,
    option = np.zeros(rows + 1, dtype=np.int64)  # its next column,
    used = np.zeros(rows + 1, dtype=np.int64)  # the leaves below the right nodes taken,
    gained, worth = np.zeros(rows + 1), np.zeros(rows + 1)  # the pairs' reduced worth and their worth
    owner, taken = np.empty(rows + 1, dtype=np.int64), np.empty(rows + 1, dtype=np.int64)
    slots = max(1, min(_SLOTS_PER_COLUMN * leaves.size, 4 * most))
    states, most_worth = np.full(slots, -1, dtype=np.int64), np.empty(slots)
    count, steps = 0, 0
    while count >= 0 and steps <= most:
        k, column = node[count], option[count]
        needed = value - total - gained[count]
        if k == rows or rest[k] <= needed:
            count -= 1
            continue
        below, end = k + sizes[k], first[k + 1]
        needed -= rest[below]
        while column < end and reduced[column] > needed and leaves[column] & used[count] != 0:
            column += 1
        if column == end or reduced[column] <= needed:
            node[count], option[count] = k + 1, end
            continue
        steps += 1
        option[count], owner[count], taken[count] = column + 1, pair.i + 1 + k, partner[column]
        now_used = used[count] | leaves[column]
        now_worth = worth[count] + weights[owner[count], taken[count]]
        state = (now_used & later[below]) * rows + below
        slot = state % slots
        if states[slot] == state and most_worth[slot] >= now_worth:
            continue
        states[slot], most_worth[slot] = state, now_worth
        count += 1
        node[count], option[count], used[count] = below, first[below], now_used
        gained[count], worth[count] = gained[count - 1] + reduced[column], now_worth
        if now_worth > value:
            value = now_worth
            space.best_left[:count], space.best_right[:count] = owner[:count], taken[:count]
            space.best_count[0] = count
    return value, steps


@compile_kernel
def _close_forest(pair: Forests, tables: Tables, tolerance: float, most: int) -> int:
    """Bound F(i, j) by a search: exactly, if smaller pairs are exact and it ends; returns its steps."""
    i, j, bounds, space = pair.i, pair.j, tables.bounds, tables.prices
    load_prices(pair, bounds, space)
    upper = min(bounds.forest_upper[i, j], relaxed_value(pair, bounds.pair_upper, space))
    known = bounds.forest_lower[i, j] + 0.5 * tolerance
    total = space.leaf_price[: first_leaf(pair)[1]].sum()
    columns = _columns(pair, bounds.pair_upper, total, known, space)
    if columns.leaves.size < columns.first[-1]:
        return 0
    space.best_count[0] = 0
    value, steps = _search(pair, bounds.pair_upper, columns, (known, total, most), space)
    if steps <= most:
        upper = min(upper, value)
    set_forest(i, j, bounds.forest_lower[i, j], upper, bounds)
    offer_pick(i, j, bounds, space)
    return steps


@compile_kernel
def close_rows(tables: Tables, tolerance: float) -> None:
    """Close all pairs, bottom-up, after :func:`.bounds.fill_rows`; ``tolerance`` is the gap of a closed one."""
    left, right, bounds = tables.left, tables.right, tables.bounds
    steps_left = _MOST_STEPS
    for i in range(left.sizes.size - 1, -1, -1):
        wide_left = left.first[i + 1] - left.first[i]
        for j in range(right.sizes.size - 1, -1, -1):
            wide_right = right.first[j + 1] - right.first[j]
            if wide_left == 0 or wide_right == 0:  # nothing below it, so nothing to close
                continue
            pair = Forests(i, j, left, right)
            for price_steps, most in _EFFORTS:
                if bounds.forest_upper[i, j] - bounds.forest_lower[i, j] <= tolerance:
                    break
                bound_forest(pair, price_steps, tables)
                if wide_left > 1 and wide_right > 1:
                    steps_left -= _close_forest(pair, tables, tolerance, min(most, steps_left))
            set_trees(pair, bounds)
