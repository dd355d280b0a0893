"""The table of judged pairs of maps, and the values that measures give these pairs.

The table is a CSV with one row for each pair of maps, and a column for each score.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tted_core.errors import MapFormatError
from tted_core.formats.edges import Record, check_commas, number_of, read_cells
from tted_core.foundations.limits import MAX_BYTES, MAX_JUDGED_PAIRS, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.lab import Measure
from tted_core.tree import TextTree


@dataclass(frozen=True)
class JudgedPairs:
    """n pairs of maps that people gave a score.

    Attributes:
        pairs: the names of the two maps of each pair; of a table without maps, the item and the system.
        scores: people's scores.
        columns: name -> n values of each further column: measures that were computed elsewhere.
        items: the document of each pair, where the table has the column ``item``.
        systems: what made its map, where the table has the column ``system``.
        has_maps: whether the pairs name maps.
    """

    pairs: tuple[tuple[str, str], ...]
    scores: tuple[float, ...]
    columns: dict[str, tuple[float, ...]]
    items: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    has_maps: bool = True


@dataclass(frozen=True)
class MeasuredPairs:
    """Pairs with people's scores and n values of each measure (``measured``).

    ``left_out`` names the pairs that some measure is undefined for; ``complete`` is False after a stop. ``items``
    and ``systems`` are those of the pairs, where the table has them.
    """

    names: tuple[str, ...]
    scores: tuple[float, ...]
    measured: dict[str, tuple[float, ...]]
    left_out: tuple[str, ...]
    complete: bool
    items: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()


def measure_pairs(
    judged: JudgedPairs,
    maps: Mapping[str, TextTree],
    measures: Mapping[str, Measure],
    *,
    monitor: Monitor = UNWATCHED,
) -> MeasuredPairs:
    """Measure every pair; the table's own columns come after the measures.

    Without measures, the maps need not be there.

    Raises:
        MapFormatError: a pair names a map that isn't there.
    """
    if measures:
        _check_names(judged.pairs, maps)
    rows: dict[str, list[float]] = {name: [] for name in (*measures, *judged.columns)}
    names, scores, left_out, kept = [], [], [], []
    total = len(judged.pairs)
    complete = True
    for index, (left, right) in enumerate(judged.pairs):
        if monitor.stopped:
            complete = False
            break
        monitor.stage(f"Measuring {total} pairs", index / total)
        name = f"{left} | {right}" if right else left
        values = {column: given[index] for column, given in judged.columns.items()}
        for measure_name, measure in measures.items():
            value = measure(maps[left], maps[right])
            if value is None:
                left_out.append(name)
                break
            values[measure_name] = value
        else:
            names.append(name)
            kept.append(index)
            scores.append(judged.scores[index])
            for row, value in values.items():
                rows[row].append(value)
    finished = {name: tuple(values) for name, values in rows.items()}
    beside = (tuple(each[index] for index in kept if each) for each in (judged.items, judged.systems))
    return MeasuredPairs(tuple(names), tuple(scores), finished, tuple(left_out), complete, *beside)


def _check_names(pairs: Sequence[tuple[str, str]], maps: Mapping[str, TextTree]) -> None:
    for row, pair in enumerate(pairs, start=1):
        for name in pair:
            if name not in maps:
                known = ", ".join(list(maps)[:3]) or "none"
                raise MapFormatError(
                    f'row {row} of the judgements names the map "{name}", but the maps are: {known} ...'
                )


SEPARATOR = "|"
NAMES = ("pair", "left", "right", "item", "system")


def read_judged_pairs(data: bytes) -> JudgedPairs:
    """Read a CSV (comma, semicolon or tab) with a header.

    The columns are ``left`` and ``right``, or ``pair`` ("left | right"), and ``score``; ``item`` and ``system``
    say of which document and by which system a map is, and stand for the maps where there are only measures. Any
    further column is taken as a measure.

    Raises:
        MapFormatError: a column that is missing or comes twice, a row of another length, a cell that is no number.
        LimitError: more than ``MAX_BYTES`` bytes or ``MAX_JUDGED_PAIRS`` rows.
    """
    check_limit(len(data), MAX_BYTES, "bytes of judged pairs", "upload fewer rows")
    cells = read_cells(data, "pair")
    check_limit(len(cells.rows), MAX_JUDGED_PAIRS, "judged pairs", "upload fewer rows")
    given = set(cells.header)
    has_maps = "pair" in given or {"left", "right"} <= given
    if "score" not in given or not (has_maps or {"item", "system"} <= given):
        raise MapFormatError(
            f"the first row names {', '.join(cells.header)}, but the table needs left and right (or pair, or item "
            "and system), and score",
            line=1,
        )
    check_commas(cells, NAMES)
    measures = [name for name in cells.header if name not in {*NAMES, "score"}]
    rows = cells.rows
    return JudgedPairs(
        tuple(_names(record) for _, record in rows),
        tuple(number_of(record, "score", line) for line, record in rows),
        {name: tuple(number_of(record, name, line) for line, record in rows) for name in measures},
        tuple(record["item"] for _, record in rows) if "item" in given else (),
        tuple(record["system"] for _, record in rows) if "system" in given else (),
        has_maps,
    )


def _names(record: Record) -> tuple[str, str]:
    if "pair" in record:
        left, _, right = record["pair"].partition(SEPARATOR)
        return left.strip(), right.strip()
    if "left" in record and "right" in record:
        return record["left"], record["right"]
    return record["item"], record["system"]
