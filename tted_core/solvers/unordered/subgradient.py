"""Search for the leaf prices of the best Lagrangian bound, by subgradient steps.

The price of a leaf that the relaxed solution uses twice rises, that of an unused one falls (Held and Karp 1971).
The step length is Polyak's, towards the best valid pick so far, and shrinks if the bound stalls (Held, Wolfe and
Crowder 1974); the direction is a running mean of subgradients.
"""

import numpy as np

from tted_core.solvers.kernels.compiling import borrowing
from tted_core.solvers.kernels.trees import Floats
from tted_core.solvers.unordered.lagrange import (
    Forests,
    PriceSpace,
    first_leaf,
    pick_pairs,
    relaxed_value,
    repair,
)

MOMENTUM = 0.3  # share of the previous direction; with plain subgradients the bounds of deep trees stall
PATIENCE = 6  # steps without progress before the step length shrinks ...
SHRINK = 0.6  # ... by this factor
SHORTEST = 0.01  # relative step length at which the search ends


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
) -> tuple[float, float]:
    """Search for the pair's bounds, from the leaf prices in ``space``.

    Args:
        pair: the forests.
        weights: lower and upper bounds of W, (n, m) each.
        known: known bounds (lower, upper) of the pair's value.
        steps: maximum number of steps.
        space: contains the initial prices; receives the best prices, and the best pick if the lower bound was
            raised (otherwise ``best_count`` is 0).

    Returns:
        (lower bound, upper bound).
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
        bound = relaxed_value(pair, upper, space)
        stalled += 1
        if bound < best_run:
            if bound < best_run - 1e-3 * (best_run - best_lower):
                stalled = 0
            best_run = bound
            keep_prices(count, space)
        best_upper = min(best_upper, bound)
        if stalled > PATIENCE:
            length *= SHRINK
            stalled = 0
        picked = pick_pairs(pair, upper, space)
        norm = turn(count, step == 0, space)
        if step % 4 == 0 or step < 4:
            value = repair(pair, picked, lower, space)
            if value > best_lower:
                best_lower = value
                keep_pick(picked, space)
        if best_upper <= best_lower + 1e-10 or norm < 1e-14 or length < SHORTEST:
            break
        stride = length * (bound - best_lower) / norm
        for leaf in range(count):
            space.leaf_price[leaf] = max(0.0, space.leaf_price[leaf] - stride * space.direction[leaf])
    return best_lower, best_upper


@borrowing
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
