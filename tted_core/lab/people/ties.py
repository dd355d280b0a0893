"""Pairs of pairs: the same order, the other one, or a tie; pairwise accuracy and tau-b with ties calibrated.

A measure with many digits never ties, while people often do, and is punished for it by tau-b. Deutsch, Foster
and Freitag (2023, "Ties Matter") therefore call two values tied if they differ by no more than an epsilon: the one
with which the measure's accuracy is highest, the share of pairs of items that stand in the same order for people
and the measure, or are tied for both. This is acc23 with tie calibration of mt-metrics-eval; with groups, the mean
of the groups' accuracies is made highest, as there. Tau-b takes the same epsilon.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

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
