"""Tables of numbers that people made elsewhere: CSV with a header, by comma, semicolon or tab."""

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tted_core.errors import MapFormatError
from tted_core.formats.decoding import decode
from tted_core.tables import delimiter_of, read_rows

Record: TypeAlias = dict[str, str]

GROUPED = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})+")


@dataclass(frozen=True)
class Cells:
    """The header's names, and each row with the line it ends in; every row has a cell for each name."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, Record], ...]
    delimiter: str


def read_cells(data: bytes, each: str) -> Cells:
    """Read a table; ``each`` says what a row is ("pair").

    Raises:
        MapFormatError: no rows, a column without a name or with the name of another, a row of another length.
    """
    text, _ = decode(data)
    delimiter = delimiter_of(text)
    numbered = list(read_rows(text, delimiter))
    if len(numbered) < 2:
        raise MapFormatError(f"the table has no rows; give a header and one row for each {each}")
    header = tuple(numbered[0][1])
    for name in header:
        if not name:
            raise MapFormatError("the table has a column without a name; name it in the first row", line=1)
        if header.count(name) > 1:
            raise MapFormatError(f'the column "{name}" comes twice; give each a name of its own', line=1)
    return Cells(header, tuple((line, _record(header, row, line)) for line, row in numbered[1:]), delimiter)


def check_commas(cells: Cells, texts: Collection[str]) -> None:
    """A decimal comma goes with another separator; between commas, "1,234" may be meant as a thousand.

    Raises:
        MapFormatError: there is such a number in a column that isn't one of ``texts``.
    """
    if cells.delimiter != ",":
        return
    for line, record in cells.rows:
        for name in cells.header:
            if name not in texts and GROUPED.fullmatch(record[name]):
                raise MapFormatError(
                    f'"{record[name]}" in the column "{name}" may be {record[name].replace(",", ".", 1)} or '
                    f"{record[name].replace(',', '')}; write it without a comma",
                    line=line,
                )


def number_of(record: Record, name: str, line: int) -> float:
    """The number in a cell.

    Raises:
        MapFormatError: there is none.
    """
    cell = record[name]
    try:
        value = float(cell.replace(",", "."))  # a decimal comma, as spreadsheets of half the world write it
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise MapFormatError(f'"{cell[:40]}" in the column "{name}" is no number; write one', line=line)
    return value


def _record(header: Sequence[str], row: list[str], line: int) -> Record:
    if len(row) != len(header):
        raise MapFormatError(
            f"{len(row)} cells, but the first row names {len(header)} columns; quote cells that hold a separator",
            line=line,
        )
    return dict(zip(header, row, strict=True))
