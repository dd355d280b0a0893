"""Opening, sorting and filtering the results of a batch."""

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines import BASELINES, MEASURES, SUITE
from tted_core.batch.folder import JOB, SUMMARY, part_files, read_parts
from tted_core.batch.table import AFTER, BEFORE, OF_PAIR
from tted_core.errors import OptionsError
from tted_core.foundations.printable import shortened
from tted_core.foundations.registry import lookup
from tted_core.matching.records import SHARES
from tted_core.method import SETTING_COLUMNS

if TYPE_CHECKING:
    import pandas as pd

NOT_SCORES = {*OF_PAIR, *SETTING_COLUMNS, "proven", *AFTER} - {"seconds"}

RowNumbers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Results:
    """The rows in a folder of results so far.

    Attributes:
        table: all rows, numbered from 0; "" for a missing text.
        complete: True if the run has finished.
        job: the run's inputs and options.
    """

    table: "pd.DataFrame" = field(repr=False)
    complete: bool
    job: dict[str, Any] = field(repr=False)

    def __len__(self) -> int:
        return len(self.table)

    @cached_property
    def settings(self) -> list[dict[str, Any]]:
        """The settings, each by its columns; every pair has a row of each."""
        rows = self.table[list(SETTING_COLUMNS)].drop_duplicates().to_dict("records")
        return [dict(row) for row in rows]

    @cached_property
    def of_setting(self) -> NDArray[np.int64]:
        """The number of each row's setting."""
        groups = self.table.groupby(list(SETTING_COLUMNS), sort=False, dropna=False)
        return np.asarray(groups.ngroup())

    @cached_property
    def scores(self) -> dict[str, NDArray[np.float64]]:
        """Numeric columns by name, with NaN for missing values; includes the input's own."""
        import pandas as pd

        found = {}
        for name, column in self.table.items():
            if name not in NOT_SCORES:
                values = pd.to_numeric(column.replace("", np.nan), errors="coerce").to_numpy(np.float64)
                is_text = np.isnan(values) & column.notna().to_numpy() & (column != "").to_numpy()
                if not is_text.any() and not np.isnan(values).all():
                    found[str(name)] = values
        return found

    @property
    def baselines(self) -> tuple[str, ...]:
        """The names of the baselines and measures of the suite that have columns."""
        return tuple(name for name in MEASURES if name in self.table and name not in BEFORE)

    @cached_property
    def failed(self) -> NDArray[np.bool_]:
        """For each row, True if it has an error instead of numbers."""
        return np.asarray(self.table["error"] != "")

    def pair(self, number: int) -> tuple[str, str, str]:
        """The id and the names of the maps of a row."""
        return tuple(self.table.loc[number, list(OF_PAIR)])

    def rows(self, setting: int = 0, by: str | None = "normalized") -> RowNumbers:
        """The numbers of a setting's rows, the worst by a score first; without one, in the input's order."""
        numbers = np.flatnonzero(self.of_setting == setting)
        if by is None:
            return numbers
        key = lookup(self.scores, by, "score")[numbers]
        return numbers[np.argsort(-key if worst_is_largest(by) else key, kind="stable")]


def open_results(folder: Path) -> Results:
    """Open the results in a folder, complete or not."""
    import pyarrow as pa

    if not part_files(folder):
        raise OptionsError(
            f"there are no results in {folder.name}; name a folder written by tted batch, with files such "
            "as part-000000.parquet"
        )
    try:
        table = pa.concat_tables(read_parts(folder)).to_pandas(integer_object_nulls=True, use_threads=False)
        missing = [name for name in (*BEFORE, "error", "notices") if name not in table]
        rows = _json(folder / SUMMARY).get("rows")
        job = _json(folder / JOB)
    except (OSError, KeyError, ValueError, pa.ArrowException) as error:
        raise OptionsError(f"the results in {folder.name} can't be read ({error})") from error
    if missing:
        raise OptionsError(
            f"{folder.name} has Parquet files, but not of tted batch: the column {missing[0]!r} is missing"
        )
    texts = ["notices", "error", "signature"]
    table[texts] = table[texts].fillna("")
    return Results(table, rows == len(table), job)


def summary(results: Results) -> list[str]:
    """Lines with mean, spread and the five worst pairs by the normalized distance for each setting."""
    lines = []
    varying = [name for name in SETTING_COLUMNS if len({setting[name] for setting in results.settings}) > 1]
    for number, setting in enumerate(results.settings):
        rows = [row for row in results.rows(number).tolist() if not results.failed[row]]
        if rows:
            values = results.scores["normalized"][rows]
            name = ", ".join(("normalized", *(f"{name} {setting[name]}" for name in varying)))
            spread = f"mean {values.mean():.4f}, standard deviation {values.std():.4f}"
            pairs = zip(rows[:5], values[:5].tolist(), strict=True)
            named = (f"{shortened(results.pair(row)[0], 80)} {value:.4f}" for row, value in pairs)
            lines += [
                f"{name}: {spread}, {values.min():.4f} to {values.max():.4f}",
                f"worst: {', '.join(named)}",
            ]
    return lines


def worst_is_largest(score: str) -> bool:
    """Return True if larger values of this score are worse, as for distances but not for similarities."""
    return SUITE[score].lower if score in SUITE else score not in {*BASELINES, *SHARES}


def _json(file: Path) -> dict[str, Any]:
    """The content of a JSON file; empty if the file is missing."""
    content = json.loads(file.read_bytes()) if file.exists() else {}
    return content if isinstance(content, dict) else {}
