"""Normalised distances: from a distance d and its cost matrix to a number between 0 and 1.

``costs`` is (n+1, m+1) with the gap last; both give 0 for equal trees and 1 where nothing is worth keeping.
"""

import numpy as np
from numpy.typing import NDArray


def published(distance: float, costs: NDArray[np.float64]) -> float:
    """2d / (w_max (n + m) + d), w_max being the largest delete or insert cost.

    As in the published code of Sobolevsky and Vorontsov 2025. Not a metric: w_max changes from pair to pair.
    """
    gaps = _gap_costs(costs)
    return _ratio(distance, float(gaps.max()) * len(gaps))


def steinhaus(distance: float, costs: NDArray[np.float64]) -> float:
    """2d / (W + W' + d), W being the sum of a tree's delete (or insert) costs.

    The Steinhaus transform at the empty tree, to which a tree's distance is W: a metric whenever d is one
    (Marczewski and Steinhaus 1958).
    """
    return _ratio(distance, float(_gap_costs(costs).sum()))


def _gap_costs(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The n delete costs, then the m insert costs."""
    return np.concatenate([costs[:-1, -1], costs[-1, :-1]])


def _ratio(distance: float, weight: float) -> float:
    return 2 * distance / (weight + distance) if weight + distance else 0.0
