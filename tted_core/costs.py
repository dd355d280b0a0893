"""The cost matrix: what replacing, deleting and inserting each node costs.

Replacing v by v' costs r(e(v), e(v')); deleting v costs r(e(v), e("")); inserting v' costs r(e(""), e(v')),
where e is the encoder, "" the empty string and r the distance (Sobolevsky and Vorontsov 2025, section III-A).
"""

import numpy as np
from numpy.typing import NDArray

from tted_core.distances import Distance
from tted_core.errors import EncoderError


def cost_matrix(
    left: NDArray[np.float64], right: NDArray[np.float64], empty: NDArray[np.float64], distance: Distance
) -> NDArray[np.float64]:
    """All edit costs of two trees as one (n+1, m+1) matrix whose last row and column are the gap.

    Args:
        left: (n, d) embeddings of the left tree's texts.
        right: (m, d) embeddings of the right tree's texts.
        empty: (d,) embedding of the empty string.
        distance: the node distance r.

    Raises:
        EncoderError: a cost that is negative or not finite.
    """
    costs = distance(np.vstack([left, empty]), np.vstack([right, empty]))
    if not np.isfinite(costs).all() or (costs < 0).any():
        raise EncoderError(
            "the distance gives a cost that is negative or not a number; choose another encoder or distance"
        )
    return costs
