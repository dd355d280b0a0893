"""The coefficients R_S and R_M of Sobolevsky and Vorontsov 2025, equations (3) and (4), and mean distances.

R_S is the mean ratio of the distance to a paraphrase and the distance to a restructured map, R_M that to a map of
another meaning, over all pairs of variants of one sample D. Values below 1 mean that the distance sees more than
wording; smaller is better. Both are given as mean and standard deviation over samples (np.std: divided by n), with
a 95 % percentile bootstrap interval of the mean.

A variant at distance 0 from its base has no ratio. This can be correct: under an unordered distance, a
restructured map may differ in the order of siblings only. Such variants are left out of the ratios and counted. A
figure that lacks more than a tenth isn't comparable with others, and says so.

A_X is not a ratio: it is how often the base with displaced sentences is farther away than a paraphrase.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tted_core.foundations.stats import mean_interval, pairs_above, scipy_interval
from tted_core.lab.samples import VARIANT_KINDS

RESAMPLES = 9_999
SEED = 0
MOST_LEFT_OUT = 0.1
"""The largest missing share with which a figure is comparable with others."""

FIGURES = {"r_s": "R_S", "r_m": "R_M", "a_x": "A_X"}
"""Figures over samples -> their notation."""


@dataclass(frozen=True)
class SampleScores:
    """Distances of a sample's variants from its base, by kind; NaN if undefined.

    The kind "displaced" is the base with its own sentences at other nodes.
    """

    name: str
    size: int
    distances: dict[str, tuple[float, ...]]


@dataclass(frozen=True)
class Estimate:
    """A mean over samples (or pairs).

    Attributes:
        mean: None if there are no values.
        std: standard deviation (divided by n).
        ci95: bounds of the 95 % bootstrap interval of the mean; None for fewer than two values.
        dropped: number of distances left out because they are 0 or undefined.
        n: number of values.
        left_out: share of the ratios (or distances) that is missing for that reason.
    """

    mean: float | None
    std: float | None
    ci95: tuple[float, float] | None
    dropped: int
    n: int
    left_out: float = 0.0

    @property
    def doubt(self) -> str | None:
        """Reason why the figure isn't comparable with others; None if it is.

        >>> Estimate(3.26, 0.4, None, 121, 2, 0.968).doubt
        'not comparable: 97 % left out (121 distances are 0 or undefined)'
        """
        if self.left_out <= MOST_LEFT_OUT:
            return None
        distances = "1 distance is" if self.dropped == 1 else f"{self.dropped} distances are"
        return f"not comparable: {100 * self.left_out:.0f} % left out ({distances} 0 or undefined)"


@dataclass(frozen=True)
class Quality:
    """The quality of a measure by the distances of all samples.

    Attributes:
        figures: over samples, "r_s", equation (3), "r_m", equation (4), and "a_x", how often the base with
            displaced sentences is farther away than a paraphrase.
        pooled: "r_s" and "r_m" as in the published tables: over all pairs of a paraphrase and another variant of
            the same size, whatever their bases.
        rho: kind -> size of the base -> mean and standard deviation of the distances.
    """

    figures: dict[str, Estimate]
    pooled: dict[str, Estimate]
    rho: dict[str, dict[int, Estimate]]


def quality(samples: Sequence[SampleScores]) -> Quality:
    """Coefficients and mean distances of some samples."""
    by_size: dict[int, list[SampleScores]] = {}
    for sample in sorted(samples, key=lambda sample: sample.size):
        by_size.setdefault(sample.size, []).append(sample)
    by_sample = [[sample] for sample in samples]
    return Quality(
        {
            "r_s": _compare(by_sample, "structure", _ratios),
            "r_m": _compare(by_sample, "meaning", _ratios),
            "a_x": _compare(by_sample, "displaced", _farther),
        },
        {
            name: _compare(by_size.values(), kind, _ratios, is_pooled=True)
            for name, kind in (("r_s", "structure"), ("r_m", "meaning"))
        },
        {
            kind: {size: _estimate_mean(_together(some, kind)) for size, some in by_size.items()}
            for kind in VARIANT_KINDS
        },
    )


_Compared = tuple[list[float], int, int]
"""Values of a sample, the number of pairs of distances that they are from, and that of distances left out."""


def _ratios(near: Sequence[float], far: Sequence[float]) -> _Compared:
    """Each distance of ``near`` over each of ``far`` that isn't 0."""
    above, below = np.array(near, dtype=float), np.array(far, dtype=float)
    used, divisors = above[np.isfinite(above)], below[np.isfinite(below) & (below > 0)]
    found = (used[:, None] / divisors).ravel().tolist()
    return found, len(found), len(above) - len(used) + len(below) - len(divisors)


def _farther(near: Sequence[float], far: Sequence[float]) -> _Compared:
    """The share of pairs in which the distance of ``far`` is larger; none without pairs."""
    above, pairs = pairs_above(near, far)
    undefined = int(np.count_nonzero(~np.isfinite((*near, *far))))
    return ([above / pairs] if pairs else []), pairs, undefined


def _compare(
    groups: Iterable[Sequence[SampleScores]],
    kind: str,
    compared: Callable[[Sequence[float], Sequence[float]], _Compared],
    *,
    is_pooled: bool = False,
) -> Estimate:
    """Paraphrases against another kind, within each group: over the groups' means, or over all values.

    Pooled values have no interval, as pairs with a variant in common aren't independent.
    """
    sides = [(_together(some, "paraphrase"), _together(some, kind)) for some in groups]
    found = [compared(*each) for each in sides]
    values = [float(np.mean(each)) for each, _, _ in found if each]
    interval = None
    if is_pooled:
        values = [value for each, _, _ in found for value in each]
    else:
        interval = mean_interval(values, RESAMPLES, SEED, scipy_interval)
    made, wanted = sum(pairs for _, pairs, _ in found), sum(len(near) * len(far) for near, far in sides)
    return _estimate(values, sum(dropped for _, _, dropped in found), made, wanted, interval)


def _estimate_mean(scores: Sequence[float]) -> Estimate:
    defined = [score for score in scores if np.isfinite(score)]
    return _estimate(defined, len(scores) - len(defined), len(defined), len(scores))


def _together(samples: Sequence[SampleScores], kind: str) -> list[float]:
    return [score for sample in samples for score in sample.distances.get(kind, ())]


def _estimate(
    values: Sequence[float],
    dropped: int,
    made: int,
    wanted: int,
    interval: tuple[float, float] | None = None,
) -> Estimate:
    left_out = 1 - made / wanted if wanted else 0.0
    if not values:
        return Estimate(None, None, None, dropped, 0, left_out)
    return Estimate(float(np.mean(values)), float(np.std(values)), interval, dropped, len(values), left_out)
