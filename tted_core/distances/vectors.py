"""Distances between embeddings: the r of TTED (Sobolevsky and Vorontsov 2025, section III-A).

Each takes (n, d) and (m, d) and gives (n, m) float64, exactly 0 for equal rows. All three are metrics on the
embeddings, so TTED is a metric on text trees.
"""

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.errors import EncoderError

Vectors: TypeAlias = NDArray[np.float64]
Distance: TypeAlias = Callable[[Vectors, Vectors], NDArray[np.float64]]


def cosine(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """sqrt(1 - cos), computed as ‖â - b̂‖ / √2 on unit vectors.

    The textbook form loses equal texts: a float32 cosine of a vector with itself can pass 1, its root is NaN,
    and a solver that meets the NaN silently gives a larger distance. The difference of equal vectors is 0.

    Raises:
        EncoderError: a zero vector, whose direction is undefined.
    """
    return _cdist(_unit(left), _unit(right), "euclidean") / math.sqrt(2.0)


def euclidean(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """L2 distance of the raw embeddings."""
    return _cdist(left, right, "euclidean")


def manhattan(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """L1 distance of the raw embeddings."""
    return _cdist(left, right, "cityblock")


def _cdist(left: Vectors, right: Vectors, metric: str) -> NDArray[np.float64]:
    from scipy.spatial.distance import cdist  # 0.3 s, which importing tted_core need not wait for

    distances: NDArray[np.float64] = cdist(left, right, metric)
    return distances


def _unit(vectors: Vectors) -> Vectors:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not norms.all():
        raise EncoderError(
            "the encoder gives a zero vector for a text, which has no cosine distance; "
            "choose the distance euclidean or manhattan, or another encoder"
        )
    unit: Vectors = vectors / norms
    return unit


DISTANCES: dict[str, Distance] = {"cosine": cosine, "euclidean": euclidean, "manhattan": manhattan}
