"""The results of a batch as one file, CSV or Parquet, with what was noted about its pairs."""

import csv
from contextlib import ExitStack
from pathlib import Path

from tted_core.batch.notes import noted_parts
from tted_core.extras import require
from tted_core.report.data import spreadsheet_cell


def write_csv(folder: Path, file: Path) -> None:
    """All parts as one CSV file; a text that a spreadsheet would compute gets a mark before it."""
    with file.open("w", encoding="utf-8-sig", errors="backslashreplace", newline="") as target:
        writer = csv.writer(target)
        for number, table in enumerate(noted_parts(folder)):
            if not number:
                writer.writerow(map(spreadsheet_cell, table.column_names))
            columns = (column.to_pylist() for column in table.columns)
            writer.writerows([_shown(value) for value in row] for row in zip(*columns, strict=True))


def write_parquet(folder: Path, file: Path) -> None:
    """All parts as one Parquet file.

    Raises:
        MissingExtraError: the extra "batch" isn't installed.
    """
    require("batch")
    from pyarrow import parquet

    with ExitStack() as stack:
        writer = None
        for table in noted_parts(folder):
            if writer is None:
                writer = stack.enter_context(parquet.ParquetWriter(file, table.schema, compression="zstd"))
            writer.write_table(table)


def _shown(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return spreadsheet_cell(value) if isinstance(value, str) else value
