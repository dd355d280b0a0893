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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.foundations.stats import mean_interval, pairs_above, scipy_interval
from tted_core.lab.quality.samples import VARIANT_KINDS

RESAMPLES = 9_999
SEED = 0
MOST_LEFT_OUT = 0.1
"""The largest missing share with which a figure is comparable with others."""


FIGURES = {"r_s": "R_S", "r_m": "R_M", "a_x": "A_X"}
"""Figures over samples -> their notation."""


@dataclass(frozen=True)
class SampleScores:
    """Distances of a sample's variants from its base, by kind; NaN if undefined.

    ``displaced`` are distances of the base with its own sentences at other nodes.
    """

    name: str
    size: int
    paraphrase: tuple[float, ...]
    structure: tuple[float, ...]
    meaning: tuple[float, ...]
    displaced: tuple[float, ...] = ()


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
        r_s: R_S over samples, equation (3).
        r_m: R_M over samples, equation (4).
        pooled: "r_s" and "r_m" as in the published tables: over all pairs of a paraphrase and another variant of
            the same size, whatever their bases.
        rho: kind -> size of the base -> mean and standard deviation of the distances.
        a_x: over samples, how often the base with displaced sentences is farther away than a paraphrase.
    """

    r_s: Estimate
    r_m: Estimate
    a_x: Estimate
    pooled: dict[str, Estimate]
    rho: dict[str, dict[int, Estimate]]

    @property
    def figures(self) -> dict[str, Estimate]:
        """Figures over samples, by name."""
        return {name: getattr(self, name) for name in FIGURES}


def quality(samples: Sequence[SampleScores]) -> Quality:
    """Coefficients and mean distances of some samples."""
    sizes = sorted({sample.size for sample in samples})
    return Quality(
        _over_samples(samples, "structure"),
        _over_samples(samples, "meaning"),
        _misplacement(samples),
        {"r_s": _pooled(samples, "structure"), "r_m": _pooled(samples, "meaning")},
        {kind: {size: _mean_distance(samples, kind, size) for size in sizes} for kind in VARIANT_KINDS},
    )


def ratios(near: Iterable[float], far: Iterable[float]) -> tuple[NDArray[np.float64], int]:
    """Each distance of ``near`` over each of ``far``, and how many distances were left out (divisor 0, or NaN)."""
    above, below = np.array(list(near), dtype=float), np.array(list(far), dtype=float)
    used, divisors = above[np.isfinite(above)], below[np.isfinite(below) & (below > 0)]
    return (used[:, None] / divisors).ravel(), len(above) - len(used) + len(below) - len(divisors)


def _over_samples(samples: Sequence[SampleScores], kind: str) -> Estimate:
    values, dropped, made, wanted = [], 0, 0, 0
    for sample in samples:
        far = getattr(sample, kind)
        of_sample, left_out = ratios(sample.paraphrase, far)
        dropped += left_out
        made, wanted = made + len(of_sample), wanted + len(sample.paraphrase) * len(far)
        if len(of_sample):
            values.append(float(of_sample.mean()))
    return _estimate(values, dropped, _missing(made, wanted), _interval(values))


def _misplacement(samples: Sequence[SampleScores]) -> Estimate:
    values, dropped, made, wanted = [], 0, 0, 0
    for sample in samples:
        above, pairs = pairs_above(sample.paraphrase, sample.displaced)
        dropped += int(np.count_nonzero(~np.isfinite((*sample.paraphrase, *sample.displaced))))
        made, wanted = made + pairs, wanted + len(sample.paraphrase) * len(sample.displaced)
        if pairs:
            values.append(above / pairs)
    return _estimate(values, dropped, _missing(made, wanted), _interval(values))


def _pooled(samples: Sequence[SampleScores], kind: str) -> Estimate:
    pool: list[float] = []
    dropped = wanted = 0
    for size in sorted({sample.size for sample in samples}):
        near, far = (
            [score for sample in samples if sample.size == size for score in getattr(sample, each)]
            for each in ("paraphrase", kind)
        )
        of_size, left_out = ratios(near, far)
        pool.extend(of_size.tolist())
        dropped, wanted = dropped + left_out, wanted + len(near) * len(far)
    # pairs with a variant in common aren't independent: no interval
    return _estimate(pool, dropped, _missing(len(pool), wanted), None)


def _mean_distance(samples: Sequence[SampleScores], kind: str, size: int) -> Estimate:
    scores = [score for sample in samples if sample.size == size for score in getattr(sample, kind)]
    defined = [score for score in scores if np.isfinite(score)]
    missing = _missing(len(defined), len(scores))
    return _estimate(defined, len(scores) - len(defined), missing, None)


def _missing(made: int, wanted: int) -> float:
    return 1 - made / wanted if wanted else 0.0


def _estimate(
    values: Sequence[float], dropped: int, left_out: float, interval: tuple[float, float] | None
) -> Estimate:
    if not values:
        return Estimate(None, None, None, dropped, 0, left_out)
    return Estimate(float(np.mean(values)), float(np.std(values)), interval, dropped, len(values), left_out)


def _interval(values: Sequence[float]) -> tuple[float, float] | None:
    return mean_interval(values, RESAMPLES, SEED, scipy_interval)
