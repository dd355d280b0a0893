"""How well measures agree with people's judgements of pairs of maps, beside controls that see no structure.

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
from tted_core.batch.functions import compare_many
from tted_core.distances import Models
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.errors import MapFormatError, OptionsError, TTEDError
from tted_core.formats.edges import check_commas, number_of, read_cells
from tted_core.foundations.limits import MAX_BYTES, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.stats import Values, correlation_or_0, kendall, percentile_interval, spearman
from tted_core.method import Method
from tted_core.tree import TextTree

MAX_JUDGED_PAIRS = 10_000
"""Rows of a table of judged pairs."""

FEWEST = 3
"""The fewest rated pairs that a correlation is given for: two points lie on a line, whatever they are."""

RESAMPLES = 1_000

WITHOUT_STRUCTURE = tuple(name for name, each in BASELINES.items() if each.is_control)
"""Baselines that don't know which sentence stands above which."""

TEXTS = ("id", "left", "right", "group", "cluster", "left_text", "right_text")
"""Columns that are no numbers."""


@dataclass(frozen=True)
class JudgedPairs:
    """n pairs of maps that people judged.

    Attributes:
        ids: of the pairs, for people.
        pairs: the names of the two maps of each pair.
        human: people's ratings or ranks, higher where the maps are more alike.
        groups: of each pair, the candidates that it was ranked among; all "" where pairs are rated on one scale.
        clusters: of each pair, what is drawn together by the bootstrap.
        columns: name -> n values of each further column: measures that were computed elsewhere.
    """

    ids: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    human: tuple[float, ...]
    groups: tuple[str, ...]
    clusters: tuple[str, ...]
    columns: dict[str, tuple[float, ...]]


@dataclass(frozen=True)
class Agreement:
    """A measure's agreement with people, -1 to 1, with its interval.

    ``difference`` is the agreement minus that of the best control, with its own interval; None where there is no
    control, and for that control itself.
    """

    measure: str
    value: float
    ci95: tuple[float, float]
    difference: float | None = None
    difference_ci95: tuple[float, float] | None = None


def read_judged_pairs(data: bytes) -> JudgedPairs:
    """Read a table (comma, semicolon or tab) with a header and one row for each pair of maps.

    The columns are ``left``, ``right`` and ``human``; ``id``, ``group`` and ``cluster`` if there are any (clusters
    are the groups without it, or else the rows). Any other column of numbers is taken as a measure.

    Raises:
        MapFormatError: a column that is missing or comes twice, a row of another length, a cell that is no number.
        LimitError: more than ``MAX_BYTES`` bytes or ``MAX_JUDGED_PAIRS`` rows.
    """
    check_limit(len(data), MAX_BYTES, "bytes of judged pairs", "give fewer rows")
    cells = read_cells(data, "pair")
    check_limit(len(cells.rows), MAX_JUDGED_PAIRS, "judged pairs", "give fewer rows")
    if not {"left", "right", "human"} <= set(cells.header):
        raise MapFormatError(
            f"the first row names {', '.join(cells.header)}, but the table needs left, right and human",
            line=1,
        )
    check_commas(cells, TEXTS)
    texts = {name: tuple(record[name].strip() for _, record in cells.rows) for name in cells.header}
    numbers = {
        name: tuple(number_of(record, name, line) for line, record in cells.rows)
        for name in cells.header
        if name not in TEXTS
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


def measured(
    judged: JudgedPairs,
    maps: Mapping[str, TextTree],
    methods: Mapping[str, Method],
    baselines: Iterable[str],
    *,
    load: Callable[[str], Encoder] = load_encoder,
    monitor: Monitor = UNWATCHED,
) -> dict[str, NDArray[np.float64]]:
    """Name -> n values of each measure, higher where maps are more alike.

    A baseline that is undefined for some pair isn't among them.

    Args:
        judged: the pairs.
        maps: the maps that they name.
        methods: name -> settings of TTED, of which the normalized distance is taken.
        baselines: names of ``BASELINES``.
        load: the encoder of a name; baselines read the first setting's.
        monitor: watches the stages, and may stop it.

    Raises:
        TTEDError: a pair can't be compared.
    """
    pairs = [(maps[left], maps[right]) for left, right in judged.pairs]
    values: dict[str, list[float]] = {}
    names = tuple(baselines)
    for title, method in methods.items():
        models = Models(load(method.encoder))
        rows = list(compare_many(pairs, method, models, baselines=names, monitor=monitor))
        for name, row in zip(judged.ids, rows, strict=True):
            if row["error"]:
                raise TTEDError(f"pair {name}: {row['error']}")
        values[title] = [-row["normalized"] for row in rows]
        for name in names:
            # The distance made of it, which is on one scale for all pairs, unless some pair has none.
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
) -> list[Agreement]:
    """Each measure's agreement with people, the highest first, and its difference to the best control's.

    A measure that is the same for all pairs of a group agrees by 0 there; groups that people rank all alike are
    left out.

    Args:
        judged: people's judgements of n pairs.
        values: name -> n values, higher where maps are more alike.
        controls: which of them see no structure.
        seed: of the resamples.

    Raises:
        OptionsError: fewer than ``FEWEST`` rated pairs, all judged alike, or no group that is ranked.
    """
    table = np.array([judged.human, *values.values()], dtype=np.float64)
    clusters = np.unique(np.array(judged.clusters), return_inverse=True)[1]
    if any(judged.groups):
        point, resampled = _within_groups(table, np.array(judged.groups), clusters, seed)
    else:
        point, resampled = _over_all(table, clusters, seed)
    names = list(values)
    best = max(
        (names.index(name) for name in controls if name in values), key=point.__getitem__, default=None
    )
    found = []
    for place, name in enumerate(names):
        against = None if best is None or place == best else resampled[place] - resampled[best]
        found.append(
            Agreement(
                name,
                float(point[place]),
                percentile_interval(resampled[place]),
                None if against is None or best is None else float(point[place] - point[best]),
                None if against is None else percentile_interval(against),
            )
        )
    return sorted(found, key=lambda each: -each.value)


def _over_all(table: Values, clusters: NDArray[np.intp], seed: int) -> tuple[Values, Values]:
    """Spearman's rho of (1 + m, n) judgements and measures: (m,) observed and (m, resamples)."""
    if table.shape[1] < FEWEST:
        raise OptionsError(
            f"{table.shape[1]} rated pairs have no correlation; give {FEWEST} or more, or groups of ranked ones"
        )
    if np.ptp(table[0]) == 0:
        raise OptionsError(
            "all pairs are judged alike, so nothing can agree with that; give other judgements"
        )
    rows_of = [np.nonzero(clusters == cluster)[0] for cluster in range(int(clusters.max()) + 1)]
    rng = np.random.default_rng(seed)
    drawn = (rng.integers(0, len(rows_of), len(rows_of)) for _ in range(RESAMPLES))
    resampled = [_rho(table[:, np.concatenate([rows_of[each] for each in draw])]) for draw in drawn]
    return _rho(table), np.array(resampled).T


def _rho(table: Values) -> Values:
    """(m,) rank correlations of the first row with each other one."""
    return correlation_or_0(spearman, table[1:], np.broadcast_to(table[:1], table[1:].shape))


def _within_groups(
    table: Values, groups: NDArray[np.str_], clusters: NDArray[np.intp], seed: int
) -> tuple[Values, Values]:
    """The mean over groups of tau-b of (1 + m, n) judgements and measures: (m,) observed and (m, resamples)."""
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
    draws = np.random.default_rng(seed).integers(0, count, (RESAMPLES, count))
    return taus.mean(axis=0), (sums[draws].sum(axis=1) / sizes[draws].sum(axis=1)[:, None]).T
