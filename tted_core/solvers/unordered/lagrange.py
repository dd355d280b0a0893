"""Upper bounds for a pair of forests by Lagrangian relaxation, and mappings repaired from it.

For the pair (i, j), find an *antichain matching* (Hong, Kobayashi and Yamamoto 2017): pairs (k, m) of nodes
below i and j, no two k on one root path, no two m on one root path, with the largest total weight W(k, m). The
rule for the right tree is one constraint per leaf: at most one m on the leaf's root path. Given a price p >= 0
for each leaf, those constraints move into the objective (Held and Karp 1971):

    bound(p) = sum of p + best antichain of left nodes, k being worth max_m ( W(k, m) - price(m) ),

price(m) being the sum of p over the leaves below m. The best antichain is a tree recurrence, f(k) = max(
worth(k), sum of f over k's children ), so the bound is valid for *any* prices, to float64 precision, and the
best prices give the value of the linear program. They are searched for by subgradient steps: the price of a leaf
that the relaxed solution uses twice rises, that of an unused one falls. The step length is Polyak's, towards the
best valid pick so far, and shrinks if the bound stalls (Held, Wolfe and Crowder 1974); the direction is a running
mean of subgradients.
"""

from typing import NamedTuple

import numpy as np

from tted_core.solvers.kernels.compiling import (
    Booleans,
    Floats,
    Integers,
    borrowing,
    compile_kernel,
    inlining,
    vectorise,
)
from tted_core.solvers.kernels.trees import Layout

MOMENTUM = 0.3  # share of the previous direction; with plain subgradients the bounds of deep trees stall
_PATIENCE = 6  # steps without progress before the step length shrinks ...
SHRINK = 0.6  # ... by this factor
_SHORTEST = 0.01  # relative step length at which the search ends


class PriceSpace(NamedTuple):
    """Scratch arrays, one entry per node or leaf of the larger tree."""

    leaf_price: Floats  # p, by leaf of the right forest
    best_price: Floats  # the prices of the best bound so far
    node_price: Floats  # by right node
    prefix: Floats
    value: Floats  # f, by left node
    used: Floats  # by leaf of the right forest
    direction: Floats
    chosen: Booleans  # by left node: worth(k) >= the sum below it
    blocked: Booleans  # by right node
    left: Integers  # the pairs picked ...
    right: Integers
    best_left: Integers  # ... and the best valid pick so far
    best_right: Integers
    best_count: Integers  # (1,)


class Forests(NamedTuple):
    """The forests below the pair (i, j)."""

    i: int
    j: int
    left: Layout
    right: Layout


@compile_kernel
def new_price_space(size: int) -> PriceSpace:
    """Scratch arrays for trees of up to ``size`` nodes."""
    return PriceSpace(
        np.zeros(size + 1),
        np.zeros(size + 1),
        np.zeros(size + 1),
        np.zeros(size + 2),
        np.zeros(size + 1),
        np.zeros(size + 2),
        np.zeros(size + 1),
        np.zeros(size + 1, dtype=np.bool_),
        np.zeros(size + 1, dtype=np.bool_),
        np.zeros(size + 1, dtype=np.int64),
        np.zeros(size + 1, dtype=np.int64),
        np.zeros(size + 1, dtype=np.int64),
        np.zeros(size + 1, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


@borrowing
def first_leaf(pair: Forests) -> tuple[int, int]:
    """First leaf and number of leaves of the right forest."""
    start = pair.right.leaves[pair.j]
    return start, pair.right.leaves[pair.j + pair.right.sizes[pair.j]] - start


@vectorise
def best_worth(weights: Floats, prices: Floats, row: int, start: int, end: int) -> float:
    """The largest weight minus price, 0 if none is positive."""
    best: float = 0.0
    for column in range(start, end):
        worth = weights[row, column] - prices[column]
        best = max(best, worth)
    return float(best)


@borrowing
def best_column(weights: Floats, prices: Floats, row: int, start: int, end: int) -> int:
    """The column of the largest weight minus price."""
    best, argument = -np.inf, start
    for column in range(start, end):
        worth = weights[row, column] - prices[column]
        if worth > best:
            best, argument = worth, column
    return argument


@inlining
def set_node_prices(pair: Forests, space: PriceSpace) -> float:
    """Sum the leaf prices below each right node; returns their total."""
    start, count = first_leaf(pair)
    right = pair.right
    space.prefix[0] = 0.0
    for leaf in range(count):
        space.prefix[leaf + 1] = space.prefix[leaf] + space.leaf_price[leaf]
    for node in range(pair.j + 1, pair.j + right.sizes[pair.j]):
        space.node_price[node] = (
            space.prefix[right.leaves[node + right.sizes[node]] - start]
            - space.prefix[right.leaves[node] - start]
        )
    return float(space.prefix[count])


@inlining
def relaxed_value(pair: Forests, weights: Floats, space: PriceSpace) -> float:
    """bound(p) for the leaf prices in ``space``; leaves f and the choice per left node there."""
    total = set_node_prices(pair, space)
    left = pair.left
    start, end = pair.j + 1, pair.j + pair.right.sizes[pair.j]
    for k in range(pair.i + left.sizes[pair.i] - 1, pair.i, -1):
        below = 0.0
        for child in left.children[left.first[k] : left.first[k + 1]]:
            below += space.value[child]
        worth = best_worth(weights, space.node_price, k, start, end)
        space.chosen[k] = worth >= below
        space.value[k] = max(worth, below)
    for child in left.children[left.first[pair.i] : left.first[pair.i + 1]]:
        total += space.value[child]
    return total


@inlining
def count_uses(pair: Forests, picked: int, space: PriceSpace) -> None:
    """Count the uses of each right leaf by the listed pairs."""
    right = pair.right
    start, count = first_leaf(pair)
    space.used[: count + 1] = 0.0
    for m in space.right[:picked]:
        space.used[right.leaves[m] - start] += 1.0
        space.used[right.leaves[m + right.sizes[m]] - start] -= 1.0
    for leaf in range(1, count):
        space.used[leaf] += space.used[leaf - 1]


@inlining
def pick_pairs(pair: Forests, weights: Floats, space: PriceSpace) -> int:
    """List the relaxed solution's pairs and count the uses of each right leaf; returns the number of pairs."""
    left, right = pair.left, pair.right
    picked = 0
    k = pair.i + 1
    while k < pair.i + left.sizes[pair.i]:
        if not space.chosen[k]:
            k += 1
            continue
        if space.value[k] > 0.0:
            m = best_column(weights, space.node_price, k, pair.j + 1, pair.j + right.sizes[pair.j])
            space.left[picked], space.right[picked] = k, m
            picked += 1
        k += left.sizes[k]
    count_uses(pair, picked, space)
    return picked


@borrowing
def block(node: int, root: int, tree: Layout, blocked: Booleans) -> None:
    """Block a node, its subtree and its ancestors below ``root``."""
    blocked[node : node + tree.sizes[node]] = True
    above = root + 1
    while above < node:
        if node < above + tree.sizes[above]:
            blocked[above] = True
            above += 1
        else:
            above += tree.sizes[above]


@borrowing
def repair(pair: Forests, picked: int, weights: Floats, space: PriceSpace) -> float:
    """Make the relaxed solution valid: the most valuable pair first, each with its best free partner.

    Returns the total of ``weights`` (lower bounds of the pairs' values); the pairs stay in ``space``.
    """
    start, end = pair.j + 1, pair.j + pair.right.sizes[pair.j]
    for position in range(picked):
        value = weights[space.left[position], space.right[position]]
        slot = position
        while slot > 0 and weights[space.left[slot - 1], space.right[slot - 1]] < value:
            slot -= 1
        k, m = space.left[position], space.right[position]
        for other in range(position, slot, -1):
            space.left[other], space.right[other] = space.left[other - 1], space.right[other - 1]
        space.left[slot], space.right[slot] = k, m
    space.blocked[start:end] = False
    total = 0.0
    for position in range(picked):
        k, m = space.left[position], space.right[position]
        if space.blocked[m]:
            best, m = 0.0, -1
            for other in range(start, end):
                if not space.blocked[other] and weights[k, other] > best:
                    best, m = weights[k, other], other
        space.right[position] = m
        if m >= 0:
            total += weights[k, m]
            block(m, pair.j, pair.right, space.blocked)
    return total


@borrowing
def keep_pick(picked: int, space: PriceSpace) -> None:
    """Copy the valid pick (partner >= 0) to the best one."""
    kept = 0
    for position in range(picked):
        if space.right[position] >= 0:
            space.best_left[kept], space.best_right[kept] = space.left[position], space.right[position]
            kept += 1
    space.best_count[0] = kept


@borrowing
def keep_prices(count: int, space: PriceSpace) -> None:
    """Copy the leaf prices to the best ones."""
    for leaf in range(count):
        space.best_price[leaf] = space.leaf_price[leaf]


@borrowing
def tighten(
    pair: Forests, weights: tuple[Floats, Floats], known: tuple[float, float], steps: int, space: PriceSpace
) -> float:
    """The pair's upper bound, from the leaf prices in ``space``; leaves better prices and a better pick there.

    Args:
        pair: the forests.
        weights: lower and upper bounds of W, (n, m) each.
        known: known bounds (lower, upper) of the pair's value.
        steps: maximum number of steps.
        space: contains the initial prices; receives the best prices, and the best pick if it is worth more than
            the known lower bound (otherwise ``best_count`` is 0).
    """
    _, count = first_leaf(pair)
    lower, upper = weights
    best_lower, best_upper = known
    best_run = np.inf
    length, stalled = 1.0, 0
    space.best_count[0] = 0
    space.direction[:count] = 0.0
    keep_prices(count, space)
    for step in range(steps):
        if best_upper <= best_lower + 1e-10:
            break
        bound = relaxed_value(pair, upper, space)
        stalled += 1
        if bound < best_run:
            if bound < best_run - 1e-3 * (best_run - best_lower):
                stalled = 0
            best_run = bound
            keep_prices(count, space)
        best_upper = min(best_upper, bound)
        if stalled > _PATIENCE:
            length *= SHRINK
            stalled = 0
        picked = pick_pairs(pair, upper, space)
        norm = turn(count, step == 0, space)
        if step % 4 == 0 or step < 4:
            value = repair(pair, picked, lower, space)
            if value > best_lower:
                best_lower = value
                keep_pick(picked, space)
        if norm < 1e-14 or length < _SHORTEST:
            break
        stride = length * (bound - best_lower) / norm
        for leaf in range(count):
            space.leaf_price[leaf] = max(0.0, space.leaf_price[leaf] - stride * space.direction[leaf])
    return best_upper


@inlining
def turn(count: int, first: bool, space: PriceSpace) -> float:
    """Update the direction from the leaves' uses; returns the squared length of its feasible part."""
    norm = 0.0
    for leaf in range(count):
        slack = 1.0 - space.used[leaf]
        if not first:
            slack = (1.0 - MOMENTUM) * slack + MOMENTUM * space.direction[leaf]
        space.direction[leaf] = slack
        if space.leaf_price[leaf] > 0.0 or slack < 0.0:
            norm += slack * slack
    return norm


@compile_kernel
def force_values(pair: Forests, weights: Floats, total: float, space: PriceSpace) -> Floats:
    """Values of the relaxed problem with each pair forced: (left nodes, right nodes) below i and j.

    With out(k) = the best antichain of nodes that aren't on a root path with k (for a child of k: out(k) plus its
    siblings' f), forcing (k, m) gives  sum of p + out(k) + W(k, m) - price(m). A pair that doesn't reach a known
    lower bound is in no better solution (reduced-cost fixing).

    Args:
        pair: the forests.
        weights: upper bounds of W.
        total: the sum of the leaf prices with which f in ``space`` was computed.
        space: as left by :func:`relaxed_value`.
    """
    i, j, left, right = pair
    rows, columns = left.sizes[i] - 1, right.sizes[j] - 1
    outside = np.zeros(rows + 1)
    forced = np.empty((rows, columns))
    for k in range(i, i + left.sizes[i]):
        children = left.children[left.first[k] : left.first[k + 1]]
        below = 0.0
        for child in children:
            below += space.value[child]
        for child in children:
            outside[child - i] = outside[k - i] + below - space.value[child]
            for m in range(columns):
                forced[child - i - 1, m] = (
                    total + outside[child - i] + weights[child, j + 1 + m] - space.node_price[j + 1 + m]
                )
    return forced
