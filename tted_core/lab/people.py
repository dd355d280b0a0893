"""How well measures agree with people: correlations with their scores of pairs of maps, and which does better.

Pearson's r, Spearman's rho and Kendall's tau-b, each with a bootstrap interval over the pairs and a permutation
test against no correlation; the difference of two measures by a paired permutation test (Koehn 2004 and Dror et
al. 2018 discuss both for language technology). Permutation tests are exact for a few pairs, where the usual
approximations are far off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tted_core.errors import MapFormatError
from tted_core.formats.edges import check_commas, number_of, read_cells
from tted_core.foundations.limits import MAX_BYTES, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.stats import (
    CORRELATIONS,
    Values,
    correlation_contest,
    correlation_interval,
    correlation_test,
)
from tted_core.lab import Measure
from tted_core.tree import TextTree

MAX_JUDGED_PAIRS = 10_000
"""Rows of a table of judged pairs."""

FEWEST = 3
"""The fewest pairs for a coefficient: two points lie on a line, whatever they are."""

RESAMPLES = 1_000

NAMES = ("pair", "left", "right", "item", "system")
"""Columns that say what a row is about."""


@dataclass(frozen=True)
class JudgedPairs:
    """n pairs of maps that people gave a score.

    Attributes:
        names: of the pairs, for people.
        pairs: the names of the two maps of each pair; none of a table of measures alone.
        scores: people's scores.
        columns: name -> n values of each further column: measures that were computed elsewhere.
    """

    names: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    scores: tuple[float, ...]
    columns: dict[str, tuple[float, ...]]


@dataclass(frozen=True)
class MeasuredPairs:
    """People's scores and each measure of the pairs; ``left_out`` names those that a measure is undefined for."""

    scores: tuple[float, ...]
    measured: dict[str, tuple[float, ...]]
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Agreement:
    """One measure's coefficient over n pairs; where it is undefined, ``why_not`` says why, else it is None.

    ``ci95`` is the 95 % percentile bootstrap interval; ``p`` is the two-sided p-value of a permutation test
    against no correlation.
    """

    coefficient: str
    measure: str
    n: int
    value: float | None = None
    ci95: tuple[float, float] | None = None
    p: float | None = None
    why_not: str | None = None


@dataclass(frozen=True)
class Contest:
    """By how much the coefficient of measure ``a`` is larger than that of ``b``, and the permutation test's p."""

    coefficient: str
    a: str
    b: str
    n: int
    difference: float
    p: float


def read_judged_pairs(data: bytes) -> JudgedPairs:
    """Read a CSV (comma, semicolon or tab) with a header and one row for each pair of maps.

    The columns are ``left`` and ``right``, or ``pair`` ("left | right"), and ``score``; ``item`` and ``system``
    stand for the maps where there are only measures. Any further column is taken as a measure.

    Raises:
        MapFormatError: a column that is missing or comes twice, a row of another length, a cell that is no number.
        LimitError: more than ``MAX_BYTES`` bytes or ``MAX_JUDGED_PAIRS`` rows.
    """
    check_limit(len(data), MAX_BYTES, "bytes of judged pairs", "give fewer rows")
    cells = read_cells(data, "pair")
    check_limit(len(cells.rows), MAX_JUDGED_PAIRS, "judged pairs", "give fewer rows")
    given = set(cells.header)
    about = next(
        (each for each in (("left", "right"), ("pair",), ("item", "system")) if {*each} <= given), None
    )
    if "score" not in given or about is None:
        raise MapFormatError(
            f"the first row names {', '.join(cells.header)}, but the table needs left and right (or pair, or item "
            "and system), and score",
            line=1,
        )
    check_commas(cells, NAMES)
    sides = [
        tuple(part.strip() for name in about for part in record[name].split("|", 1))
        for _, record in cells.rows
    ]
    columns = {
        name: tuple(number_of(record, name, line) for line, record in cells.rows)
        for name in cells.header
        if name not in NAMES
    }
    scores = columns.pop("score")
    pairs = () if about == ("item", "system") else tuple((each[0], each[-1]) for each in sides)
    return JudgedPairs(tuple(" | ".join(each) for each in sides), pairs, scores, columns)


def measure_pairs(
    judged: JudgedPairs,
    maps: Mapping[str, TextTree],
    measures: Mapping[str, Measure],
    monitor: Monitor = UNWATCHED,
) -> MeasuredPairs:
    """Measure every pair; the table's own columns come after the measures.

    Raises:
        Interrupted: the monitor says stop.
    """
    rows: dict[str, list[float]] = {name: [] for name in (*measures, *judged.columns)}
    scores, left_out = [], []
    for index, name in enumerate(judged.names):
        monitor.check()
        monitor.stage(f"Measuring {len(judged.names)} pairs", index / len(judged.names))
        values = {title: of[index] for title, of in judged.columns.items()}
        for title, measure in measures.items():
            left, right = judged.pairs[index]
            value = measure(maps[left], maps[right])
            if value is None:
                left_out.append(name)
                break
            values[title] = value
        else:
            scores.append(judged.scores[index])
            for title, value in values.items():
                rows[title].append(value)
    return MeasuredPairs(
        tuple(scores), {name: tuple(values) for name, values in rows.items()}, tuple(left_out)
    )


def agreements(
    scores: Sequence[float],
    measured: Mapping[str, Sequence[float]],
    *,
    lower: Sequence[str] = (),
    seed: int = 0,
) -> tuple[list[Agreement], list[Contest]]:
    """All measures' agreement with people by each coefficient, and every two of them against each other.

    Args:
        scores: people's n scores.
        measured: name -> n values.
        lower: which of the measures (or "score") are lower for better maps.
        seed: of the resamples.
    """
    people = np.asarray(scores, dtype=np.float64) * (-1 if "score" in lower else 1)
    values = {
        name: np.asarray(each, dtype=np.float64) * (-1 if name in lower else 1)
        for name, each in measured.items()
    }
    n = len(people)
    undefined = {
        name: reason for name, each in values.items() if (reason := _undefined(n, people, each)) is not None
    }
    known = [name for name in values if name not in undefined]
    rows, contests = [], []
    for coefficient in CORRELATIONS:
        for name, each in values.items():
            if name in undefined:
                rows.append(Agreement(coefficient, name, n, why_not=undefined[name]))
                continue
            value, p = correlation_test(each, people, coefficient, RESAMPLES, seed)
            interval = correlation_interval(each, people, coefficient, RESAMPLES, seed)
            rows.append(Agreement(coefficient, name, n, value, interval, p))
        for a, b in combinations(known, 2):
            found = correlation_contest((values[a], values[b]), people, coefficient, RESAMPLES, seed)
            contests.append(Contest(coefficient, a, b, n, *found))
    return rows, contests


def _undefined(n: int, scores: Values, values: Values) -> str | None:
    if n < FEWEST:
        pairs = "a single pair has" if n == 1 else f"{n} pairs have"
        return f"{pairs} no correlation and no p-value: how two things vary together takes {FEWEST} pairs or more"
    for name, column in (("the scores", scores), ("the measure's values", values)):
        if np.ptp(column) == 0:
            return f"{name} are all equal; how they vary with something else can't be said"
    return None
