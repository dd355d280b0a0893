"""A perturbation study: how each measure rises with the strength of each change."""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tted_core.errors import InvalidTreeError
from tted_core.lab.map_measures import Measure
from tted_core.lab.perturbation.perturb import PERTURBATIONS, perturb
from tted_core.monitor import UNWATCHED, Monitor
from tted_core.registry import lookup
from tted_core.tree import TextTree

STRENGTHS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True)
class Point:
    """One variant, measured once.

    ``value`` is the measure's distance of the variant from the map, ``relative`` the same as a share of the
    distance to the unrelated map, which lets measures of different scales stand in one picture. Either is None
    where it is undefined.
    """

    perturbation: str
    strength: float
    seed: int
    measure: str
    value: float | None
    relative: float | None


@dataclass(frozen=True)
class Study:
    """All points, and whether they are all that were asked for (not so after a stop)."""

    points: tuple[Point, ...]
    complete: bool

    def curves(self) -> Iterator[tuple[str, str, float, float, int]]:
        """(perturbation, measure, strength, mean relative distance, number of variants), where it is defined."""
        groups: dict[tuple[str, str, float], list[float]] = {}
        for point in self.points:
            if point.relative is not None:
                key = (point.perturbation, point.measure, point.strength)
                groups.setdefault(key, []).append(point.relative)
        for key, values in groups.items():
            yield (*key, statistics.fmean(values), len(values))


def study(
    tree: TextTree,
    unrelated: TextTree,
    measures: Mapping[str, Measure],
    names: Sequence[str],
    *,
    strengths: Sequence[float] = STRENGTHS,
    seeds: Sequence[int] = range(3),
    monitor: Monitor = UNWATCHED,
) -> Study:
    """Measure variants of a tree.

    Args:
        tree: the map to change.
        unrelated: a map on another topic: gives the texts that some perturbations need, and the distance that
            counts as 1.
        measures: name -> distance of two trees.
        names: names of ``PERTURBATIONS``.
        strengths: 0 to 1.
        seeds: one variant for each.
        monitor: watches; once it says stop, the points so far are returned.

    Raises:
        UnknownNameError: no such perturbation.
        InvalidTreeError: a strength outside 0 to 1, or an unrelated map with no text of its own, or at no distance
            by any measure.
    """
    for name in names:
        lookup(PERTURBATIONS, name, "perturbation")
    plan = [(name, seed, strength) for name in names for seed in seeds for strength in strengths]
    monitor.stage("Measuring the unrelated map", 0.0)
    scales = {measure: distance(tree, unrelated) for measure, distance in measures.items()}
    if measures and not any(scales.values()):
        raise InvalidTreeError(
            "the unrelated map is at no distance from the map by any measure; give one on another topic"
        )
    points: list[Point] = []
    for done, (name, seed, strength) in enumerate(plan):
        if monitor.stopped:
            return Study(tuple(points), complete=False)
        monitor.stage(f"Measuring {len(plan)} variants", done / len(plan))
        variant = perturb(tree, name, strength, seed=seed, donor=unrelated)
        for measure, distance in measures.items():
            value = distance(tree, variant)
            relative = _share(value, scales[measure])
            points.append(Point(name, strength, seed, measure, value, relative))
    return Study(tuple(points), complete=True)


def _share(value: float | None, whole: float | None) -> float | None:
    return None if value is None or not whole else value / whole
