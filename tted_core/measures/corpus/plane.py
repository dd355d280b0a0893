"""The semantic-syntactic plane: each generated sentence by meaning and wording (figures 1 and 2 of the paper).

To the right lies what is near the reference in meaning, at the top what is worded otherwise: the upper right
corner holds new sentences that are to the point, the lower right one copies; what strayed is on the left.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

NARROWEST = 0.03
"""The smallest bandwidth, so that equal points still make a spot."""


def plane_density(
    points: Sequence[tuple[float, float]], steps: int = 40
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """A density of n points (semantic similarity, edit share) by Gaussian kernels.

    The bandwidth of each axis is Scott's rule, s n^(-1/6), for two dimensions.

    Args:
        points: at least one.
        steps: cells along each axis.

    Returns:
        (steps,) centres of the cells along the first axis, from the least similarity (at most 0) to 1;
        (steps,) along the second, from 0 to 1; (steps, steps) densities, the second axis first, the largest
        being 1.
    """
    places = np.asarray(points, dtype=np.float64)
    spread = places.std(axis=0, ddof=1) if len(places) > 1 else np.zeros(2)
    width = np.maximum(spread * len(places) ** (-1 / 6), NARROWEST)
    x, y = (_centres(min(0.0, float(places[:, 0].min())), steps), _centres(0.0, steps))
    near_x, near_y = (
        np.exp(-(((axis[:, None] - places[:, at]) / width[at]) ** 2) / 2) for at, axis in enumerate((x, y))
    )
    density = near_y @ near_x.T
    return x, y, density / density.max()


def _centres(low: float, steps: int) -> NDArray[np.float64]:
    return low + (np.arange(steps) + 0.5) * (1.0 - low) / steps
