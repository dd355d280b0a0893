"""Upper bounds along the long paths of deep, narrow trees, where those of :mod:`.bounds` add up to a gap.

Of each forest the *heavy path* is singled out, which goes on to the largest child: k_1, k_2, ... below i and
m_1, m_2, ... below j. The small subtrees beside it hang from depths 0, 1, ... An antichain matching uses one
node of a path at most, so it is of one of two kinds:

* with a *crossing* (k_s, m_t): all other pairs are of nodes beside the paths, hung above depths s and t;
* without one: no pair has both nodes on the paths.

Each kind, and each crossing by itself, has its own Lagrangian bound (see :mod:`.lagrange`), and the best prices
of one are not those of another. One linear program for all of them may use half of one crossing and half of
another; here each has the lowest bound that any prices tried have given it, and F(i, j) is at most the largest
of these. All crossings are priced together: what the nodes beside the left path are worth up to each right depth
is a running maximum, and what hangs above each left depth a running sum. The next prices are sought for the
crossing of the largest bound.
"""

from typing import NamedTuple

import numpy as np

from tted_core.solvers.kernels.compiling import borrowing, compiled, vectorised
from tted_core.solvers.kernels.restricted import ChildSpace, best_forest, match_children
from tted_core.solvers.kernels.trees import Floats, Integers, Layout
from tted_core.solvers.unordered.bounds import (
    Bounds,
    Picks,
    load_prices,
    set_forest,
    set_trees,
    single_child_upper,
    split_upper,
    store_pick,
)
from tted_core.solvers.unordered.lagrange import (
    Forests,
    PriceSpace,
    count_uses,
    first_leaf,
    pick_pairs,
    relaxed_value,
    repair,
    set_node_prices,
)
from tted_core.solvers.unordered.subgradient import SHORTEST, keep_pick, turn

LONG = 24
"""Nodes that make a heavy path long. Unrelated maps of 500 nodes have half as many, and gain nothing."""


PATIENCE = 10  # steps without progress before the step length shrinks ...
SHRINK = 0.7  # ... by this factor: slower than for one bound, as the crossing sought changes


class Spine(NamedTuple):
    """The forest below a node, as its heavy path and the nodes beside it."""

    path: Integers
    beside: Integers  # the nodes beside it, by the depth that they hang from, in preorder at each
    start: Integers  # (path + 2,) where those of each depth begin in ``beside``
    parent: Integers  # by position in ``beside``: its parent's position, -1 if that is on the path
    depth: Integers  # by position in ``beside``


class Crossings(NamedTuple):
    """The relaxed problems of all crossings; nodes beside the paths by position, right depths as columns."""

    weights: Floats  # (left, right) both beside
    prices: Floats  # (right,)
    worth: Floats  # (left, depths) the best with a partner from above the depth
    below: Floats  # (left, depths) the best antichain below the node
    value: Floats  # (left, depths) f, the larger of the two
    hung: Floats  # (left depths, right depths) the sum of f of what hangs from a left depth
    bound: Floats  # (left path, right path) for these prices
    lowest: Floats  # (left path, right path) for any prices so far


@borrowing
def heavy_child(node: int, tree: Layout) -> int:
    """The child of the largest subtree, the first of equal ones; -1 for a leaf."""
    best = -1
    for position in range(tree.first[node], tree.first[node + 1]):
        child = tree.children[position]
        if best < 0 or tree.sizes[child] > tree.sizes[best]:
            best = child
    return best


@borrowing
def heavy_path_length(tree: Layout) -> int:
    """How many nodes lie on the root's heavy path, the root included."""
    length, node = 0, 0
    while node >= 0:
        length += 1
        node = heavy_child(node, tree)
    return length


@compiled
def new_spine(root: int, tree: Layout) -> Spine:
    """Take the forest below ``root`` apart."""
    size = tree.sizes[root]
    path, beside = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    parent, depth = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    start = np.zeros(size + 1, dtype=np.int64)
    length, count, node = 0, 0, root
    while node >= 0:
        heavy = heavy_child(node, tree)
        for position in range(tree.first[node], tree.first[node + 1]):
            child = tree.children[position]
            if child == heavy:
                continue
            offset = count - child
            for other in range(child, child + tree.sizes[child]):
                beside[count], depth[count] = other, length
                if other == child:
                    parent[count] = -1
                for below in range(tree.first[other], tree.first[other + 1]):
                    parent[tree.children[below] + offset] = count
                count += 1
        start[length + 1] = count
        node = heavy
        if node >= 0:
            path[length] = node
            length += 1
    return Spine(path[:length], beside[:count], start[: length + 2], parent[:count], depth[:count])


@compiled
def _new_crossings(left: Spine, right: Spine, upper: Floats) -> Crossings:
    weights = np.empty((left.beside.size, right.beside.size))
    for row in range(left.beside.size):
        for column in range(right.beside.size):
            weights[row, column] = upper[left.beside[row], right.beside[column]]
    by_node = left.beside.size, right.path.size
    by_path = left.path.size, right.path.size
    return Crossings(
        weights,
        np.empty(right.beside.size),
        np.empty(by_node),
        np.empty(by_node),
        np.empty(by_node),
        np.empty((left.path.size + 1, right.path.size)),
        np.empty(by_path),
        np.full(by_path, np.inf),
    )


@vectorised
def _best_above(weights: Floats, prices: Floats, row: int, start: Integers, worth: Floats) -> None:
    """Enter the largest weight less price of the columns above each depth, at least 0."""
    best: float = 0.0
    for depth in range(worth.shape[1]):
        for column in range(start[depth], start[depth + 1]):
            best = max(best, weights[row, column] - prices[column])
        worth[row, depth] = best


@borrowing
def _price_crossings(spines: tuple[Spine, Spine], upper: Floats, space: PriceSpace, made: Crossings) -> None:
    """Bound each crossing but for the sum of the prices, which all have in common."""
    left, right = spines
    for column in range(right.beside.size):
        made.prices[column] = space.node_price[right.beside[column]]
    made.below[:] = 0.0
    made.hung[:] = 0.0
    for row in range(left.beside.size - 1, -1, -1):
        _best_above(made.weights, made.prices, row, right.start, made.worth)
        for depth in range(right.path.size):
            value = max(made.worth[row, depth], made.below[row, depth])
            made.value[row, depth] = value
            if left.parent[row] >= 0:
                made.below[left.parent[row], depth] += value
            else:
                made.hung[left.depth[row], depth] += value
    for column in range(right.path.size):
        m, hung = right.path[column], 0.0
        for row in range(left.path.size):
            hung += made.hung[row, column]
            made.bound[row, column] = upper[left.path[row], m] - space.node_price[m] + hung


@borrowing
def _lower_crossings(total: float, made: Crossings) -> tuple[float, int, int]:
    """Lower the crossings' bounds; returns the largest one and its place."""
    largest, row, column = -np.inf, -1, -1
    for s in range(made.bound.shape[0]):
        for t in range(made.bound.shape[1]):
            made.lowest[s, t] = min(made.lowest[s, t], total + made.bound[s, t])
            if made.lowest[s, t] > largest:
                largest, row, column = made.lowest[s, t], s, t
    return largest, row, column


@borrowing
def _pick_crossing(
    crossing: tuple[int, int], pair: Forests, spines: tuple[Spine, Spine], made: Crossings, space: PriceSpace
) -> int:
    """List the pairs of a crossing's relaxed solution, as :func:`.lagrange.pick_pairs` does."""
    s, t = crossing
    left, right = spines
    space.left[0], space.right[0] = left.path[s], right.path[t]
    picked, row = 1, 0
    while row < left.start[s + 1]:
        if made.worth[row, t] < made.below[row, t]:
            row += 1
            continue
        if made.worth[row, t] > 0.0:
            best, partner = -np.inf, -1
            for column in range(right.start[t + 1]):
                worth = made.weights[row, column] - made.prices[column]
                if worth > best:
                    best, partner = worth, right.beside[column]
            space.left[picked], space.right[picked] = left.beside[row], partner
            picked += 1
        row += pair.left.sizes[left.beside[row]]
    count_uses(pair, picked, space)
    return picked


@compiled
def _without_crossings(spines: tuple[Spine, Spine], upper: Floats) -> Floats:
    """The weights with nothing to gain by a crossing."""
    uncrossed = upper.copy()
    for k in spines[0].path:
        for m in spines[1].path:
            uncrossed[k, m] = 0.0
    return uncrossed


@borrowing
def _offer(pair: Forests, picked: int, lower: Floats, known: float, space: PriceSpace) -> float:
    """Repair the pick and keep it if it beats the best one known; returns what the better is worth."""
    value = repair(pair, picked, lower, space)
    if value > known:
        keep_pick(picked, space)
    return max(value, known)


@compiled
def tighten_crossings(
    pair: Forests, weights: tuple[Floats, Floats], known: tuple[float, float], steps: int, space: PriceSpace
) -> tuple[float, float]:
    """Search for the pair's bounds, each crossing by itself, from the leaf prices in ``space``.

    Takes and returns what :func:`.subgradient.tighten` does, but leaves no prices: they belong to a crossing.
    """
    lower, upper = weights
    best_lower, best_upper = known
    spines = new_spine(pair.i, pair.left), new_spine(pair.j, pair.right)
    made = _new_crossings(spines[0], spines[1], upper)
    uncrossed = _without_crossings(spines, upper)
    without = np.inf  # the lowest bound of matchings without a crossing
    _, count = first_leaf(pair)
    best_run, length, stalled = np.inf, 1.0, 0
    space.best_count[0] = 0
    space.direction[:count] = 0.0
    for step in range(steps):
        total = set_node_prices(pair, space)
        _price_crossings(spines, upper, space, made)
        largest, s, t = _lower_crossings(total, made)
        bound = total + made.bound[s, t]
        crossed = True
        if without > best_lower:
            relaxed = relaxed_value(pair, uncrossed, space)
            without = min(without, relaxed)
            if without > largest:
                largest, bound, crossed = without, relaxed, False
        best_upper = min(best_upper, largest)
        stalled += 1
        if largest < best_run - 1e-3 * (best_run - best_lower):
            best_run, stalled = largest, 0
        if stalled > PATIENCE:
            length *= SHRINK
            stalled = 0
        if crossed:
            picked = _pick_crossing((s, t), pair, spines, made, space)
        else:
            picked = pick_pairs(pair, uncrossed, space)
        norm = turn(count, step == 0, space)
        if step % 4 == 0 or step < 4:
            best_lower = _offer(pair, picked, lower, best_lower, space)
        if best_upper <= best_lower + 1e-10 or norm < 1e-14 or length < SHORTEST:
            break
        stride = length * (bound - best_lower) / norm
        for leaf in range(count):
            space.leaf_price[leaf] = max(0.0, space.leaf_price[leaf] - stride * space.direction[leaf])
    return best_lower, max(best_lower, best_upper)


@compiled
def tighten_row(
    i: int,
    trees: tuple[Layout, Layout],
    limits: tuple[int, float],
    bounds: Bounds,
    scratch: tuple[Picks, PriceSpace, ChildSpace],
) -> None:
    """Bound the open pairs of the left node ``i`` anew, those below being done.

    ``limits`` are the most steps for a pair and the gap from which on it is open; the picks need room for one more
    of each pair.
    """
    left, right = trees
    picks, space, child_space = scratch
    below_i = left.children[left.first[i] : left.first[i + 1]]
    for j in range(right.sizes.size - 1, -1, -1):
        below_j = right.children[right.first[j] : right.first[j + 1]]
        pair = Forests(i, j, left, right)
        lower, upper = bounds.forest_lower[i, j], bounds.forest_upper[i, j]
        if upper - lower > limits[1]:
            lower = max(lower, best_forest(below_i, below_j, i, j, (bounds.forest_lower, bounds.tree_lower)))
            if below_i.size == 1 or below_j.size == 1:
                upper = min(upper, single_child_upper(pair, bounds))
            else:
                lower = max(lower, match_children(below_i, below_j, bounds.tree_lower, child_space))
                upper = min(upper, split_upper(pair, bounds))
                if upper - lower > limits[1]:
                    load_prices(pair, bounds, space)
                    weights = bounds.pair_lower, bounds.pair_upper
                    lower, upper = tighten_crossings(pair, weights, (lower, upper), limits[0], space)
                    store_pick(i, j, bounds, picks, space)
            set_forest(i, j, lower, upper, bounds)
        set_trees(pair, bounds)
