"""Distances between embeddings: the r of TTED (Sobolevsky and Vorontsov 2025, section III-A).

Each function takes (n, d) and (m, d) and returns (n, m) float64, exactly 0 for equal rows. All three are metrics
on the embeddings, so TTED is a metric on text trees.
"""

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.embedding import unit_vectors

_Vectors: TypeAlias = NDArray[np.float64]
BetweenVectors: TypeAlias = Callable[[_Vectors, _Vectors], NDArray[np.float64]]
"""(n, d), (m, d) -> (n, m) float64, at least 0, and exactly 0 for equal rows."""

SCIPY_PAYS = 20_000_000
"""Differences of coordinates above which SciPy is faster: 230 by 230 nodes with MiniLM's 384 coordinates."""

_BLOCK = 1 << 15
"""Differences in memory at a time; they fit the processor's cache."""


def cosine(left: _Vectors, right: _Vectors) -> NDArray[np.float64]:
    """sqrt(1 - cos), computed as ‖â - b̂‖ / √2 on unit vectors.

    The textbook form fails for equal texts: a float32 cosine of a vector with itself can exceed 1, its root is
    NaN, and a solver that meets the NaN silently returns a larger distance. The difference of equal vectors is 0.
    """
    return euclidean(unit_vectors(left), unit_vectors(right)) / math.sqrt(2.0)


def euclidean(left: _Vectors, right: _Vectors) -> NDArray[np.float64]:
    """L2 distance of the raw embeddings."""
    return np.sqrt(_sums(left, right, np.square))


def manhattan(left: _Vectors, right: _Vectors) -> NDArray[np.float64]:
    """L1 distance of the raw embeddings."""
    return _sums(left, right, np.abs)


def _sums(left: _Vectors, right: _Vectors, part: np.ufunc) -> NDArray[np.float64]:
    """Sum ``part`` of the differences in each coordinate, for each pair of rows.

    Coordinates are added in order, like SciPy's cdist, so the bits are equal; importing SciPy takes more than
    half of the time of a comparison with known vectors. For large maps cdist is faster.
    """
    if left.size * len(right) > SCIPY_PAYS:
        from scipy.spatial.distance import cdist

        metric = "sqeuclidean" if part is np.square else "cityblock"
        return np.asarray(cdist(left, right, metric))
    sums = np.empty((len(left), len(right)))
    rows, columns = np.ascontiguousarray(left.T)[:, :, None], np.ascontiguousarray(right.T)[:, None, :]
    step = max(1, _BLOCK // max(1, right.size))
    for start in range(0, len(left), step):
        parts = np.subtract(rows[:, start : start + step], columns, order="C")
        part(parts, out=parts)
        if parts[0].size > 1:
            np.add.reduce(parts, axis=0, out=sums[start : start + step])
        else:  # NumPy would sum a single row pairwise
            sums[start : start + step] = np.add.accumulate(parts, axis=0)[-1]
    return sums
