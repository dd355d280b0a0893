"""The results of a batch as one CSV file."""

import csv
from pathlib import Path

from tted_core.batch.parts import read_parts
from tted_core.report.data import spreadsheet_cell


def write_csv(folder: Path, file: Path) -> None:
    """All parts as one CSV file; a text that a spreadsheet would compute gets a mark before it."""
    with file.open("w", encoding="utf-8-sig", errors="backslashreplace", newline="") as target:
        writer = csv.writer(target)
        for number, table in enumerate(read_parts(folder)):
            if not number:
                writer.writerow(map(spreadsheet_cell, table.column_names))
            columns = (column.to_pylist() for column in table.columns)
            writer.writerows([_shown(value) for value in row] for row in zip(*columns, strict=True))


def _shown(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return spreadsheet_cell(value) if isinstance(value, str) else value
