"""Correlation of measures with people's scores, and which of two measures agrees better.

Pearson's r, Spearman's rho and Kendall's tau-b, each with a bootstrap interval over the pairs and a permutation
test; the difference of two measures by a paired permutation test (Koehn 2004 and Dror et al. 2018 discuss both
for language technology). Permutation tests are exact for a few pairs, where the usual approximations are far off.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tted_core.registry import lookup
from tted_core.stats import CORRELATIONS, correlation_contest, correlation_interval, correlation_test

FEWEST = 3
"""The fewest pairs for a coefficient: two points lie on a line, whatever they are."""

RESAMPLES = 1_000


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
    lookup(CORRELATIONS, correlation, "correlation")
    n = len(scores)
    reason = _undefined(n, {"the scores": scores, "the measure's values": values})
    if reason:
        return Correlation(n, why_not=reason)
    columns = np.asarray(values, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    how: dict[str, Any] = {"name": correlation, "resamples": RESAMPLES, "seed": seed}
    value, p = correlation_test(*columns, **how)
    return Correlation(n, value, *correlation_interval(*columns, **how), p)


def difference(
    first: Sequence[float],
    second: Sequence[float],
    scores: Sequence[float],
    correlation: str = "spearman",
    *,
    seed: int = 0,
) -> Difference:
    """Test whether two measures agree with people equally well, as ``stats.correlation_contest`` does.

    Raises:
        UnknownNameError: no such correlation.
    """
    lookup(CORRELATIONS, correlation, "correlation")
    n = len(scores)
    reason = _undefined(n, {"the scores": scores, "the first measure": first, "the second measure": second})
    if reason:
        return Difference(n, why_not=reason)
    one, other, people = (np.asarray(each, dtype=np.float64) for each in (first, second, scores))
    return Difference(n, *correlation_contest((one, other), people, correlation, RESAMPLES, seed))


def _undefined(n: int, columns: dict[str, Sequence[float]]) -> str | None:
    if n < FEWEST:
        pairs = "a single pair has" if n == 1 else f"{n} pairs have"
        return f"{pairs} no correlation and no p-value: how two things vary together takes {FEWEST} pairs or more"
    for name, column in columns.items():
        if len(set(column)) == 1:
            return f"{name} are all equal; how they vary with something else can't be said"
    return None
