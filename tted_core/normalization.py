"""Normalised distances: from a distance d and its cost matrix to a number between 0 and 1.

``costs`` is (n+1, m+1) with the gap last; both give 0 for equal trees and 1 where nothing is worth keeping. With a
power p above 1 the weight of a tree is its distance d_p to no tree at all, and two trees of one weight that have
nothing in common come to 2r / (2 + r), r being 2^(1/p).
"""

import numpy as np
from numpy.typing import NDArray

from tted_core.weighing import total


def published(distance: float, costs: NDArray[np.float64], power: float = 1.0) -> float:
    """2d / (w_max (n^(1/p) + m^(1/p)) + d), w_max being the largest delete or insert cost.

    As in the published code of Sobolevsky and Vorontsov 2025, where p is 1. Not a metric, since w_max changes from
    pair to pair; where every gap costs the same, it is ``steinhaus``.
    """
    gaps = _gap_costs(costs)
    if power == 1:
        return _ratio(distance, float(gaps.max()) * len(gaps))
    return _ratio(distance, float(gaps.max()) * sum((size - 1) ** (1 / power) for size in costs.shape))


def steinhaus(distance: float, costs: NDArray[np.float64], power: float = 1.0) -> float:
    """2d / (W + W' + d), W being d_p of a tree and nothing: the sum of its delete (or insert) costs for p = 1.

    The Steinhaus transform at the empty tree, to which a tree's distance is W: a metric whenever d is one
    (Marczewski and Steinhaus 1958).
    """
    if power == 1:
        return _ratio(distance, float(_gap_costs(costs).sum()))
    return _ratio(distance, total(costs[:-1, -1], power) + total(costs[-1, :-1], power))


def _gap_costs(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The n delete costs, then the m insert costs."""
    return np.concatenate([costs[:-1, -1], costs[-1, :-1]])


def _ratio(distance: float, weight: float) -> float:
    return 2 * distance / (weight + distance) if weight + distance else 0.0
