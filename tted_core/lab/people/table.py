"""The table of judged pairs: a CSV with one row for each pair of maps, and a column for each score."""

from dataclasses import dataclass

from tted_core.errors import MapFormatError
from tted_core.formats.cells import Record, check_commas, number_of, read_cells
from tted_core.limits import MAX_BYTES, MAX_JUDGED_PAIRS, check_limit

SEPARATOR = "|"
NAMES = ("pair", "left", "right", "item", "system")


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
