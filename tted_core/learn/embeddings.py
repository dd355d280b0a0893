"""Embeddings for looking at: a flat picture of them."""

import numpy as np
from numpy.typing import NDArray


def plane(vectors: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The two principal axes: where each vector lies in the plane that keeps most of their variance.

    A projection on orthonormal axes, so that no distance in the plane is larger than the real one.

    Args:
        vectors: (n, d), n and d at least 1.

    Returns:
        (n, 2) places, and (2,) the shares of the variance that the axes keep.
    """
    centred = vectors - vectors.mean(axis=0)
    _, lengths, axes = np.linalg.svd(centred, full_matrices=False)
    axes = axes * np.where(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)] < 0, -1.0, 1.0)[:, None]
    places = np.zeros((len(vectors), 2))
    shares = np.zeros(2)
    kept = min(2, len(axes))
    places[:, :kept] = centred @ axes[:kept].T
    total = float((lengths**2).sum())
    if total:
        shares[:kept] = lengths[:kept] ** 2 / total
    return places, shares
