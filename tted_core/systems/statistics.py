"""Significance of differences between systems: intervals, paired tests and letters, as in shared tasks.

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

from tted_core.batch.controls import BATCH_CONTROLS
from tted_core.errors import Message, OptionsError, Setting, lookup
from tted_core.foundations.stats import (
    FEWEST_RESAMPLES,
    MAX_RESAMPLES,
    RESAMPLES,
    Values,
    holm,
    percentile_interval,
    randomization_tests,
    resample_means,
    share_as_far,
    without_rounding,
)
from tted_core.systems.scores import SystemScores

LEVEL = 0.05  # a p below it is called significant

# A corrected p below it -> the mark of a difference from the baseline system.
STARS = ((0.001, "***"), (0.01, "**"), (LEVEL, "*"))

FEW = 20  # fewer documents than these make bootstrap intervals too narrow

# Fewer documents than these give no ``p_bootstrap``: resamples of so few hardly reach the other side of 0, and it
# comes to 0.0001 where the exact randomisation can't go below 2 / 2^n.
TOO_FEW = 6

LARGEST = 10  # documents of largest difference that are named for each pair


@dataclass(frozen=True)
class SystemRow:
    """One system by one measure.

    ``mark`` holds the letters or stars of its tests, and is empty for controls and where nothing was tested.
    """

    system: str
    measure: str
    n: int
    mean: float
    ci95: tuple[float, float] | None
    median: float
    mark: str = ""

    @property
    def is_control(self) -> bool:
        """Return True for one of ``BATCH_CONTROLS``, as opposed to a system."""
        return self.system in BATCH_CONTROLS


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
        """Return True if the corrected p is below the level."""
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

    def pair(self, one: str, other: str, measure: str) -> PairRow | None:
        """The test of two systems, whichever of them is called a; None if there was none."""
        return next(
            (row for row in self.pairs if {row.a, row.b} == {one, other} and row.measure == measure), None
        )

    @property
    def signature(self) -> str:
        """The tests in one line."""
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
        resamples: number of resamples.
        seed: seed of the resamples; each measure begins with it, so that its numbers don't depend on the others.
    """
    contenders = scores.contenders
    if baseline is not None:
        lookup(dict.fromkeys(contenders.systems), baseline, "system")
    if not contenders.systems:
        raise OptionsError("there are controls only; give at least one system")
    if not FEWEST_RESAMPLES <= resamples <= MAX_RESAMPLES:
        raise OptionsError(
            f"{resamples:,} resamples; give at least {FEWEST_RESAMPLES} (fewer say nothing of 5 %) and at most "
            f"{MAX_RESAMPLES:,}"
        )
    measures = [measure for measure in scores.measures if scores.whole(measure).any()]
    without = [measure for measure in scores.measures if measure not in measures]
    if not measures:
        raise OptionsError(
            Message(
                f"no document has a value of {without[0]} for each of {', '.join(contenders.systems)} "
                f"({scores.summary[-1]:.300}); give systems the same documents, or count each missing map as the "
                "empty one (",
                Setting("missing", "empty"),
                ")",
            )
        )
    systems: list[SystemRow] = []
    pairs: list[PairRow] = []
    for measure in measures:
        values = contenders.measures[measure][:, scores.whole(measure)]
        resampled = resample_means(values, resamples, seed)
        tested = _run_test(scores, measure, resampled, baseline=baseline, resamples=resamples, seed=seed)
        means = values.mean(axis=1).tolist()  # a row alone is summed in another order
        rows = [
            _system_row(
                system,
                measure,
                values[number],
                means[number],
                None if resampled is None else resampled[number],
            )
            for number, system in enumerate(contenders.systems)
        ]
        side = 1 if measure in scores.lower else -1
        rows.sort(key=lambda row: (side * row.mean, row.system))
        known = [(row, row.p_holm) for row in tested if row.p_holm is not None]
        apart = [(row.a, row.b) for row, _ in known if row.significant]
        marks = letters([row.system for row in rows], apart) if known else {}
        if baseline is not None:
            marks = {row.a: next((mark for limit, mark in STARS if p < limit), "") for row, p in known}
        systems += [replace(row, mark=marks.get(row.system, "")) for row in rows]
        systems += sorted(_control_rows(scores, measure, resamples, seed), key=lambda row: side * row.mean)
        pairs += tested
    remarks = [f"{measure} left out: no document has a value of it for every system" for measure in without]
    documents = min(row.n for row in systems if not row.is_control)
    if documents == 1:
        remarks.append("one document has neither interval nor p-value; compare more")
    elif documents < FEW:
        p = "p_bootstrap too small" if documents >= TOO_FEW else f"p_bootstrap isn't given below {TOO_FEW}"
        remarks.append(
            f"with {documents} documents bootstrap intervals are too narrow, and {p}; p_randomization holds for "
            "any number"
        )
    return Compared(
        tuple(systems),
        tuple(pairs),
        scores.lower,
        baseline,
        resamples,
        seed,
        notices=(*scores.notices, *remarks),
        summary=(*scores.summary, *remarks),
    )


def _system_row(
    system: str, measure: str, values: Values, mean: float, resampled: Values | None
) -> SystemRow:
    """One system by its (n,) values of a measure, and resampled means."""
    interval = None if resampled is None else percentile_interval(resampled)
    return SystemRow(system, measure, len(values), mean, interval, float(np.median(values)))


def _control_rows(scores: SystemScores, measure: str, resamples: int, seed: int) -> Iterator[SystemRow]:
    """The controls on the documents that count for the systems."""
    for control, every in zip(scores.systems, scores.measures[measure], strict=True):
        values = every[scores.whole(measure) & np.isfinite(every)]
        if control in BATCH_CONTROLS and len(values):
            resampled = resample_means(values, resamples, seed)
            yield _system_row(control, measure, values, float(values.mean()), resampled)


def _run_test(
    scores: SystemScores,
    measure: str,
    resampled: Values | None,
    *,
    baseline: str | None,
    resamples: int,
    seed: int,
) -> list[PairRow]:
    """Every pair in the input's order, or every other system and the baseline, with corrected p-values.

    ``resampled`` are (systems, resamples) means; None for one document.
    """
    kept = scores.whole(measure)
    values = scores.contenders.measures[measure][:, kept]
    items = list(itertools.compress(scores.items, kept))
    names = scores.contenders.systems
    chosen = list(itertools.combinations(range(len(names)), 2))
    if baseline is not None:
        against = names.index(baseline)
        chosen = [(system, against) for system in range(len(names)) if system != against]
    if not chosen:
        return []
    ranks = without_rounding(values)
    differences = np.array([np.where(ranks[a] == ranks[b], 0.0, values[a] - values[b]) for a, b in chosen])
    unknown: list[float | None] = [None] * len(chosen)
    p = unknown if resampled is None else randomization_tests(differences, resamples, seed).tolist()
    means = values.mean(axis=1)
    rows = []
    for (a, b), by, p_randomization, p_holm in zip(chosen, differences, p, holm(p), strict=True):
        observed = float(means[a] - means[b]) if by.any() else 0.0
        ci95 = p_bootstrap = None
        if resampled is not None:
            apart = resampled[a] - resampled[b]
            ci95 = percentile_interval(apart)
            if len(by) >= TOO_FEW:
                p_bootstrap = share_as_far(apart - observed, observed)
        spread = float(by.std(ddof=1)) if len(by) > 1 else 0.0
        better = (by < 0) if measure in scores.lower else (by > 0)
        wins, ties = int(better.sum()), int((by == 0).sum())
        largest = np.argsort(-np.abs(by), kind="stable")[:LARGEST]
        rows.append(
            PairRow(
                names[a],
                names[b],
                measure,
                len(by),
                observed,
                ci95,
                p_bootstrap,
                p_randomization,
                p_holm,
                observed / spread if spread else None,
                wins,
                ties,
                len(by) - wins - ties,
                tuple((items[item], float(by[item])) for item in largest),
            )
        )
    return rows


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
    rank = {system: number for number, system in enumerate(systems)}
    groups.sort(key=lambda group: sorted(rank[system] for system in group))
    names = [ascii_lowercase[number % 26] + "'" * (number // 26) for number in range(len(groups))]
    return {
        system: "".join(name for name, group in zip(names, groups, strict=True) if system in group)
        for system in systems
    }
