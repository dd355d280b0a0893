"""Agreement of measures with human judgements of pairs of maps, compared with controls that ignore structure.

People rate pairs on one scale, or rank candidates within groups (maps for one query). A measure agrees with
ratings by Spearman's rho, with ranks by Kendall's tau-b (1945) in each group, averaged over the groups. Intervals
are 95 % percentiles of a bootstrap over clusters of pairs that aren't independent (Efron 1979), the same resamples
for all measures, so that differences are paired (Koehn 2004).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines import BASELINES
from tted_core.batch.memory import compare_many
from tted_core.distances import Models
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.errors import MAX_BYTES, MapFormatError, OptionsError, TTEDError, check_limit
from tted_core.formats.document import decode
from tted_core.foundations.messages import without_surrogates
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.stats import (
    Values,
    correlation_or_0,
    kendall,
    percentile_interval,
    spearman,
    without_rounding,
)
from tted_core.foundations.tables import number_of, read_cells
from tted_core.method import Method
from tted_core.tree import TextTree

MAX_JUDGED_PAIRS = 10_000  # rows of a table of judged pairs

_FEWEST = 3  # minimum number of rated pairs for a correlation; two points always lie on a line

BOOTSTRAP_DRAWS = 1_000

# Baselines that ignore which sentence is above which.
WITHOUT_STRUCTURE = tuple(name for name, each in BASELINES.items() if each.is_control)

# Columns that aren't numbers.
_TEXTS = ("id", "left", "right", "group", "cluster", "left_text", "right_text")


@dataclass(frozen=True)
class JudgedPairs:
    """n pairs of maps judged by people.

    Attributes:
        ids: identifiers of the pairs.
        pairs: names of the two maps of each pair.
        human: ratings or ranks, higher for more similar maps.
        groups: for each pair the group in which it was ranked; all "" if pairs are rated on one scale.
        clusters: for each pair the cluster that the bootstrap draws.
        columns: name -> n values of each further column, a measure computed elsewhere.
    """

    ids: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    human: tuple[float, ...]
    groups: tuple[str, ...]
    clusters: tuple[str, ...]
    columns: dict[str, tuple[float, ...]]


@dataclass(frozen=True)
class MeasureAgreement:
    """Agreement of a measure with people, -1 to 1, with its interval.

    ``difference`` is the agreement minus that of the best control, with its own interval; None without controls
    and for the best control itself.
    """

    measure: str
    value: float
    ci95: tuple[float, float]
    difference: float | None = None
    difference_ci95: tuple[float, float] | None = None


def read_judged_pairs(data: bytes) -> JudgedPairs:
    """Read a table (comma, semicolon or tab) with a header and one row per pair of maps.

    The columns are ``left``, ``right`` and ``human``, and optionally ``id``, ``group`` and ``cluster`` (clusters
    are groups by default, or else rows). Any other numeric column is a measure.

    Raises:
        MapFormatError: a column is missing or repeated, a row has another length, or a cell isn't a number.
        LimitError: more than ``MAX_BYTES`` bytes or ``MAX_JUDGED_PAIRS`` rows.
    """
    check_limit(len(data), MAX_BYTES, "bytes of judged pairs", "give fewer rows")
    cells = read_cells(without_surrogates(decode(data)[0]), "pair")
    check_limit(len(cells.rows), MAX_JUDGED_PAIRS, "judged pairs", "give fewer rows")
    if not {"left", "right", "human"} <= set(cells.header):
        raise MapFormatError(
            f"the first row names {', '.join(cells.header)}, but the table needs left, right and human",
            line=1,
        )
    texts = {name: tuple(record[name].strip() for _, record in cells.rows) for name in cells.header}
    numbers = {
        name: tuple(number_of(cells, record, name, line) for line, record in cells.rows)
        for name in cells.header
        if name not in _TEXTS
    }
    rows = tuple(str(number) for number in range(1, len(cells.rows) + 1))
    groups = texts.get("group", ("",) * len(rows))
    return JudgedPairs(
        ids=texts.get("id", rows),
        pairs=tuple(zip(texts["left"], texts["right"], strict=True)),
        human=numbers.pop("human"),
        groups=groups,
        clusters=texts.get("cluster", groups if any(groups) else rows),
        columns=numbers,
    )


def measure_agreement(
    judged: JudgedPairs,
    maps: Mapping[str, TextTree],
    methods: Mapping[str, Method],
    baselines: Iterable[str],
    *,
    load: Callable[[str], Encoder] = load_encoder,
    monitor: Monitor = UNWATCHED,
) -> dict[str, NDArray[np.float64]]:
    """Name -> n values of each measure, higher for more similar maps.

    A baseline that is undefined for some pair is left out.

    Args:
        judged: the pairs.
        maps: maps by name.
        methods: name -> settings of TTED, of which the normalized distance is used.
        baselines: names of ``BASELINES``.
        load: loads an encoder by name; baselines use the first setting's.
        monitor: receives the stages and may stop the work.

    Raises:
        TTEDError: a pair can't be compared.
    """
    pairs = [(maps[left], maps[right]) for left, right in judged.pairs]
    values: dict[str, list[float]] = {}
    names = tuple(baselines)
    for title, method in methods.items():
        rows = list(
            compare_many(pairs, method, Models(load(method.encoder)), baselines=names, monitor=monitor)
        )
        for name, row in zip(judged.ids, rows, strict=True):
            if row["error"]:
                raise TTEDError(f"pair {name}: {row['error']}")
        values[title] = [-row["normalized"] for row in rows]
        for name in names:
            # The distance derived from it, on one scale for all pairs, unless it is undefined for some pair.
            distances = [row[f"{name}_rho"] for row in rows]
            similarities = [row[name] for row in rows]
            if None not in distances:
                values[name] = [-each for each in distances]
            elif None not in similarities:
                values[name] = similarities
        names = ()
    return {name: np.array(column) for name, column in (*values.items(), *judged.columns.items())}


def agreements(
    judged: JudgedPairs,
    values: Mapping[str, Sequence[float] | Values],
    *,
    controls: Iterable[str] = (),
    seed: int = 0,
) -> list[MeasureAgreement]:
    """Each measure's agreement with people, highest first, and its difference to the best control.

    A measure that is constant within a group has agreement 0 there; groups that people rank all equal are left
    out.

    Args:
        judged: people's judgements of n pairs.
        values: name -> n values, higher for more similar maps.
        controls: names of measures that ignore structure.
        seed: seed of the resamples.

    Raises:
        OptionsError: fewer than ``FEWEST`` rated pairs, all rated equal, or no ranked group.
    """
    point, resampled = resample_agreement(judged, values, seed=seed)
    names = list(values)
    best = max(
        (names.index(name) for name in controls if name in values), key=point.__getitem__, default=None
    )
    found = []
    for index, name in enumerate(names):
        against = None if best is None or index == best else resampled[index] - resampled[best]
        found.append(
            MeasureAgreement(
                name,
                float(point[index]),
                percentile_interval(resampled[index]),
                None if against is None or best is None else float(point[index] - point[best]),
                None if against is None else percentile_interval(against),
            )
        )
    return sorted(found, key=lambda each: -each.value)


def resample_agreement(
    judged: JudgedPairs, values: Mapping[str, Sequence[float] | Values], *, seed: int = 0
) -> tuple[Values, Values]:
    """(m,) agreements of m measures with people, and (m, ``BOOTSTRAP_DRAWS``) of resampled clusters.

    Arguments and errors are those of ``agreements``.
    """
    columns = [judged.human, *values.values()]
    table = np.array([without_rounding(np.asarray(each, dtype=np.float64)) for each in columns])
    clusters = np.unique(np.array(judged.clusters), return_inverse=True)[1]
    if any(judged.groups):
        return _within_groups(table, np.array(judged.groups), clusters, seed)
    if table.shape[1] < _FEWEST:
        raise OptionsError(
            f"{table.shape[1]} rated pairs are too few; give {_FEWEST} or more, or groups of ranked ones"
        )
    if np.ptp(table[0]) == 0:
        raise OptionsError(
            "all judgements are equal, so no measure can agree with them; give other judgements"
        )
    rows_of = [np.nonzero(clusters == cluster)[0] for cluster in range(int(clusters.max()) + 1)]
    drawn = np.random.default_rng(seed).integers(0, len(rows_of), (BOOTSTRAP_DRAWS, len(rows_of)))
    resampled = [_rho(table[:, np.concatenate([rows_of[each] for each in draw])]) for draw in drawn]
    return _rho(table), np.array(resampled).T


def _rho(table: Values) -> Values:
    """(m,) rank correlations of the first row with each other row."""
    return correlation_or_0(spearman, table[1:], np.broadcast_to(table[:1], table[1:].shape))


def _within_groups(
    table: Values, groups: NDArray[np.str_], clusters: NDArray[np.intp], seed: int
) -> tuple[Values, Values]:
    """Mean over groups of tau-b of judgements and m measures, (1 + m, n): (m,) observed and (m, resamples)."""
    members = [np.nonzero(groups == group)[0] for group in np.unique(groups)]
    ranked = [each for each in members if np.ptp(table[0, each]) > 0]
    if not ranked:
        raise OptionsError("no group has two pairs that are ranked differently; give groups of ranked pairs")
    taus = np.array(
        [
            correlation_or_0(
                kendall, table[1:, each], np.broadcast_to(table[:1, each], table[1:, each].shape)
            )
            for each in ranked
        ]
    )
    cluster_of = np.unique(clusters[[each[0] for each in ranked]], return_inverse=True)[1]
    count = int(cluster_of.max()) + 1
    sums = np.array([taus[cluster_of == cluster].sum(axis=0) for cluster in range(count)])
    sizes = np.bincount(cluster_of)
    draws = np.random.default_rng(seed).integers(0, count, (BOOTSTRAP_DRAWS, count))
    return taus.mean(axis=0), (sums[draws].sum(axis=1) / sizes[draws].sum(axis=1)[:, None]).T
