"""Correlation of measures with people's scores, and which of two measures agrees better.

Pearson's r, Spearman's rho and Kendall's tau-b, each with a bootstrap interval over the pairs and a permutation
test; the difference of two measures by a paired permutation test (Koehn 2004 and Dror et al. 2018 discuss both
for language technology). Permutation tests are exact for a few pairs, where the usual approximations are far off.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.registry import lookup

Coefficient: TypeAlias = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]
"""Two (..., n) arrays -> the (...) coefficients over the last axis."""

FEWEST = 3
"""The fewest pairs for a coefficient: two points lie on a line, whatever they are."""

RESAMPLES = 1_000

BATCH = 100
"""Resamples held in memory at once."""


@dataclass(frozen=True)
class Correlation:
    """A coefficient over n pairs; where it is undefined, ``why_not`` says why, else it is None.

    ``low`` and ``high`` bound the 95 % percentile bootstrap interval; ``p`` is the two-sided p-value of a
    permutation test against no correlation.
    """

    n: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    why_not: str | None = None


@dataclass(frozen=True)
class Difference:
    """By how much the first measure's coefficient is larger than the second's, and the permutation test's p."""

    n: int
    value: float | None = None
    p: float | None = None
    why_not: str | None = None


def correlate(
    values: Sequence[float], scores: Sequence[float], correlation: str = "spearman", *, seed: int = 0
) -> Correlation:
    """How a measure's n values agree with people's n scores.

    Raises:
        UnknownNameError: no such correlation.
    """
    coefficient = lookup(CORRELATIONS, correlation, "correlation")
    n = len(scores)
    reason = _undefined(n, {"the scores": scores, "the measure's values": values})
    if reason:
        return Correlation(n, why_not=reason)
    from scipy.stats import bootstrap, permutation_test

    judged = np.asarray(scores, dtype=np.float64)
    measured = np.asarray(values, dtype=np.float64)
    test = permutation_test(
        (measured,),
        lambda permuted, axis: coefficient(permuted, np.broadcast_to(judged, permuted.shape)),  # noqa: ARG005
        permutation_type="pairings",
        vectorized=True,
        batch=BATCH,
        n_resamples=RESAMPLES,
        rng=np.random.default_rng(seed),
    )
    interval = bootstrap(
        (measured, judged),
        partial(defined, coefficient),
        paired=True,
        vectorized=True,
        batch=BATCH,
        n_resamples=RESAMPLES,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Correlation(
        n, float(test.statistic), float(interval.low), float(interval.high), float(test.pvalue)
    )


def difference(
    first: Sequence[float],
    second: Sequence[float],
    scores: Sequence[float],
    correlation: str = "spearman",
    *,
    seed: int = 0,
) -> Difference:
    """Test whether two measures agree with people equally well.

    Under that hypothesis the two measures' values for a pair are interchangeable, once both are on one scale:
    ranks, or standard scores for Pearson. p is the share of all exchanges (or of 1,000 random ones) whose
    difference of coefficients is at least as large.

    Raises:
        UnknownNameError: no such correlation.
    """
    coefficient = lookup(CORRELATIONS, correlation, "correlation")
    n = len(scores)
    reason = _undefined(n, {"the scores": scores, "the first measure": first, "the second measure": second})
    if reason:
        return Difference(n, why_not=reason)
    from scipy.stats import permutation_test, rankdata, zscore

    scale = zscore if correlation == "pearson" else rankdata
    judged = np.asarray(scores, dtype=np.float64)

    def gap(one: NDArray[np.float64], other: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
        people = np.broadcast_to(judged, one.shape)
        return defined(coefficient, one, people, axis) - defined(coefficient, other, people, axis)

    test = permutation_test(
        (scale(np.asarray(first, dtype=np.float64)), scale(np.asarray(second, dtype=np.float64))),
        gap,
        permutation_type="samples",
        vectorized=True,
        batch=BATCH,
        n_resamples=RESAMPLES,
        rng=np.random.default_rng(seed),
    )
    return Difference(n, float(test.statistic), float(test.pvalue))


def _undefined(n: int, columns: dict[str, Sequence[float]]) -> str | None:
    if n < FEWEST:
        pairs = "a single pair has" if n == 1 else f"{n} pairs have"
        return f"{pairs} no correlation and no p-value: how two things vary together takes {FEWEST} pairs or more"
    for name, column in columns.items():
        if len(set(column)) == 1:
            return f"{name} are all equal; how they vary with something else can't be said"
    return None


def defined(
    coefficient: Coefficient,
    one: NDArray[np.float64],
    other: NDArray[np.float64],
    axis: int = -1,
) -> NDArray[np.float64]:
    """The coefficients, and 0 where a resample has equal values only: it tells of no agreement then."""
    constant = (np.ptp(one, axis=axis) == 0) | (np.ptp(other, axis=axis) == 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(constant, 0.0, coefficient(one, other))


def pearson(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pearson's r: linear agreement."""
    one = one - one.mean(axis=-1, keepdims=True)
    other = other - other.mean(axis=-1, keepdims=True)
    norms = np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
    coefficients: NDArray[np.float64] = (one * other).sum(axis=-1) / norms
    return coefficients


def spearman(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spearman's rho: agreement of the ranks."""
    from scipy.stats import rankdata

    return pearson(rankdata(one, axis=-1), rankdata(other, axis=-1))


def kendall(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Kendall's tau-b: how many pairs of pairs stand in the same order, ties accounted for."""
    from scipy.stats import kendalltau

    rows = zip(one.reshape(-1, one.shape[-1]), other.reshape(-1, other.shape[-1]), strict=True)
    return np.array([kendalltau(*row, variant="b").statistic for row in rows]).reshape(one.shape[:-1])


CORRELATIONS: dict[str, Coefficient] = {"pearson": pearson, "spearman": spearman, "kendall": kendall}
