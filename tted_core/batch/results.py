"""Opening, sorting and filtering the results of a batch, and reading them by pages."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines import BASELINES, MEASURES, SUITE
from tted_core.batch.parts import (
    AFTER,
    BEFORE,
    COUNTS,
    JOB,
    NUMBERS,
    SUMMARY,
    part_files,
    read_parts,
)
from tted_core.errors import OptionsError, UnknownNameError
from tted_core.explain.correspondence import SHARES
from tted_core.foundations.printable import shortened
from tted_core.foundations.registry import lookup
from tted_core.method import SETTING_COLUMNS

if TYPE_CHECKING:
    import pyarrow as pa

AS_GIVEN = "as given"
"""The order of the input, instead of a score to sort by."""

SHOWN = ("all", "with an error", "not proven")
"""Selections of rows for a view."""

RowNumbers: TypeAlias = NDArray[np.int64]

Pair: TypeAlias = tuple[str, str, str]
"""A pair's id and the names of its maps, in rows of all settings."""


@dataclass(frozen=True)
class View:
    """A selection and order of rows.

    Attributes:
        setting: the number of the setting, from 0.
        by: the score to sort by, or ``AS_GIVEN``; rows without it come last.
        best_first: best rows first.
        text: text that the id, a map's name, a notice or an error must contain, ignoring case.
        shown: one of ``SHOWN``.
        low: the smallest value of ``by`` to show.
        high: the largest one.
    """

    setting: int = 0
    by: str = "normalized"
    best_first: bool = False
    text: str = ""
    shown: str = SHOWN[0]
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, eq=False)
class Results:
    """The rows in a folder of results so far.

    Attributes:
        folder: the folder.
        table: all rows.
        complete: True if the run has finished.
        job: the run's inputs and options.
    """

    folder: Path
    table: "pa.Table" = field(repr=False)
    complete: bool
    job: dict[str, Any] = field(repr=False)

    def __len__(self) -> int:
        return int(self.table.num_rows)

    @cached_property
    def settings(self) -> tuple[dict[str, Any], ...]:
        """The settings, each by its columns; every pair has a row of each."""
        known: dict[tuple[Any, ...], None] = {}
        columns = [self.table[name].to_pylist() for name in SETTING_COLUMNS]
        for setting in zip(*columns, strict=True):
            known.setdefault(setting)
        return tuple(dict(zip(SETTING_COLUMNS, each, strict=True)) for each in known)

    def values(self, option: str) -> set[Any]:
        """The values of an option among the settings."""
        return {setting[option] for setting in self.settings}

    @cached_property
    def scores(self) -> dict[str, NDArray[np.float64]]:
        """Numeric columns by name, with NaN for missing values; includes the input's own."""
        found = {}
        for name in self.table.column_names:
            values = _numbers(self.table, name)
            if values is not None:
                found[name] = values
        return found

    @property
    def baselines(self) -> tuple[str, ...]:
        """The names of the baselines and measures of the suite that have columns."""
        return tuple(name for name in MEASURES if name in self.table.column_names and name not in BEFORE)

    @cached_property
    def pairs(self) -> list[Pair]:
        """The pair of each row."""
        columns: list[list[Any]] = [self.table[name].to_pylist() for name in ("id", "left", "right")]
        return list(zip(*columns, strict=True))

    @cached_property
    def failed(self) -> NDArray[np.bool_]:
        """For each row, True if it has an error instead of numbers."""
        return np.asarray(self.table["error"].is_valid())

    @cached_property
    def of_setting(self) -> NDArray[np.int64]:
        """The number of each row's setting."""
        numbers = {tuple(setting.values()): number for number, setting in enumerate(self.settings)}
        columns = [self.table[name].to_pylist() for name in SETTING_COLUMNS]
        return np.array([numbers[setting] for setting in zip(*columns, strict=True)], dtype=np.int64)

    def rows(self, view: View) -> RowNumbers:
        """The numbers of the rows that a view shows, in its order."""
        if not 0 <= view.setting < max(len(self.settings), 1):
            raise UnknownNameError(f"there is no setting number {view.setting + 1} in these results")
        keep = self.of_setting == view.setting
        keep &= self._shown(view.shown)
        if view.text:
            keep &= self._contains(view.text)
        values = None if view.by == AS_GIVEN else lookup(self.scores, view.by, "score")
        if values is not None:
            for bound, inside in ((view.low, np.greater_equal), (view.high, np.less_equal)):
                if bound is not None:
                    keep &= inside(values, bound)
        numbers = np.flatnonzero(keep)
        if values is None:
            return numbers[::-1] if view.best_first else numbers
        key = values[numbers]
        if worst_is_largest(view.by) != view.best_first:
            key = -key
        order: RowNumbers = numbers[np.argsort(key, kind="stable")]
        return order

    def page(self, numbers: RowNumbers, columns: Sequence[str]) -> dict[str, list[Any]]:
        """These columns of some rows."""
        taken = self.table.select(list(columns)).take(numbers)
        return {name: taken[name].to_pylist() for name in columns}

    def row(self, number: int) -> dict[str, Any]:
        """All columns of one row."""
        row: dict[str, Any] = self.table.slice(number, 1).to_pylist()[0]
        return row

    def _shown(self, shown: str) -> NDArray[np.bool_]:
        index = lookup({name: number for number, name in enumerate(SHOWN)}, shown, "choice of rows")
        if index == 0:
            return np.ones(len(self), dtype=np.bool_)
        if shown == "with an error":
            return self.failed
        return np.array([known is False for known in self.table["proven"].to_pylist()], dtype=np.bool_)

    def _contains(self, text: str) -> NDArray[np.bool_]:
        from pyarrow import compute

        found = np.zeros(len(self), dtype=np.bool_)
        for name in ("id", "left", "right", "notices", "error"):
            hit = compute.match_substring(self.table[name], text, ignore_case=True)
            found |= np.asarray(hit.fill_null(fill_value=False))
        return found


def opened_results(folder: Path) -> Results:
    """Open the results in a folder, complete or not."""
    import pyarrow as pa

    if not part_files(folder):
        raise OptionsError(
            f"there are no results in {folder.name}; name a folder written by tted batch, with files such "
            "as part-000000.parquet"
        )
    try:
        table = pa.concat_tables(read_parts(folder)).combine_chunks()
        missing = [name for name in (*BEFORE, "error", "notices") if name not in table.column_names]
        rows = _json(folder / SUMMARY).get("rows")
        job = _json(folder / JOB)
    except (OSError, KeyError, ValueError, pa.ArrowException) as error:
        raise OptionsError(f"the results in {folder.name} can't be read ({error})") from error
    if missing:
        raise OptionsError(
            f"{folder.name} has Parquet files, but not of tted batch: the column {missing[0]!r} is missing"
        )
    return Results(folder, table, rows == table.num_rows, job)


def summary(results: Results, *, worst: int = 5) -> list[str]:
    """Lines with mean, spread and worst pairs of the normalized distance for each setting."""
    lines = []
    for number, setting in enumerate(results.settings):
        rows = [row for row in results.rows(View(number)) if not results.failed[row]]
        if not rows:
            continue
        values = results.scores["normalized"][rows]
        varied = (f"{name} {value}" for name, value in setting.items() if len(results.values(name)) > 1)
        spread = f"mean {values.mean():.4f}, standard deviation {values.std():.4f}"
        pairs = zip(rows[:worst], values[:worst].tolist(), strict=True)
        lines += [
            f"{', '.join(('normalized', *varied))}: {spread}, {values.min():.4f} to {values.max():.4f}",
            "worst: "
            + ", ".join(f"{shortened(results.pairs[row][0], 80)} {value:.4f}" for row, value in pairs),
        ]
    return lines


def worst_is_largest(score: str) -> bool:
    """Return True if larger values of this score are worse, as for distances but not for similarities."""
    return SUITE[score].lower if score in SUITE else score not in {*BASELINES, *SHARES}


def _json(file: Path) -> dict[str, Any]:
    """The content of a JSON file; empty if the file is missing."""
    if not file.exists():
        return {}
    content = json.loads(file.read_bytes())
    return content if isinstance(content, dict) else {}


def _numbers(table: "pa.Table", name: str) -> NDArray[np.float64] | None:
    """A column as numbers; None if it isn't numeric."""
    import pyarrow as pa

    if name in SETTING_COLUMNS or name in {"id", "left", "right", "proven", *AFTER} - {"seconds"}:
        return None
    column = table[name]
    if pa.types.is_string(column.type):
        if name in (*NUMBERS, *COUNTS):
            return None
        texts = [text or None for text in column.to_pylist()]
        try:
            column = pa.array(texts, pa.string()).cast(pa.float64())
        except pa.ArrowInvalid:  # text
            return None
    if column.null_count == len(column):
        return None
    values: NDArray[np.float64] = np.asarray(column.cast(pa.float64()).to_numpy(zero_copy_only=False))
    return values
