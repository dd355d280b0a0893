"""Bounds for all pairs of subtrees, bottom-up.

In gain form (see :mod:`tted_core.solvers.kernels.restricted`) the unordered distance is the sum of all
deletes and inserts less the largest W, where, over the nodes i and j,

    W(i, j) = F(i, j) + max(0, g(i, j)),
    F(i, j) = best antichain matching of the forests below i and j by W

(Hong, Kobayashi and Yamamoto 2017: the topmost kept pairs of any Tai mapping of two forests form such a
matching, and pairs below one of them are kept below it). If i has a single child k, then F(i, j) = max( F(k, j),
max_m W(k, m) ) with m below j, and symmetrically. Otherwise F is the hard step. If either forest has few
leaves, it is solved at once (:mod:`.subsets`), as all smaller pairs of forests then are. Others are bounded:

* from below by Zhang's constrained recursion (1996) on lower bounds, and by Lagrangian repair;
* from above by Lagrangian relaxation on upper bounds of W.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tted_core.solvers.kernels.assignment import MatchingSpace
from tted_core.solvers.kernels.compiling import Floats, Integers, borrowing, compile_kernel, inlining
from tted_core.solvers.kernels.restricted import best_forest, match_children, new_child_space
from tted_core.solvers.kernels.trees import Layout
from tted_core.solvers.unordered.lagrange import (
    Forests,
    PriceSpace,
    first_leaf,
    keep_prices,
    new_price_space,
    tighten,
)
from tted_core.solvers.unordered.subsets import has_few_leaves, match_by_subsets, new_subsets

CLOSED = 1e-10  # bounds closer than this, relative to the total of all costs, count as equal


class Bounds(NamedTuple):
    """Tables over all pairs, (n, m) each."""

    kept: Floats  # g
    forest_lower: Floats  # F
    forest_upper: Floats
    pair_lower: Floats  # W
    pair_upper: Floats
    tree_lower: Floats  # the largest W of any pair in the two subtrees
    prices: NDArray[np.float32]  # (n, p): best leaf prices found for (i, j), from price_start[j] on
    price_start: Integers  # (m + 1,)
    pick_start: Integers  # where the antichain matching that gave forest_lower begins in
    pick_left: NDArray[np.int32]
    pick_right: NDArray[np.int32]
    pick_size: NDArray[np.int32]  # its number of pairs, 0 if another bound is as good


class Tables(NamedTuple):
    """Two trees, the bounds of all their pairs, and the workspace to improve them."""

    left: Layout
    right: Layout
    bounds: Bounds
    prices: PriceSpace
    children: MatchingSpace
    subsets: Floats  # see :func:`.subsets.match_by_subsets`


@compile_kernel
def new_tables(kept: Floats, left: Layout, right: Layout) -> Tables:
    """Allocate empty tables."""
    shape = kept.shape
    price_start = np.zeros(shape[1] + 1, dtype=np.int64)
    for j in range(shape[1]):
        price_start[j + 1] = price_start[j] + right.leaves[j + right.sizes[j]] - right.leaves[j]
    # A pick has at most one pair for each leaf of the narrower forest.
    pick_start, picks = np.zeros(shape, dtype=np.int64), 0
    for i in range(shape[0]):
        branches, wide = (
            left.first[i + 1] - left.first[i] > 1,
            left.leaves[i + left.sizes[i]] - left.leaves[i],
        )
        for j in range(shape[1]):
            pick_start[i, j] = picks
            both = branches and right.first[j + 1] - right.first[j] > 1
            picks += min(wide, price_start[j + 1] - price_start[j]) if both else 1
    bounds = Bounds(
        kept,
        np.zeros(shape),
        np.full(shape, np.inf),
        np.zeros(shape),
        np.full(shape, np.inf),
        np.zeros(shape),
        np.zeros((shape[0], price_start[-1]), dtype=np.float32),
        price_start,
        pick_start,
        np.empty(picks, dtype=np.int32),
        np.empty(picks, dtype=np.int32),
        np.zeros(shape, dtype=np.int32),
    )
    most = max(shape[0], shape[1])
    children, subsets = new_child_space(left, right), new_subsets(most)
    return Tables(left, right, bounds, new_price_space(most), children, subsets)


@inlining
def set_forest(i: int, j: int, lower: float, upper: float, bounds: Bounds) -> None:
    """Store the bounds of F(i, j), and so of W(i, j)."""
    worth = max(0.0, bounds.kept[i, j])
    bounds.forest_lower[i, j] = lower
    bounds.forest_upper[i, j] = max(lower, upper)
    bounds.pair_lower[i, j] = worth + lower
    bounds.pair_upper[i, j] = worth + max(lower, upper)


@inlining
def set_trees(pair: Forests, bounds: Bounds) -> None:
    """Store the lower bound of the largest W in the two subtrees."""
    i, j, left, right = pair
    lower = bounds.pair_lower[i, j]
    for k in left.children[left.first[i] : left.first[i + 1]]:
        lower = max(lower, bounds.tree_lower[k, j])
    for m in right.children[right.first[j] : right.first[j + 1]]:
        lower = max(lower, bounds.tree_lower[i, m])
    bounds.tree_lower[i, j] = lower


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
def offer_pick(i: int, j: int, bounds: Bounds, space: PriceSpace) -> None:
    """Store the best pick in ``space`` if its pairs are certainly worth more than the best known."""
    worth, start, count = 0.0, bounds.pick_start[i, j], space.best_count[0]
    for index in range(count - 1, -1, -1):  # rounded as in :mod:`.subsets`
        worth += bounds.pair_lower[space.best_left[index], space.best_right[index]]
    if worth > bounds.forest_lower[i, j]:
        set_forest(i, j, worth, bounds.forest_upper[i, j], bounds)
        bounds.pick_size[i, j] = count
        for index in range(count):
            bounds.pick_left[start + index] = space.best_left[index]
            bounds.pick_right[start + index] = space.best_right[index]


@borrowing
def split_upper(pair: Forests, bounds: Bounds) -> float:
    """F(i, j) <= the sum over i's children k of the best for k's subtree and the whole forest below j.

    That best is max( F(k, j), max_m W(k, m) ), m below j; symmetrically with the sides exchanged. With a single
    child on either side, this is F(i, j); else it uses bounds of F(k, j) beyond its linear program (on deep trees
    a sixth of the gap).
    """
    i, j, left, right = pair
    by_left, by_right = 0.0, 0.0
    for k in left.children[left.first[i] : left.first[i + 1]]:
        best = bounds.forest_upper[k, j]
        for m in range(j + 1, j + right.sizes[j]):
            best = max(best, bounds.pair_upper[k, m])
        by_left += best
    if left.first[i + 1] - left.first[i] == 1:
        return by_left
    for m in right.children[right.first[j] : right.first[j + 1]]:
        best = bounds.forest_upper[i, m]
        for k in range(i + 1, i + left.sizes[i]):
            best = max(best, bounds.pair_upper[k, m])
        by_right += best
    return min(by_left, by_right)


@borrowing
def bound_forest(pair: Forests, steps: int, tables: Tables) -> None:
    """Improve the bounds of F(i, j), neither being a leaf, with at most so many steps of the search for prices.

    With few leaves in either forest they are equal at once.
    """
    i, j, left, right = pair
    bounds, space = tables.bounds, tables.prices
    below_i = left.children[left.first[i] : left.first[i + 1]]
    below_j = right.children[right.first[j] : right.first[j + 1]]
    lower, upper = bounds.forest_lower[i, j], bounds.forest_upper[i, j]
    if lower == upper:
        return
    if has_few_leaves(pair, tables.subsets):
        if below_i.size > 1 and below_j.size > 1:
            value = match_by_subsets(pair, bounds.pair_lower, tables.subsets, space)
            offer_pick(i, j, bounds, space)
        else:
            value = best_forest(below_i, below_j, i, j, (bounds.forest_lower, bounds.tree_lower))
        set_forest(i, j, value, value, bounds)
        return
    if upper == np.inf:
        start_prices(pair, bounds, space)
    else:
        load_prices(pair, bounds, space)
    lower = max(lower, best_forest(below_i, below_j, i, j, (bounds.forest_lower, bounds.tree_lower)))
    space.best_count[0] = 0
    if below_i.size > 1 and below_j.size > 1:
        lower = max(lower, match_children(below_i, below_j, bounds.tree_lower, tables.children))
        upper = tighten(pair, (bounds.pair_lower, bounds.pair_upper), (lower, upper), steps, space)
    else:
        keep_prices(first_leaf(pair)[1], space)
    set_forest(i, j, lower, min(upper, split_upper(pair, bounds)), bounds)
    store_prices(pair, bounds, space)
    offer_pick(i, j, bounds, space)


@borrowing
def fill_rows(start: int, end: int, steps: int, tables: Tables) -> None:
    """Bound all pairs of the left nodes ``start .. end - 1``, after those below them."""
    left, right, bounds = tables.left, tables.right, tables.bounds
    for i in range(end - 1, start - 1, -1):
        for j in range(right.sizes.size - 1, -1, -1):
            pair = Forests(i, j, left, right)
            if left.sizes[i] == 1 or right.sizes[j] == 1:
                set_forest(i, j, 0.0, 0.0, bounds)
            else:
                bound_forest(pair, steps, tables)
            set_trees(pair, bounds)
