"""Statistics: resampled means and intervals, paired tests, correlation, principal axes.

Bootstrap samples come from one generator in the order of ``scipy.stats.bootstrap``, so that numbers for a seed
don't depend on how many are drawn at once. All rows of an array use the same resamples, which makes differences
between them paired.

Sources: Student 1908 (paired t-test), Efron 1979 (bootstrap), Koehn 2004 (paired bootstrap), Edgington 1995
(randomisation tests), Holm 1979, Kendall 1945 (tau-b).
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Values: TypeAlias = NDArray[np.float64]

# Two (..., n) arrays -> the (...) coefficients over the last axis.
Coefficient: TypeAlias = Callable[[Values, Values], Values]

TIE = 1e-9  # values that differ by less, relative to the largest of them, are equal but for rounding
CELLS = 4_000_000  # maximum numbers in one batch of resamples
RESAMPLES = 9_999  # resamples by default; with the observed sample they are 10,000
FEWEST_RESAMPLES = 99  # fewer say nothing of 5 %
MAX_RESAMPLES = 100_000  # maximum resamples of a test; their signs take 100 MB for 1,000 documents


def resample_means(values: Values, resamples: int, seed: int | np.random.Generator) -> Values | None:
    """(..., resamples) means of bootstrap resamples of (..., n) values; None for fewer than two values."""
    n = values.shape[-1]
    if n < 2:
        return None
    rng = np.random.default_rng(seed)
    batch = max(1, CELLS // values.size)
    sizes = (min(batch, resamples - done) for done in range(0, resamples, batch))
    means = [values[..., rng.integers(0, n, (size, n))].mean(axis=-1) for size in sizes]
    return np.concatenate(means, axis=-1)


def percentile_interval(resampled: Values) -> tuple[float, float]:
    """The 95 % percentile interval of a bootstrap distribution.

    >>> percentile_interval(np.arange(201.0))
    (5.0, 195.0)
    """
    low, high = np.percentile(resampled, [2.5, 97.5])
    return float(low), float(high)


def scipy_interval(resampled: Values) -> tuple[float, float]:
    """The 95 % percentile interval to the last digit of ``scipy.stats.bootstrap``, whose percentiles are rounded.

    Used for figures of quality and correlation, which were first made with SciPy.
    """
    from scipy.stats import quantile

    tail = (1 - 0.95) / 2
    low, high = quantile(resampled, [tail, 1 - tail])
    return float(low), float(high)


def mean_interval(
    values: Sequence[float] | Values,
    resamples: int,
    seed: int,
    interval: Callable[[Values], tuple[float, float]] = percentile_interval,
) -> tuple[float, float] | None:
    """The 95 % percentile bootstrap interval of a mean; None for fewer than two values."""
    resampled = resample_means(np.asarray(values, dtype=np.float64), resamples, seed)
    return None if resampled is None else interval(resampled)


def share_as_far(null: Values, observed: float) -> float:
    """Two-sided p: the share of differences under the null hypothesis as far from 0 as the observed one."""
    as_far = np.abs(null) >= abs(observed) * (1 - 1e-12)
    return float((as_far.sum() + 1) / (len(null) + 1))


def randomization_tests(differences: Values, resamples: int, seed: int) -> Values:
    """(m,) two-sided p-values for the means of (m, n) rows of paired differences being 0.

    Signs are exchanged in all ways, or in ``resamples`` ways: those that ``scipy.stats.permutation_test`` draws,
    the same for all rows.
    """
    n = differences.shape[1]
    observed = differences.mean(axis=1)
    slack = 100 * np.finfo(np.float64).eps * np.abs(differences).mean(axis=1)  # rounding error of ties
    below = above = np.zeros(len(differences))
    signs = _draw_signs(n, resamples, seed)
    batch, total = max(1, CELLS // n), len(signs)
    for done in range(0, total, batch):
        null = signs[done : done + batch].astype(np.float64) @ differences.T / n
        below = below + (null <= observed + slack).sum(axis=0)
        above = above + (null >= observed - slack).sum(axis=0)
    own = 0 if total == 2**n else 1  # all exchanges include the observed one
    return np.asarray(np.minimum(1.0, 2 * (np.minimum(below, above) + own) / (total + own)))


@lru_cache(maxsize=4)
def _draw_signs(n: int, resamples: int, seed: int) -> NDArray[np.int8]:
    """All (2^n, n) signs if there are at most ``resamples``, else (resamples, n) random ones.

    These are drawn in batches, as SciPy does, and the same for every measure of n documents.
    """
    if 2**n <= resamples:
        return (1 - 2 * (np.arange(2**n)[:, None] >> np.arange(n) & 1)).astype(np.int8)
    batch = min(max(1, CELLS // n), resamples)
    rng = np.random.default_rng(seed)
    sides = np.tile(np.arange(2), (batch, n, 1))
    drawn = [
        (1 - 2 * rng.permuted(sides, axis=-1)[: resamples - done, :, 0]).astype(np.int8)
        for done in range(0, resamples, batch)
    ]
    return np.concatenate(drawn)


def holm(p: Sequence[float | None]) -> list[float | None]:
    """p-values corrected by Holm's step-down rule, which controls the family-wise error rate.

    >>> [round(each, 9) for each in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    known = sorted((value, index) for index, value in enumerate(p) if value is not None)
    corrected: list[float | None] = [None] * len(p)
    largest = 0.0
    for rank, (value, index) in enumerate(known):
        largest = max(largest, min(1.0, value * (len(known) - rank)))
        corrected[index] = largest
    return corrected


def without_rounding(values: Values) -> Values:
    """The values in units of ``TIE`` times the largest, as whole numbers, in which rounding errors are ties.

    >>> without_rounding(np.array([0.3, 0.1 + 0.2, 1.0])).tolist()
    [300000000.0, 300000000.0, 1000000000.0]
    """
    largest = np.abs(values).max(initial=0.0)
    return np.round(values / (TIE * largest)) if largest else values


def pearson(one: Values, other: Values) -> Values:
    """Pearson's r: linear agreement."""
    one = one - one.mean(axis=-1, keepdims=True)
    other = other - other.mean(axis=-1, keepdims=True)
    norms = np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
    return np.asarray((one * other).sum(axis=-1) / norms)


def spearman(one: Values, other: Values) -> Values:
    """Spearman's rho: agreement of the ranks."""
    from scipy.stats import rankdata

    return pearson(rankdata(one, axis=-1), rankdata(other, axis=-1))


def kendall(one: Values, other: Values) -> Values:
    """Kendall's tau-b: agreement of the order of pairs, corrected for ties."""
    from scipy.stats import kendalltau

    rows = zip(one.reshape(-1, one.shape[-1]), other.reshape(-1, other.shape[-1]), strict=True)
    return np.array([kendalltau(*row, variant="b").statistic for row in rows]).reshape(one.shape[:-1])


def correlation_or_0(coefficient: Coefficient, one: Values, other: Values) -> Values:
    """The coefficients, with 0 for resamples that are constant, which show no agreement."""
    constant = (np.ptp(one, axis=-1) == 0) | (np.ptp(other, axis=-1) == 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(constant, 0.0, coefficient(one, other))


def plane(vectors: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Principal component analysis: (n, 2) coordinates in the plane that keeps most of the variance.

    The axes are orthonormal, so that no distance in the plane is larger than the real one.

    Args:
        vectors: (n, d), n and d at least 1.

    Returns:
        (n, 2) coordinates, and (2,) the shares of the variance that the axes keep.
    """
    centred = vectors - vectors.mean(axis=0)
    _, lengths, axes = np.linalg.svd(centred, full_matrices=False)
    axes = axes * np.where(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)] < 0, -1.0, 1.0)[:, None]
    points = np.zeros((len(vectors), 2))
    shares = np.zeros(2)
    kept = min(2, len(axes))
    points[:, :kept] = centred @ axes[:kept].T
    total = float((lengths**2).sum())
    if total:
        shares[:kept] = lengths[:kept] ** 2 / total
    return points, shares
