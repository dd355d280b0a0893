"""Pictures of a distance matrix as numbers: a dendrogram and a plane."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Segment: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True)
class Dendrogram:
    """A dendrogram of n leaves: the leaf at each place from left to right, and its lines (x0, y0, x1, y1).

    The leaf at place k stands at x = k, y = 0; y is the distance at which two clusters join.
    """

    leaves: tuple[int, ...]
    lines: tuple[Segment, ...]


def dendrogram(distances: NDArray[np.float64]) -> Dendrogram:
    """Average linkage (UPGMA), leaves ordered so that neighbours are near (Bar-Joseph et al. 2001)."""
    if len(distances) < 2:
        return Dendrogram(tuple(range(len(distances))), ())
    from scipy.cluster import hierarchy
    from scipy.spatial.distance import squareform

    condensed = squareform(distances, checks=False)
    joins = hierarchy.optimal_leaf_ordering(hierarchy.linkage(condensed, "average"), condensed)
    leaves = tuple(hierarchy.leaves_list(joins).tolist())
    places = {leaf: (float(place), 0.0) for place, leaf in enumerate(leaves)}
    lines: list[Segment] = []
    for number, (first, second, height, _) in enumerate(joins.tolist()):
        (left, low), (right, other_low) = places[int(first)], places[int(second)]
        lines += [(left, low, left, height), (right, other_low, right, height), (left, height, right, height)]
        places[len(leaves) + number] = ((left + right) / 2, height)
    return Dendrogram(leaves, tuple(lines))


def plane(distances: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Classical multidimensional scaling (Torgerson 1952) to two dimensions.

    Returns:
        (n, 2) coordinates, and the share of the matrix that they show: the two eigenvalues' part of the sum of all
        absolute eigenvalues, 1 where the picture is exact. Each axis points to the side of its largest coordinate.
    """
    count = len(distances)
    centring = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-centring @ distances**2 @ centring / 2)
    kept = np.maximum(values[::-1][:2], 0)
    points = np.zeros((count, 2))
    points[:, : len(kept)] = vectors[:, ::-1][:, :2] * np.sqrt(kept)
    total = float(np.abs(values).sum())
    points *= np.where(points[np.abs(points).argmax(axis=0), [0, 1]] < 0, -1, 1)
    return points, float(kept.sum()) / total if total > 0 else 1.0
