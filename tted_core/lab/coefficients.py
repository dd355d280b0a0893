"""The coefficients R_S and R_M of Sobolevsky and Vorontsov 2025, equations (3) and (4), and mean distances.

R_S is the mean ratio of the distance to a paraphrase and the distance to a restructured map, R_M that to a map of
another meaning, over all pairs of variants of one sample D. Values below 1 mean that the distance sees more than
wording; smaller is better. Both are given as mean and standard deviation over samples (np.std: divided by n), with
a 95 % percentile bootstrap interval of the mean.

A variant at distance 0 from its base has no ratio. This can be correct: under an unordered distance, a
restructured map may differ in the order of siblings only. Such variants are left out of the ratios and counted. A
figure that lacks more than a tenth isn't comparable with others, and says so.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tted_core.foundations.stats import RESAMPLES, Values, mean_interval, scipy_interval
from tted_core.lab.samples import VARIANT_KINDS

SEED = 0
MOST_LEFT_OUT = 0.1  # the largest missing share with which a figure is comparable with others

FIGURES = {"r_s": "R_S", "r_m": "R_M"}  # figures over samples -> their notation


@dataclass(frozen=True)
class SampleScores:
    """Distances of a sample's variants from its base, by kind; NaN if undefined."""

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
        figures: over samples, "r_s", equation (3), and "r_m", equation (4).
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
    kinds = {"r_s": "structure", "r_m": "meaning"}
    return Quality(
        {name: _compare(by_sample, kind) for name, kind in kinds.items()},
        {name: _compare(by_size.values(), kind, is_pooled=True) for name, kind in kinds.items()},
        {
            kind: {size: _estimate(_together(some, kind)) for size, some in by_size.items()}
            for kind in VARIANT_KINDS
        },
    )


def _divide(near: Values, far: Values) -> Values:
    """The ratio of two distances; NaN if it is undefined."""
    return near / np.where(far > 0, far, np.nan)


def _compare(groups: Iterable[Sequence[SampleScores]], kind: str, *, is_pooled: bool = False) -> Estimate:
    """Paraphrases against another kind, within each group: over the groups' means, or over all ratios.

    Pooled ratios have no interval, as pairs with a variant in common aren't independent.
    """
    sides = [(_together(some, "paraphrase"), _together(some, kind)) for some in groups]
    found = [_divide(near[:, None], far).ravel() for near, far in sides]
    dropped = sum(np.isnan(near).sum() + np.isnan(_divide(np.ones(1), far)).sum() for near, far in sides)
    every = np.concatenate([*found, ()])
    pooled = _estimate(every)
    if is_pooled:
        return replace(pooled, dropped=int(dropped))
    means = np.array([each[~np.isnan(each)].mean() for each in found if not np.isnan(each).all()])
    interval = mean_interval(means, RESAMPLES, SEED, scipy_interval)
    return replace(_estimate(means), ci95=interval, dropped=int(dropped), left_out=pooled.left_out)


def _estimate(values: Values) -> Estimate:
    """The mean of those values that are defined, without an interval."""
    defined = values[~np.isnan(values)]
    dropped = len(values) - len(defined)
    left_out = 1 - len(defined) / len(values) if len(values) else 0.0
    if not len(defined):
        return Estimate(None, None, None, dropped, 0, left_out)
    mean, std = float(np.mean(defined)), float(np.std(defined))
    return Estimate(mean, std, None, dropped, len(defined), left_out)


def _together(samples: Sequence[SampleScores], kind: str) -> Values:
    return np.array([score for sample in samples for score in sample.distances.get(kind, ())])
