"""Bounds for all pairs of subtrees, bottom-up.

In gain form (see :mod:`tted_core.solvers.kernels.restricted`) the unordered distance is the sum of all
deletes and inserts less the largest W, where, over the nodes i and j,

    W(i, j) = F(i, j) + max(0, g(i, j)),
    F(i, j) = best antichain matching of the forests below i and j by W

(Hong, Kobayashi and Yamamoto 2017: the topmost kept pairs of any Tai mapping of two forests form such a
matching, and pairs below one of them are kept below it). If i has a single child k, then F(i, j) = max( F(k, j),
max_m W(k, m) ) with m below j, and symmetrically. Otherwise F, the hard step, is bounded:

* from below by Zhang's constrained recursion (1996) on lower bounds, and by Lagrangian repair;
* from above by Lagrangian relaxation on upper bounds of W.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tted_core.solvers.kernels.compiling import borrowing, compile_kernel
from tted_core.solvers.kernels.restricted import ChildSpace, best_forest, match_children, new_child_space
from tted_core.solvers.kernels.trees import Floats, Integers, Layout
from tted_core.solvers.unordered.lagrange import (
    Forests,
    PriceSpace,
    first_leaf,
    keep_prices,
    new_price_space,
    tighten,
)

CLOSED = 1e-10  # bounds closer than this, relative to the total of all costs, count as equal


class Bounds(NamedTuple):
    """Tables over all pairs, (n, m) each."""

    kept: Floats  # g
    forest_lower: Floats  # F
    forest_upper: Floats
    pair_lower: Floats  # W
    pair_upper: Floats
    tree_lower: Floats  # the largest W of any pair in the two subtrees
    tree_upper: Floats
    prices: NDArray[np.float32]  # (n, p): best leaf prices found for (i, j), from price_start[j] on
    price_start: Integers  # (m + 1,)
    pick_start: Integers  # start in Picks of the pick that gives forest_lower, -1 if there is none


class Picks(NamedTuple):
    """Concatenated antichain matchings that gave a lower bound: a count, then that many pairs."""

    left: NDArray[np.int32]
    right: NDArray[np.int32]
    used: Integers  # (1,)


class Tables(NamedTuple):
    """Two trees, the bounds of all their pairs, and the workspace to improve them."""

    left: Layout
    right: Layout
    bounds: Bounds
    picks: Picks
    prices: PriceSpace
    children: ChildSpace


@compile_kernel
def new_picks(size: int) -> Picks:
    """Allocate space for picks with ``size`` counts and pairs in all."""
    return Picks(np.zeros(size, dtype=np.int32), np.zeros(size, dtype=np.int32), np.zeros(1, dtype=np.int64))


@compile_kernel
def size_of_picks(left: Layout, right: Layout, start: int, end: int) -> int:
    """Space for a pick per pair of branching nodes, the left ones being ``start .. end - 1``.

    A pick is a count, and a pair for each leaf of the narrower forest.
    """
    size = 0
    for i in range(start, end):
        if left.first[i + 1] - left.first[i] > 1:
            wide = left.leaves[i + left.sizes[i]] - left.leaves[i]
            for j in range(right.sizes.size):
                if right.first[j + 1] - right.first[j] > 1:
                    size += 1 + min(wide, right.leaves[j + right.sizes[j]] - right.leaves[j])
    return size


@compile_kernel
def new_tables(kept: Floats, left: Layout, right: Layout, size_of_picks: int) -> Tables:
    """Allocate empty tables."""
    shape = kept.shape
    price_start = np.zeros(shape[1] + 1, dtype=np.int64)
    for j in range(shape[1]):
        price_start[j + 1] = price_start[j] + right.leaves[j + right.sizes[j]] - right.leaves[j]
    bounds = Bounds(
        kept,
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros((shape[0], price_start[-1]), dtype=np.float32),
        price_start,
        np.full(shape, -1, dtype=np.int64),
    )
    space = new_price_space(max(shape[0], shape[1]))
    return Tables(left, right, bounds, new_picks(size_of_picks), space, new_child_space(left, right))


@borrowing
def set_forest(i: int, j: int, lower: float, upper: float, bounds: Bounds) -> None:
    """Store the bounds of F(i, j), and so of W(i, j)."""
    worth = max(0.0, bounds.kept[i, j])
    bounds.forest_lower[i, j] = lower
    bounds.forest_upper[i, j] = max(lower, upper)
    bounds.pair_lower[i, j] = worth + lower
    bounds.pair_upper[i, j] = worth + max(lower, upper)


@borrowing
def set_trees(pair: Forests, bounds: Bounds) -> None:
    """Store the bounds of the largest W in the two subtrees."""
    i, j, left, right = pair
    lower, upper = bounds.pair_lower[i, j], bounds.pair_upper[i, j]
    for k in left.children[left.first[i] : left.first[i + 1]]:
        lower = max(lower, bounds.tree_lower[k, j])
        upper = max(upper, bounds.tree_upper[k, j])
    for m in right.children[right.first[j] : right.first[j + 1]]:
        lower = max(lower, bounds.tree_lower[i, m])
        upper = max(upper, bounds.tree_upper[i, m])
    bounds.tree_lower[i, j] = lower
    bounds.tree_upper[i, j] = upper


@borrowing
def start_prices(pair: Forests, bounds: Bounds, space: PriceSpace) -> None:
    """Guess the leaf prices from two smaller pairs.

    The leaves below j were priced for i's largest child, with less demand, and for each child of j alone, with
    less supply: the mean of both is closer to the best prices than 0 is (with 200 random nodes, 30 steps then
    close a fifth more pairs).
    """
    left, right = pair.left, pair.right
    start, count = first_leaf(pair)
    largest = left.children[left.first[pair.i]]
    for child in left.children[left.first[pair.i] : left.first[pair.i + 1]]:
        if left.sizes[child] > left.sizes[largest]:
            largest = child
    for leaf in range(count):
        space.leaf_price[leaf] = 0.5 * bounds.prices[largest, bounds.price_start[pair.j] + leaf]
    for child in right.children[right.first[pair.j] : right.first[pair.j + 1]]:
        offset = right.leaves[child] - start
        for leaf in range(right.leaves[child + right.sizes[child]] - right.leaves[child]):
            space.leaf_price[offset + leaf] += 0.5 * bounds.prices[pair.i, bounds.price_start[child] + leaf]


@borrowing
def store_prices(pair: Forests, bounds: Bounds, space: PriceSpace) -> None:
    """Store the best prices of a pair for larger ones."""
    _, count = first_leaf(pair)
    for leaf in range(count):
        bounds.prices[pair.i, bounds.price_start[pair.j] + leaf] = space.best_price[leaf]


@borrowing
def load_prices(pair: Forests, bounds: Bounds, space: PriceSpace) -> None:
    """Load the best prices of the previous pair."""
    _, count = first_leaf(pair)
    for leaf in range(count):
        space.leaf_price[leaf] = bounds.prices[pair.i, bounds.price_start[pair.j] + leaf]


@borrowing
def store_pick(i: int, j: int, bounds: Bounds, picks: Picks, space: PriceSpace) -> None:
    """Store a pair's new best pick, if any, for the recovery of the mapping."""
    count = space.best_count[0]
    if count == 0:
        return
    position = picks.used[0]
    bounds.pick_start[i, j] = position
    picks.left[position] = count
    for index in range(count):
        picks.left[position + 1 + index] = space.best_left[index]
        picks.right[position + 1 + index] = space.best_right[index]
    picks.used[0] = position + 1 + count


@borrowing
def single_child_upper(pair: Forests, bounds: Bounds) -> float:
    """The upper bound of F(i, j) if i or j has a single child."""
    left, right = pair.left, pair.right
    upper: float = 0.0
    if left.first[pair.i + 1] - left.first[pair.i] == 1:
        k = left.children[left.first[pair.i]]
        upper = bounds.forest_upper[k, pair.j]
        for m in right.children[right.first[pair.j] : right.first[pair.j + 1]]:
            upper = max(upper, bounds.tree_upper[k, m])
    else:
        only = right.children[right.first[pair.j]]
        upper = bounds.forest_upper[pair.i, only]
        for child in left.children[left.first[pair.i] : left.first[pair.i + 1]]:
            upper = max(upper, bounds.tree_upper[child, only])
    return upper


@borrowing
def split_upper(pair: Forests, bounds: Bounds) -> float:
    """F(i, j) <= the sum over i's children k of the best for k's subtree and the whole forest below j.

    That best is max( F(k, j), max_m W(k, m) ), m below j; symmetrically with the sides exchanged. It uses bounds
    of F(k, j) beyond its linear program (on deep trees a sixth of the gap).
    """
    i, j, left, right = pair
    by_left, by_right = 0.0, 0.0
    for k in left.children[left.first[i] : left.first[i + 1]]:
        best = bounds.forest_upper[k, j]
        for m in range(j + 1, j + right.sizes[j]):
            best = max(best, bounds.pair_upper[k, m])
        by_left += best
    for m in right.children[right.first[j] : right.first[j + 1]]:
        best = bounds.forest_upper[i, m]
        for k in range(i + 1, i + left.sizes[i]):
            best = max(best, bounds.pair_upper[k, m])
        by_right += best
    return min(by_left, by_right)


@borrowing
def _bound_forest(pair: Forests, steps: int, tables: Tables) -> None:
    """Bound F(i, j) from the tables of smaller pairs."""
    i, j, left, right = pair
    bounds, space = tables.bounds, tables.prices
    below_i = left.children[left.first[i] : left.first[i + 1]]
    below_j = right.children[right.first[j] : right.first[j + 1]]
    if below_i.size == 0 or below_j.size == 0:
        set_forest(i, j, 0.0, 0.0, bounds)
        return
    lower = best_forest(below_i, below_j, i, j, (bounds.forest_lower, bounds.tree_lower))
    start_prices(pair, bounds, space)
    if below_i.size == 1 or below_j.size == 1:
        set_forest(i, j, lower, single_child_upper(pair, bounds), bounds)
        keep_prices(first_leaf(pair)[1], space)
        store_prices(pair, bounds, space)
        return
    lower = max(lower, match_children(below_i, below_j, bounds.tree_lower, tables.children))
    lower, upper = tighten(pair, (bounds.pair_lower, bounds.pair_upper), (lower, np.inf), steps, space)
    set_forest(i, j, lower, min(upper, split_upper(pair, bounds)), bounds)
    store_prices(pair, bounds, space)
    store_pick(i, j, bounds, tables.picks, space)


@borrowing
def fill_rows(start: int, end: int, steps: int, tables: Tables) -> None:
    """Bound all pairs of the left nodes ``start .. end - 1``, after those below them."""
    left, right = tables.left, tables.right
    for i in range(end - 1, start - 1, -1):
        for j in range(right.sizes.size - 1, -1, -1):
            _bound_forest(Forests(i, j, left, right), steps, tables)
            set_trees(Forests(i, j, left, right), tables.bounds)


@borrowing
def propagate_lower(tables: Tables) -> None:
    """Propagate raised lower bounds to all larger pairs, by the constrained recursion."""
    left, right, bounds = tables.left, tables.right, tables.bounds
    for i in range(left.sizes.size - 1, -1, -1):
        below_i = left.children[left.first[i] : left.first[i + 1]]
        for j in range(right.sizes.size - 1, -1, -1):
            below_j = right.children[right.first[j] : right.first[j + 1]]
            if below_i.size > 0 and below_j.size > 0:
                lowers = (bounds.forest_lower, bounds.tree_lower)
                lower = max(bounds.forest_lower[i, j], best_forest(below_i, below_j, i, j, lowers))
                if below_i.size > 1 and below_j.size > 1:
                    lower = max(lower, match_children(below_i, below_j, bounds.tree_lower, tables.children))
                set_forest(i, j, lower, bounds.forest_upper[i, j], bounds)
            set_trees(Forests(i, j, left, right), bounds)
