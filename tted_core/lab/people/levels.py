"""Agreement with people at three levels, with intervals and tests of which measure agrees better.

- ``segment``: over all judged maps together.
- ``item``: over the systems within each document, then the mean over documents (group by item in
  mt-metrics-eval). A document whose maps people score all alike says nothing of an order, and is left out of all
  but accuracy.
- ``system``: over the systems' means. Accuracy is then the share of pairs of systems that both put in the same
  order (Kocmi et al. 2021), without calibration.

Intervals are 95 % percentile bootstrap, over maps or, at the other levels, over documents. Tests of two measures:
at segment level the permutation test of ``difference``, for calibrated ties a paired bootstrap; at item level the
documents' two coefficients are exchanged; at system level all values of a document are exchanged between the
measures, once both have one scale (Deutsch, Dror and Roth 2021).
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tted_core.foundations.stats import (
    CORRELATIONS,
    correlation_or_0,
    mean_interval,
    percentile_interval,
    randomization_test,
    share_as_far,
)
from tted_core.lab.people.correlation import (
    FEWEST,
    MAX_RANKED,
    RESAMPLES,
    TIED,
    Pairs,
    Values,
    correlate,
    difference,
    epsilon,
)
from tted_core.lab.people.maps import MeasuredPairs

COEFFICIENTS = (*CORRELATIONS, *TIED)
"""The coefficients of maps; systems have the first three and accuracy."""


@dataclass(frozen=True)
class MeasureAgreement:
    """One measure's agreement with people; where it is undefined, ``why_not`` says why, else it is None.

    ``n`` counts maps, documents or systems, by the level; ``tie`` is the epsilon of a coefficient that has one.
    """

    level: str
    coefficient: str
    measure: str
    n: int
    value: float | None = None
    ci95: tuple[float, float] | None = None
    tie: float | None = None
    why_not: str | None = None


@dataclass(frozen=True)
class Contest:
    """By how much the agreement of measure ``a`` is larger than that of ``b``, and the two-sided p."""

    level: str
    coefficient: str
    a: str
    b: str
    n: int
    difference: float | None = None
    p: float | None = None


def agreements(
    measured: MeasuredPairs, *, lower: Sequence[str] = (), seed: int = 0
) -> tuple[tuple[MeasureAgreement, ...], tuple[Contest, ...]]:
    """All measures' agreement with people, and every two of them against each other, at each level that there is.

    Args:
        measured: people's scores and measures of the same maps, perhaps with documents and systems.
        lower: which of the measures (or "score") are lower for better maps.
        seed: of the resamples.
    """
    scores = _turned(measured.scores, lower="score" in lower)
    values = {name: _turned(each, lower=name in lower) for name, each in measured.measured.items()}
    levels: list[_Systems | _Items | _Segments] = [_Segments(scores, values, seed)]
    table = _table(measured, scores, values)
    if table is not None:
        levels = [_Systems(*table, seed), _Items(*table, seed), *levels]
    rows, contests = [], []
    for level in levels:
        for coefficient in level.coefficients:
            rows += [level.row(coefficient, name) for name in values]
            contests += [level.contest(coefficient, *pair) for pair in itertools.combinations(values, 2)]
    return tuple(rows), tuple(contests)


def _turned(values: Sequence[float], *, lower: bool) -> Values:
    return np.asarray(values, dtype=np.float64) * (-1 if lower else 1)


def _table(
    measured: MeasuredPairs, scores: Values, values: Mapping[str, Values]
) -> tuple[Values, dict[str, Values]] | None:
    """(documents, systems) scores and values of the documents that every system has; None without such."""
    if not measured.items or not measured.systems:
        return None
    cells = {key: row for row, key in enumerate(zip(measured.items, measured.systems, strict=True))}
    systems = list(dict.fromkeys(measured.systems))
    every = dict.fromkeys(measured.items)
    items = [item for item in every if all((item, system) in cells for system in systems)]
    if len(systems) < 2 or len(items) < 2:
        return None
    places = np.array([[cells[item, system] for system in systems] for item in items])
    return scores[places], {name: each[places] for name, each in values.items()}


@dataclass(frozen=True)
class _Segments:
    """All maps together: (n,) scores and values."""

    scores: Values
    values: Mapping[str, Values]
    seed: int
    coefficients = COEFFICIENTS

    @property
    def n(self) -> int:
        return len(self.scores)

    def row(self, coefficient: str, name: str) -> MeasureAgreement:
        if coefficient in CORRELATIONS:
            found = correlate(self.values[name].tolist(), self.scores.tolist(), coefficient, seed=self.seed)
            interval = None if found.low is None or found.high is None else (found.low, found.high)
            return MeasureAgreement(
                "segment", coefficient, name, self.n, found.value, interval, why_not=found.why_not
            )
        reason = self._undefined
        if reason:
            return MeasureAgreement("segment", coefficient, name, self.n, why_not=reason)
        tie, pairs, resampled = self._ranked[name]
        interval = percentile_interval(resampled[coefficient])
        return MeasureAgreement(
            "segment", coefficient, name, self.n, pairs.values()[coefficient], interval, tie
        )

    def contest(self, coefficient: str, a: str, b: str) -> Contest:
        if coefficient in CORRELATIONS:
            one, other = (self.values[name].tolist() for name in (a, b))
            found = difference(one, other, self.scores.tolist(), coefficient, seed=self.seed)
            return Contest("segment", coefficient, a, b, self.n, found.value, found.p)
        if self._undefined:
            return Contest("segment", coefficient, a, b, self.n)
        (_, first, drawn), (_, second, drawn_too) = self._ranked[a], self._ranked[b]
        observed = first.values()[coefficient] - second.values()[coefficient]
        p = share_as_far(drawn[coefficient] - drawn_too[coefficient] - observed, observed)
        return Contest("segment", coefficient, a, b, self.n, observed, p)

    @property
    def _undefined(self) -> str | None:
        if self.n < FEWEST:
            return f"an order takes {FEWEST} maps or more"
        if self.n > MAX_RANKED:
            return (
                f"{self.n:,} maps are too many to be ranked against each other; the limit is {MAX_RANKED:,}"
            )
        return "the scores are all equal" if np.ptp(self.scores) == 0 else None

    @cached_property
    def _ranked(self) -> dict[str, tuple[float, Pairs, dict[str, Values]]]:
        """Measure -> epsilon, pairs, and the resampled coefficients, for all measures on the same resamples."""
        rng = np.random.default_rng(self.seed)
        weights = rng.multinomial(self.n, np.full(self.n, 1 / self.n), RESAMPLES).astype(np.float64)
        ranked = {}
        for name, values in self.values.items():
            tie = epsilon([self.scores], [values])
            pairs = Pairs.of(self.scores, values, tie)
            ranked[name] = tie, pairs, pairs.coefficients(weights)
        return ranked


@dataclass(frozen=True)
class _Items:
    """Over the systems within each document: (documents, systems) scores and values."""

    scores: Values
    values: Mapping[str, Values]
    seed: int
    coefficients = COEFFICIENTS

    def row(self, coefficient: str, name: str) -> MeasureAgreement:
        each, tie = self._each[coefficient][name]
        if len(each) < 2:
            return MeasureAgreement("item", coefficient, name, len(each), why_not=self._why(coefficient))
        interval = mean_interval(each, RESAMPLES, self.seed)
        return MeasureAgreement("item", coefficient, name, len(each), float(each.mean()), interval, tie)

    def contest(self, coefficient: str, a: str, b: str) -> Contest:
        (one, _), (other, _) = self._each[coefficient][a], self._each[coefficient][b]
        if len(one) < 2:
            return Contest("item", coefficient, a, b, len(one))
        return Contest(
            "item", coefficient, a, b, len(one), *randomization_test(one - other, RESAMPLES, self.seed)
        )

    def _why(self, coefficient: str) -> str:
        if self.scores.shape[1] < FEWEST and coefficient in CORRELATIONS:
            return f"each document has {self.scores.shape[1]} systems; a correlation takes {FEWEST} or more"
        return "people score the systems differently in less than two documents"

    @cached_property
    def _each(self) -> dict[str, dict[str, tuple[Values, float | None]]]:
        """Coefficient -> measure -> one value for each document that tells of an order, and the epsilon."""
        varies = np.ptp(self.scores, axis=1) > 0
        varied = varies & (self.scores.shape[1] >= FEWEST)
        each: dict[str, dict[str, tuple[Values, float | None]]] = {name: {} for name in COEFFICIENTS}
        for name, values in self.values.items():
            for coefficient, function in CORRELATIONS.items():
                each[coefficient][name] = (
                    correlation_or_0(function, values[varied], self.scores[varied]),
                    None,
                )
            tie = epsilon(list(self.scores), list(values))
            pairs = [Pairs.of(*row, tie).values() for row in zip(self.scores, values, strict=True)]
            each["accuracy"][name] = np.array([row["accuracy"] for row in pairs]), tie
            taus = np.array([row["kendall_calibrated"] for row in pairs])
            each["kendall_calibrated"][name] = taus[varies], tie
        return each


@dataclass(frozen=True)
class _Systems:
    """Over the systems' means: (documents, systems) scores and values."""

    scores: Values
    values: Mapping[str, Values]
    seed: int
    coefficients = (*CORRELATIONS, "accuracy")

    def row(self, coefficient: str, name: str) -> MeasureAgreement:
        systems = self.scores.shape[1]
        reason = self._undefined(coefficient, name)
        if reason:
            return MeasureAgreement("system", coefficient, name, systems, why_not=reason)
        rng = np.random.default_rng(self.seed)
        drawn = rng.integers(0, len(self.scores), (RESAMPLES, len(self.scores)))
        resampled = self._value(
            coefficient, self.values[name][drawn].mean(axis=1), self.scores[drawn].mean(axis=1)
        )
        value = self._value(coefficient, self.values[name].mean(axis=0), self.scores.mean(axis=0))
        return MeasureAgreement(
            "system", coefficient, name, systems, float(value), percentile_interval(resampled)
        )

    def contest(self, coefficient: str, a: str, b: str) -> Contest:
        systems = self.scores.shape[1]
        if any(self._undefined(coefficient, name) for name in (a, b)):
            return Contest("system", coefficient, a, b, systems)
        one, other = (self._standard(self.values[name]) for name in (a, b))
        people = self.scores.mean(axis=0)
        exchanged = np.random.default_rng(self.seed).integers(0, 2, (RESAMPLES, len(one))) / len(one)
        moved = exchanged @ (other - one)
        of_one, of_other = one.mean(axis=0) + moved, other.mean(axis=0) - moved
        everybody = np.broadcast_to(people, of_one.shape)
        apart = self._value(coefficient, of_one, everybody) - self._value(coefficient, of_other, everybody)
        observed = float(
            self._value(coefficient, one.mean(axis=0), people)
            - self._value(coefficient, other.mean(axis=0), people)
        )
        return Contest("system", coefficient, a, b, systems, observed, share_as_far(apart, observed))

    def _undefined(self, coefficient: str, name: str) -> str | None:
        systems = self.scores.shape[1]
        if systems < FEWEST and coefficient in CORRELATIONS:
            return f"{systems} systems have no correlation; it takes {FEWEST} or more"
        for what, values in (("the scores", self.scores), ("the measure's values", self.values[name])):
            if np.ptp(values.mean(axis=0)) == 0:
                return f"{what} are the same for all systems"
        return None

    @staticmethod
    def _value(coefficient: str, values: Values, scores: Values) -> Values:
        if coefficient in CORRELATIONS:
            return correlation_or_0(CORRELATIONS[coefficient], values, scores)
        one, other = np.triu_indices(scores.shape[-1], 1)
        same = np.sign(values[..., one] - values[..., other]) == np.sign(
            scores[..., one] - scores[..., other]
        )
        return np.asarray(same.mean(axis=-1), dtype=np.float64)

    @staticmethod
    def _standard(values: Values) -> Values:
        return np.asarray((values - values.mean()) / (values.std() or 1.0))
