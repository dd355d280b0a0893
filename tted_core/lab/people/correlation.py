"""Correlation of measures with people's scores, and which of two measures agrees better.

Pearson's r, Spearman's rho and Kendall's tau-b, each with a bootstrap interval over the pairs and a permutation
test; the difference of two measures by a paired permutation test (Koehn 2004 and Dror et al. 2018 discuss both
for language technology). Permutation tests are exact for a few pairs, where the usual approximations are far off.

Ties: two pairs stand in the same order, in the other one, or are tied. A measure with many digits never ties,
while people often do, and is punished for it by tau-b. Deutsch, Foster and Freitag (2023, "Ties Matter")
therefore call two values tied if they differ by no more than an epsilon: the one with which the measure's
accuracy is highest, the share of pairs of items that stand in the same order for people and the measure, or are
tied for both. This is acc23 with tie calibration of mt-metrics-eval; with groups, the mean of the groups'
accuracies is made highest, as there. Tau-b takes the same epsilon.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.foundations.registry import lookup
from tted_core.foundations.stats import (
    CORRELATIONS,
    correlation_contest,
    correlation_interval,
    correlation_test,
)

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


Values: TypeAlias = NDArray[np.float64]

MAX_RANKED = 3_000
"""Maps that are ranked against each other, by (n, n) matrices."""

TIED = ("accuracy", "kendall_calibrated")
"""Coefficients with calibrated ties."""


def epsilon(people: Sequence[Values], measured: Sequence[Values]) -> float:
    """The largest difference that is called a tie, for groups of people's scores and a measure's values.

    The first of those with the highest mean accuracy; 0 where no tie helps.
    """
    differences, gains = [], []
    for scores, values in zip(people, measured, strict=True):
        upper = np.triu_indices(len(scores), 1)
        if not len(upper[0]):
            continue
        apart = np.abs(values[upper[0]] - values[upper[1]])
        same = np.sign(scores[upper[0]] - scores[upper[1]]) == np.sign(values[upper[0]] - values[upper[1]])
        tied = scores[upper[0]] == scores[upper[1]]
        differences.append(apart)
        gains.append((tied.astype(np.float64) - same) / len(apart))
    if not differences:
        return 0.0
    apart, gain = np.concatenate(differences), np.concatenate(gains)
    order = np.argsort(apart, kind="stable")
    apart, sums = apart[order], np.cumsum(gain[order])
    last = np.append(
        np.flatnonzero(np.diff(apart)), len(apart) - 1
    )  # all pairs of one difference tie together
    best = last[int(np.argmax(sums[last]))]
    return float(apart[best]) if sums[best] > 1e-12 else 0.0


@dataclass(frozen=True)
class Pairs:
    """What each pair of n items says, as (n, n) matrices with zeros on the diagonal.

    Attributes:
        agreed: 1 where people and the measure agree, ties included.
        concordance: 1, -1 or 0 by the order, 0 for ties.
        people: 1 where people see a difference.
        measure: 1 where the measure does.
    """

    agreed: Values
    concordance: Values
    people: Values
    measure: Values

    @classmethod
    def of(cls, scores: Values, values: Values, tie: float) -> "Pairs":
        """All pairs, with values tied that differ by no more than ``tie``."""
        people = np.sign(scores[:, None] - scores)
        apart = values[:, None] - values
        measure = np.where(np.abs(apart) <= tie, 0.0, np.sign(apart))
        agreed = (people == measure).astype(np.float64)
        np.fill_diagonal(agreed, 0.0)
        return cls(agreed, people * measure, np.abs(people), np.abs(measure))

    def coefficients(self, weights: Values) -> dict[str, Values]:
        """The (k,) coefficients of ``TIED`` for (k, n) weights: how often each item was drawn.

        An item that was drawn several times makes no pair with itself.
        """

        def sums(matrix: Values) -> Values:
            return np.asarray(((weights @ matrix) * weights).sum(axis=1))

        every = weights.sum(axis=1) ** 2 - (weights**2).sum(axis=1)
        whole = np.sqrt(sums(self.people) * sums(self.measure))
        return {
            "accuracy": sums(self.agreed) / np.where(every > 0, every, 1.0),
            "kendall_calibrated": sums(self.concordance) / np.where(whole > 0, whole, 1.0),
        }

    def values(self) -> dict[str, float]:
        """The coefficients of the items as they are."""
        ones = np.ones((1, len(self.agreed)))
        return {name: float(value[0]) for name, value in self.coefficients(ones).items()}
