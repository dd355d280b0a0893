"""Which system is better, and how surely: intervals, paired tests, and clusters, as shared tasks report them.

- Intervals: percentile bootstrap over documents (Efron 1979), all systems on the same resamples.
- ``p_bootstrap``: paired bootstrap (Koehn 2004), two-sided: how often a resample's difference of means is at least
  as far from the observed one as that is from 0 (Graham, Mathur and Baldwin 2014; sacreBLEU does the same).
- ``p_randomization``: paired approximate randomisation (Noreen 1989; Riezler and Maxwell 2005): if both systems
  were equally good, each document's two values could as well be exchanged. Exact where all exchanges can be tried.
- ``p_holm``: the latter, corrected for the number of tests of a measure (Holm 1979).
- Marks: a compact letter display, in which two systems share a letter unless they differ significantly (Piepho
  2004), or stars where all were tested against one baseline system.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase

import numpy as np

from tted_core.batch.controls import CONTROLS
from tted_core.errors import OptionsError
from tted_core.foundations.registry import lookup
from tted_core.foundations.stats import (
    holm,
    mean_interval,
    percentile_interval,
    randomization_tests,
    resampled_means,
    share_as_far,
)
from tted_core.systems.scores import SystemScores, Values

RESAMPLES = 9_999
"""Resamples of each test; with the observed one they are 10,000."""

LEVEL = 0.05
"""A p below it is called significant."""

STARS = ((0.001, "***"), (0.01, "**"), (LEVEL, "*"))
"""A corrected p below it -> the mark of a difference from the baseline system."""

FEW = 20
"""Fewer documents than these make bootstrap intervals too narrow."""

TOO_FEW = 6
"""Fewer documents than these give no ``p_bootstrap``: resamples of so few hardly reach the other side of 0, and
it comes to 0.0001 where the exact randomisation can't go below 2 / 2^n."""

LARGEST = 10
"""Documents of largest difference that are named for each pair."""


@dataclass(frozen=True)
class SystemRow:
    """One system by one measure.

    ``mean`` is over maps (macro), ``micro`` weighs each by its reference's nodes, None if these aren't known;
    ``mark`` holds the letters or stars of its tests, and is empty for controls and where nothing was tested.
    """

    system: str
    measure: str
    n: int
    mean: float
    ci95: tuple[float, float] | None
    median: float
    micro: float | None
    mark: str = ""

    @property
    def is_control(self) -> bool:
        """Whether it is one of ``CONTROLS`` and no system."""
        return self.system in CONTROLS


@dataclass(frozen=True)
class PairRow:
    """Two systems by one measure; the difference is mean(a) - mean(b), wins are documents on which a is better.

    ``effect`` is the mean difference in standard deviations of the differences (Cohen's d_z), None if these are 0.
    ``largest`` are the documents of largest difference, value(a) - value(b).
    """

    a: str
    b: str
    measure: str
    n: int
    difference: float
    ci95: tuple[float, float] | None
    p_bootstrap: float | None
    p_randomization: float | None
    p_holm: float | None
    effect: float | None
    wins: int
    ties: int
    losses: int
    largest: tuple[tuple[str, float], ...] = ()

    @property
    def significant(self) -> bool:
        """Whether the corrected p is below the level."""
        return self.p_holm is not None and self.p_holm < LEVEL


@dataclass(frozen=True)
class Compared:
    """All systems by all measures; each measure's rows from its best system to its worst, then the controls'.

    Attributes:
        systems: a row for each measure and system.
        pairs: a row for each measure and pair that was tested, or the pairs with the baseline system alone.
        lower: the measures of which lower is better.
        baseline: the system that the others were tested against; None if all pairs were.
        resamples: of the bootstrap and of a randomisation that isn't exact.
        seed: of both.
        notices: what a reader should know.
        summary: the same, notices about maps being grouped by kind.
    """

    systems: tuple[SystemRow, ...]
    pairs: tuple[PairRow, ...]
    lower: frozenset[str]
    baseline: str | None
    resamples: int
    seed: int
    notices: tuple[str, ...]
    summary: tuple[str, ...]

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, in their order."""
        return tuple(dict.fromkeys(row.measure for row in self.systems))

    @property
    def ranking(self) -> tuple[str, ...]:
        """The systems, the best by the first measure first; without the controls."""
        return tuple(row.system for row in self.of(self.measures[0]) if not row.is_control)

    @property
    def controls(self) -> tuple[str, ...]:
        """The controls, the best by the first measure first."""
        return tuple(dict.fromkeys(row.system for row in self.systems if row.is_control))

    def of(self, measure: str) -> tuple[SystemRow, ...]:
        """The rows of a measure."""
        return tuple(row for row in self.systems if row.measure == measure)

    def row(self, system: str, measure: str) -> SystemRow | None:
        """One system by one measure; None where a control has no value of it."""
        return next((row for row in self.of(measure) if row.system == system), None)

    def pair(self, one: str, other: str, measure: str) -> PairRow | None:
        """The test of two systems, whichever of them is called a; None if there was none."""
        return next(
            (row for row in self.pairs if {row.a, row.b} == {one, other} and row.measure == measure), None
        )

    @property
    def signature(self) -> str:
        """How it was tested, in one line."""
        against = f"all pairs against {self.baseline}" if self.baseline else "all pairs"
        return (
            f"systems|ci:percentile bootstrap,{self.resamples}|p:paired randomization,{self.resamples}|"
            f"tests:{against}|correction:holm|seed:{self.seed}"
        )


def compare_systems(
    scores: SystemScores, *, baseline: str | None = None, resamples: int = RESAMPLES, seed: int = 0
) -> Compared:
    """Compare systems by all measures; a document that lacks a value of one is left out of this measure for all.

    Args:
        scores: the values.
        baseline: test the other systems against this one only, which needs fewer tests.
        resamples: how many.
        seed: of the resamples; each measure begins with it, so that its numbers don't depend on the others.
    """
    if baseline is not None:
        lookup(dict.fromkeys(scores.contenders.systems), baseline, "system")
    if not scores.contenders.systems:
        raise OptionsError("there are controls only; give at least one system")
    if resamples < 99:
        raise OptionsError(f"{resamples} resamples say nothing of 5 %; give at least 99")
    systems: list[SystemRow] = []
    pairs: list[PairRow] = []
    for measure in scores.measures:
        of_measure = _Measure(scores.contenders, measure, baseline, resamples, seed)
        tested = of_measure.pairs()
        systems += of_measure.rows(tested)
        systems += _control_rows(scores, measure, resamples, seed)
        pairs += tested
    return Compared(
        tuple(systems),
        tuple(pairs),
        scores.lower,
        baseline,
        resamples,
        seed,
        (*scores.notices, *_few(systems)),
        (*scores.summary, *_few(systems)),
    )


def _few(systems: Sequence[SystemRow]) -> Iterator[str]:
    fewest = min(row.n for row in systems if not row.is_control)
    if fewest == 1:
        yield "one document has neither interval nor p-value; compare more"
    elif fewest < FEW:
        p = "p_bootstrap too small" if fewest >= TOO_FEW else f"p_bootstrap isn't given below {TOO_FEW}"
        yield (
            f"with {fewest} documents bootstrap intervals are too narrow, and {p}; p_randomization holds for any "
            "number"
        )


def _control_rows(scores: SystemScores, measure: str, resamples: int, seed: int) -> list[SystemRow]:
    """The controls on the documents that count for the systems, from the best to the worst."""
    rows = []
    for control in scores.controls:
        values = scores.measures[measure][scores.systems.index(control)]
        kept = scores.whole(measure) & np.isfinite(values)
        if kept.any():
            values, nodes = values[kept], None if scores.nodes is None else scores.nodes[kept]
            interval = mean_interval(values, resamples, seed)
            mean, median = float(values.mean()), float(np.median(values))
            rows.append(
                SystemRow(control, measure, len(values), mean, interval, median, _micro(values, nodes))
            )
    return sorted(rows, key=lambda row: row.mean if measure in scores.lower else -row.mean)


def _micro(values: Values, nodes: Values | None) -> float | None:
    """The mean in which each document weighs as many nodes as its reference has."""
    return float(np.average(values, weights=nodes)) if nodes is not None and nodes.sum() > 0 else None


class _Measure:
    """One measure's values and resampled means."""

    def __init__(
        self, scores: SystemScores, measure: str, baseline: str | None, resamples: int, seed: int
    ) -> None:
        whole = scores.whole(measure)
        if not whole.any():
            raise OptionsError(
                f"no document has a value of {measure} for each of {', '.join(scores.systems)}; give systems the "
                "same documents"
            )
        self.measure = measure
        self.sign = -1.0 if measure in scores.lower else 1.0
        self.items = [item for item, kept in zip(scores.items, whole, strict=True) if kept]
        self.values: Values = scores.measures[measure][:, whole]
        self.nodes = None if scores.nodes is None else scores.nodes[whole]
        self.means: Values = self.values.mean(axis=1)
        self.ranking = sorted(
            range(len(scores.systems)),
            key=lambda system: (-self.sign * self.means[system], scores.systems[system]),
        )
        self.names = scores.systems
        self.baseline = baseline
        self.resamples, self.seed = resamples, seed
        self.resampled = resampled_means(self.values, resamples, seed)

    def rows(self, pairs: Sequence[PairRow]) -> Iterator[SystemRow]:
        """From the best system to the worst."""
        marks = self._marks(pairs)
        for system in self.ranking:
            values = self.values[system]
            yield SystemRow(
                self.names[system],
                self.measure,
                len(values),
                float(self.means[system]),
                None if self.resampled is None else percentile_interval(self.resampled[system]),
                float(np.median(values)),
                _micro(values, self.nodes),
                marks.get(self.names[system], ""),
            )

    def pairs(self) -> list[PairRow]:
        """Every pair in the input's order, or every other system and the baseline, with corrected p-values."""
        every = range(len(self.names))
        chosen = list(itertools.combinations(every, 2))
        if self.baseline is not None:
            number = self.names.index(self.baseline)
            chosen = [(system, number) for system in every if system != number]
        p: list[float | None] = [None] * len(chosen)
        if self.resampled is not None and chosen:
            differences = np.array([self.values[a] - self.values[b] for a, b in chosen])
            p = [float(each) for each in randomization_tests(differences, self.resamples, self.seed)]
        tested = [self._pair(*pair, each) for pair, each in zip(chosen, p, strict=True)]
        corrected = holm(p)
        return [replace(row, p_holm=p_holm) for row, p_holm in zip(tested, corrected, strict=True)]

    def _pair(self, a: int, b: int, p: float | None) -> PairRow:
        differences = self.values[a] - self.values[b]
        observed = float(self.means[a] - self.means[b])
        ci95 = p_bootstrap = None
        if self.resampled is not None:
            resampled = self.resampled[a] - self.resampled[b]
            ci95 = percentile_interval(resampled)
            if len(differences) >= TOO_FEW:
                p_bootstrap = share_as_far(resampled - observed, observed)
        spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
        largest = np.argsort(-np.abs(differences), kind="stable")[:LARGEST]
        return PairRow(
            self.names[a],
            self.names[b],
            self.measure,
            len(differences),
            observed,
            ci95,
            p_bootstrap,
            p,
            None,
            observed / spread if spread else None,
            int((self.sign * differences > 0).sum()),
            int((differences == 0).sum()),
            int((self.sign * differences < 0).sum()),
            tuple((self.items[item], float(differences[item])) for item in largest),
        )

    def _marks(self, pairs: Sequence[PairRow]) -> dict[str, str]:
        """System -> its letters, or the stars of its difference from the baseline."""
        tested = [(row, row.p_holm) for row in pairs if row.p_holm is not None]
        if self.baseline is not None:
            return {row.a: next((mark for limit, mark in STARS if p < limit), "") for row, p in tested}
        apart = [(row.a, row.b) for row, _ in tested if row.significant]
        return letters([self.names[system] for system in self.ranking], apart) if tested else {}


def letters(systems: Sequence[str], apart: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Compact letter display, by inserting and absorbing: two systems share a letter unless they are ``apart``.

    >>> letters(["best", "middle", "worst"], [("best", "worst")])
    {'best': 'a', 'middle': 'ab', 'worst': 'b'}
    """
    groups = [frozenset(systems)]
    for pair in apart:
        split = [group - {system} for group in groups if group.issuperset(pair) for system in pair]
        groups = [group for group in groups if not group.issuperset(pair)]
        groups += [group for group in dict.fromkeys(split) if not any(group <= other for other in groups)]
        groups = [group for group in groups if not any(group < other for other in groups)]
    place = {system: number for number, system in enumerate(systems)}
    groups.sort(key=lambda group: sorted(place[system] for system in group))
    names = [ascii_lowercase[number % 26] + "'" * (number // 26) for number in range(len(groups))]
    return {
        system: "".join(name for name, group in zip(names, groups, strict=True) if system in group)
        for system in systems
    }
