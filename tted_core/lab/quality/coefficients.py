"""The coefficients R_S and R_M of Sobolevsky and Vorontsov 2025, equations (3) and (4), and mean distances.

R_S is the mean ratio of the distance to a paraphrase and the distance to a restructured map, R_M that to a map of
another meaning, over all pairs of variants of one sample D. Below 1 the distance sees more than wording; the
smaller, the better. Both are given as mean and standard deviation over samples (as np.std: divided by n), with a
95 % percentile bootstrap interval of the mean.

A variant at distance 0 from its base has no ratio. It occurs by right: under an unordered distance, a restructured
map may differ by the order of siblings alone. It is left out of the ratios, and counted. A figure of which more
than a tenth was left out stands for other maps than those beside it, and says so.

A_X is no ratio: how often the base with its own sentences displaced is farther than a paraphrase.
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
"""The share left out up to which a figure can stand beside others."""


FIGURES = {"r_s": "R_S", "r_m": "R_M", "a_x": "A_X"}
"""Figures over samples, and how people write them."""


@dataclass(frozen=True)
class SampleScores:
    """The distances of a sample's variants from its base, by kind; NaN where one is undefined.

    ``displaced`` are those of the base with its own sentences at other nodes.
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
        mean: None if there is nothing to take the mean of.
        std: standard deviation (divided by n).
        ci95: bounds of the 95 % bootstrap interval of the mean; None for fewer than two values.
        dropped: distances left out because they are 0 or undefined.
        n: how many values the mean is of.
        left_out: the share of its ratios (or distances) that is missing with these.
    """

    mean: float | None
    std: float | None
    ci95: tuple[float, float] | None
    dropped: int
    n: int
    left_out: float = 0.0

    @property
    def doubt(self) -> str | None:
        """Why the figure can't stand beside others, in words; None if it can.

        >>> Estimate(3.26, 0.4, None, 121, 2, 0.968).doubt
        'not comparable: 97 % left out (121 distances are 0 or undefined)'
        """
        if self.left_out <= MOST_LEFT_OUT:
            return None
        distances = "1 distance is" if self.dropped == 1 else f"{self.dropped} distances are"
        return f"not comparable: {100 * self.left_out:.0f} % left out ({distances} 0 or undefined)"


@dataclass(frozen=True)
class Quality:
    """What the distances of all samples say of the measure.

    Attributes:
        r_s: R_S over samples, equation (3).
        r_m: R_M over samples, equation (4).
        pooled: "r_s" and "r_m" as the published tables have them: over all pairs of a paraphrase and another
            variant of one size, of whatever bases, in one heap.
        rho: kind -> size of the base -> the distances' mean and standard deviation.
        a_x: over samples, how often the base with its sentences displaced is farther than a paraphrase.
    """

    r_s: Estimate
    r_m: Estimate
    a_x: Estimate
    pooled: dict[str, Estimate]
    rho: dict[str, dict[int, Estimate]]

    @property
    def figures(self) -> dict[str, Estimate]:
        """The measure's figures over samples, by name."""
        return {name: getattr(self, name) for name in FIGURES}


def quality(samples: Sequence[SampleScores]) -> Quality:
    """The coefficients and mean distances of some samples."""
    sizes = sorted({sample.size for sample in samples})
    return Quality(
        _over_samples(samples, "structure"),
        _over_samples(samples, "meaning"),
        _misplacement(samples),
        {"r_s": _pooled(samples, "structure"), "r_m": _pooled(samples, "meaning")},
        {kind: {size: _mean_distance(samples, kind, size) for size in sizes} for kind in VARIANT_KINDS},
    )


def ratios(near: Iterable[float], far: Iterable[float]) -> tuple[NDArray[np.float64], int]:
    """Each distance of ``near`` over each of ``far``, and how many distances were left out (0 below, or NaN)."""
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
    heap: list[float] = []
    dropped = wanted = 0
    for size in sorted({sample.size for sample in samples}):
        near, far = (
            [score for sample in samples if sample.size == size for score in getattr(sample, each)]
            for each in ("paraphrase", kind)
        )
        of_size, left_out = ratios(near, far)
        heap.extend(of_size.tolist())
        dropped, wanted = dropped + left_out, wanted + len(near) * len(far)
    # pairs of one variant depend on each other: no interval
    return _estimate(heap, dropped, _missing(len(heap), wanted), None)


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
