"""The table of judged pairs: a CSV with one row for each pair of maps, and a column for each score."""

import csv
import io
import math
import re
from dataclasses import dataclass

from tted_core.errors import MapFormatError
from tted_core.formats.decoding import decode
from tted_core.limits import MAX_BYTES, MAX_JUDGED_PAIRS, check_limit

SEPARATOR = "|"
NAMES = ("pair", "left", "right")
GROUPED = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})+")


@dataclass(frozen=True)
class JudgedPairs:
    """n pairs of maps that people gave a score.

    Attributes:
        pairs: the names of the two maps of each pair.
        scores: people's scores.
        columns: name -> n values of each further column: measures that were computed elsewhere.
    """

    pairs: tuple[tuple[str, str], ...]
    scores: tuple[float, ...]
    columns: dict[str, tuple[float, ...]]


def read_judged_pairs(data: bytes) -> JudgedPairs:
    """Read a CSV (comma, semicolon or tab) with a header.

    The columns are ``left`` and ``right``, or ``pair`` ("left | right"), and ``score``; any further one is taken
    as a measure.

    Raises:
        MapFormatError: a column that is missing or comes twice, a row of another length, a cell that is no number.
        LimitError: more than ``MAX_BYTES`` bytes or ``MAX_JUDGED_PAIRS`` rows.
    """
    check_limit(len(data), MAX_BYTES, "bytes of judged pairs", "upload fewer rows")
    text, _ = decode(data)
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise MapFormatError(f"the table can't be read as CSV ({error}); save it as CSV again") from error
    numbered = [(line, row) for line, row in enumerate(rows, start=1) if any(cell.strip() for cell in row)]
    if len(numbered) < 2:
        raise MapFormatError("the table has no rows; give a header and one row for each pair")
    check_limit(len(numbered) - 1, MAX_JUDGED_PAIRS, "judged pairs", "upload fewer rows")
    header = [cell.strip() for cell in numbered[0][1]]
    _check_header(header)
    records = [_record(header, row, line) for line, row in numbered[1:]]
    if delimiter == ",":
        _check_commas(records, header)
    measures = [name for name in header if name not in {*NAMES, "score"}]
    return JudgedPairs(
        tuple(_names(record) for record, _ in records),
        tuple(_number(record, "score", line) for record, line in records),
        {name: tuple(_number(record, name, line) for record, line in records) for name in measures},
    )


def _check_header(header: list[str]) -> None:
    for name in header:
        if not name:
            raise MapFormatError("the table has a column without a name; name it in the first row", line=1)
        if header.count(name) > 1:
            raise MapFormatError(f'the column "{name}" comes twice; give each a name of its own', line=1)
    if "score" not in header or not ("pair" in header or {"left", "right"} <= set(header)):
        raise MapFormatError(
            f"the first row names {', '.join(header)}, but the table needs left and right (or pair), and score",
            line=1,
        )


def _record(header: list[str], row: list[str], line: int) -> tuple[dict[str, str], int]:
    if len(row) != len(header):
        raise MapFormatError(
            f"{len(row)} cells, but the first row names {len(header)} columns; quote cells that hold a separator",
            line=line,
        )
    return {name: cell.strip() for name, cell in zip(header, row, strict=True)}, line


def _check_commas(records: list[tuple[dict[str, str], int]], header: list[str]) -> None:
    """A decimal comma goes with another separator; between commas, "1,234" may be meant as a thousand."""
    for record, line in records:
        for name in header:
            if name not in NAMES and GROUPED.fullmatch(record[name]):
                raise MapFormatError(
                    f'"{record[name]}" in the column "{name}" may be {record[name].replace(",", ".", 1)} or '
                    f"{record[name].replace(',', '')}; write it without a comma",
                    line=line,
                )


def _names(record: dict[str, str]) -> tuple[str, str]:
    if "pair" not in record:
        return record["left"], record["right"]
    left, _, right = record["pair"].partition(SEPARATOR)
    return left.strip(), right.strip()


def _number(record: dict[str, str], name: str, line: int) -> float:
    cell = record[name]
    try:
        value = float(cell.replace(",", "."))  # a decimal comma, as spreadsheets of half the world write it
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise MapFormatError(f'"{cell[:40]}" in the column "{name}" is no number; write one', line=line)
    return value
