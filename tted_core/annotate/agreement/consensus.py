"""What a matrix of distances says of several maps: medoid and disputed nodes, a dendrogram and a plane."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.comparison import Comparison

SAME = 1e-12


@dataclass(frozen=True)
class DisputedNode:
    """How one node of one map fares in the comparisons with all other maps of the document.

    Attributes:
        map: the number of the map that it belongs to.
        node: its preorder index.
        missing_in: the numbers of the maps that have no partner for it.
        others: how many other maps there are.
        mean_cost: the mean cost of its operation (replace, or delete/insert), over the other maps.
    """

    map: int
    node: int
    missing_in: tuple[int, ...]
    others: int
    mean_cost: float

    @property
    def missing_share(self) -> float:
        """The share of other maps without a partner for it."""
        return len(self.missing_in) / self.others


def medoids(distances: NDArray[np.float64]) -> tuple[int, ...]:
    """The maps whose summed distance to all others is smallest; one, unless several share the place."""
    sums = distances.sum(axis=1)
    return tuple(np.flatnonzero(sums <= sums.min() + SAME * (1 + abs(sums.min()))).tolist())


def disputed_nodes(
    sizes: Sequence[int], comparisons: Mapping[tuple[int, int], Comparison]
) -> tuple[DisputedNode, ...]:
    """All nodes of all maps, the most disputed first: most often without a partner, then the most costly.

    Args:
        sizes: the number of nodes of each map.
        comparisons: for each pair (i, j), i < j, the comparison of map i (left) with map j (right).
    """
    missing: dict[tuple[int, int], list[int]] = {}
    costs: dict[tuple[int, int], list[float]] = {}
    for (left, right), comparison in sorted(comparisons.items()):
        for op in comparison.script.ops:
            for mine, node, other in ((left, op.source, right), (right, op.target, left)):
                if node is not None:
                    costs.setdefault((mine, node), []).append(op.cost)
                    if op.source is None or op.target is None:
                        missing.setdefault((mine, node), []).append(other)
    found = [
        DisputedNode(
            each,
            node,
            tuple(missing.get((each, node), ())),
            len(sizes) - 1,
            float(np.mean(costs[each, node])),
        )
        for each, size in enumerate(sizes)
        for node in range(size)
    ]
    return tuple(sorted(found, key=lambda one: (-one.missing_share, -one.mean_cost, one.map, one.node)))


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
