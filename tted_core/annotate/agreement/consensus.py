"""Krippendorff's alpha, medoids, disputed nodes, a dendrogram and a plane, from a matrix of distances.

Alpha = 1 - D_o / D_e for any distance between values (Krippendorff 2018, chapter 12).

D_o, the observed disagreement, is the mean difference between two annotators' values of one document; D_e, the
expected one, the mean difference between any two values, whatever their documents. Alpha is 1 where annotators
always agree, 0 where two maps of one document are no more alike than any two maps, and can be negative.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.compare import Comparison
from tted_core.foundations.stats import percentile_interval, resampled_means

DRAWS = 10_000
"""Number of bootstrap samples; the interval's ends move by about 1 % of its width from seed to seed."""


def plain(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The distance itself: a disagreement twice as far counts twice."""
    return distances


def squared(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The squared distance, as in alpha for interval data: far disagreements count more."""
    return distances**2


DIFFERENCES: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "plain": plain,
    "squared": squared,
}


@dataclass(frozen=True)
class Alpha:
    """Krippendorff's alpha with its parts.

    Attributes:
        value: 1 - observed / expected; None where it is undefined: fewer than two units with two values each, or
            all values are equal.
        low: lower end of the 95 % bootstrap interval; None without a value.
        high: upper end.
        observed: D_o.
        expected: D_e.
        by_unit: 1 - (its mean difference) / D_e for each unit, None for units with fewer than two values. Their
            mean, weighted by the units' numbers of values, is alpha.
        units: number of units with two values or more; the others don't count.
        values: number of values in those.
    """

    value: float | None
    low: float | None
    high: float | None
    observed: float
    expected: float
    by_unit: tuple[float | None, ...]
    units: int
    values: int


def krippendorff_alpha(
    distances: NDArray[np.float64], units: Sequence[int], *, difference: str = "plain", seed: int = 0
) -> Alpha:
    """Alpha of values from their distances alone.

    The interval is a percentile bootstrap over units: two distances of one unit share a map, so they are not
    resampled apart. D_e is taken as known, as in Krippendorff's own bootstrap (Hayes and Krippendorff 2007). With
    fewer than about ten units it is rough.

    Args:
        distances: (n, n), symmetric, 0 on the diagonal.
        units: for each value the number of its unit (document), 0, 1, ...
        difference: a name of ``DIFFERENCES``.
        seed: of the bootstrap.
    """
    belongs = np.asarray(units)
    members = [np.flatnonzero(belongs == unit) for unit in range(int(belongs.max(initial=-1)) + 1)]
    pairable = [each for each in members if len(each) > 1]
    used = np.concatenate(pairable) if pairable else np.array([], dtype=int)
    differences = DIFFERENCES[difference](np.asarray(distances, dtype=float))
    sizes = np.array([len(each) if len(each) > 1 else 0 for each in members], dtype=float)
    means = np.zeros(len(members))
    means[sizes > 0] = [_mean_difference(differences, each) for each in pairable]
    observed = float(np.average(means[sizes > 0], weights=sizes[sizes > 0])) if pairable else math.nan
    expected = _mean_difference(differences, used) if pairable else math.nan
    if len(pairable) < 2 or not expected > 0:
        nothing = (None,) * len(members)
        return Alpha(None, None, None, observed, expected, nothing, len(pairable), len(used))
    counted = sizes > 0
    resampled = resampled_means(np.array([(means * sizes)[counted], sizes[counted]]), DRAWS, seed)
    assert resampled is not None  # of two units or more there is an interval
    low, high = percentile_interval(1 - resampled[0] / resampled[1] / expected)
    by_unit = tuple(
        1 - mean / expected if size else None for mean, size in zip(means.tolist(), sizes, strict=True)
    )
    return Alpha(1 - observed / expected, low, high, observed, expected, by_unit, len(pairable), len(used))


def _mean_difference(differences: NDArray[np.float64], members: NDArray[np.intp]) -> float:
    """Over all pairs of two of these."""
    count = len(members)
    return float(differences[np.ix_(members, members)].sum() / (count * (count - 1)))


SAME = 1e-12


@dataclass(frozen=True)
class DisputedNode:
    """A node of one map, compared with all other maps of the document.

    Attributes:
        map: the number of the map that it belongs to.
        node: its preorder index.
        missing_in: the numbers of the maps that have no partner for it.
        others: number of other maps.
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
    """The maps with the smallest sum of distances to all others; several if they tie."""
    sums = distances.sum(axis=1)
    return tuple(np.flatnonzero(sums <= sums.min() + SAME * (1 + abs(sums.min()))).tolist())


def disputed_nodes(comparisons: Mapping[tuple[int, int], Comparison]) -> tuple[DisputedNode, ...]:
    """All nodes of all maps, the most disputed first: most often without a partner, then the most costly.

    Args:
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
    # Every comparison of a map has an operation on each of its nodes.
    found = [
        DisputedNode(each, node, tuple(missing.get((each, node), ())), len(its), float(np.mean(its)))
        for (each, node), its in costs.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.missing_share, -one.mean_cost, one.map, one.node)))


Segment: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True)
class Dendrogram:
    """A dendrogram of n leaves: the leaf at each position from left to right, and its lines (x0, y0, x1, y1).

    The leaf at position k stands at x = k, y = 0; y is the distance at which two clusters join.
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
    positions = {leaf: (float(position), 0.0) for position, leaf in enumerate(leaves)}
    lines: list[Segment] = []
    for number, (first, second, height, _) in enumerate(joins.tolist()):
        (left, low), (right, other_low) = positions[int(first)], positions[int(second)]
        lines += [(left, low, left, height), (right, other_low, right, height), (left, height, right, height)]
        positions[len(leaves) + number] = ((left + right) / 2, height)
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
