"""The folder of a batch's results: Parquet parts, the run's options, its summary, and a lock; and reading it.

A file is written under another name, synced and then renamed, so that a part is complete or missing, unless the
disk damages it later: checksums tell.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import BASELINES, MEASURES, SUITE
from tted_core.batch.table import FIRST_COLUMNS, LAST_COLUMNS, OF_PAIR
from tted_core.errors import Message, OptionsError, Setting, lookup
from tted_core.foundations.output import UNFINISHED_PREFIX, shorten, write_whole
from tted_core.method import SETTING_COLUMNS, Method

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

JOB = "job.json"
SUMMARY = "summary.json"

RESUME = Setting("resume", True)

NOT_SCORES = {*OF_PAIR, *SETTING_COLUMNS, "proven", *LAST_COLUMNS} - {"seconds"}

# Measure whose direction is known -> whether lower is better.
LOWER = {
    "tted": True,
    **dict.fromkeys(NORMALISATIONS, True),
    "coverage": False,
    "support": False,
    **{f"{name}_rho": True for name in BASELINES},
    **dict.fromkeys(BASELINES, False),
    **{name: each.lower for name, each in SUITE.items()},
    "cost_replace": True,
    **dict.fromkeys(("replace", "delete", "insert"), True),
    "match": False,
}

RowNumbers: TypeAlias = NDArray[np.int64]

BUSY = (
    "this batch is being computed already, perhaps by a run that was stopped a moment ago; go on with it in "
    "half a minute"
)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder of results, made if needed, so that no other process writes there.

    Unfinished files are removed.

    The system releases it when the process ends, however it ends.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(folder / "lock", timeout=0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout as error:
        raise OptionsError(BUSY) from error
    except (OSError, NotImplementedError) as error:
        raise OptionsError(
            f"the folder {shorten(str(folder), 80)} can't be written ({getattr(error, 'strerror', error)}); "
            "name another"
        ) from error
    try:
        for leftover in folder.glob(f"{UNFINISHED_PREFIX}*"):
            leftover.unlink(missing_ok=True)
        yield
    finally:
        lock.release()


def part_file(folder: Path, number: int) -> Path:
    """The file of a part."""
    return folder / f"part-{number:06d}.parquet"


def part_files(folder: Path) -> list[Path]:
    """All existing parts, in order."""
    return sorted(folder.glob("part-*.parquet"))


def write_part(table: "pa.Table", file: Path) -> None:
    """Write a part completely or not at all.

    Raises:
        OptionsError: it can't be written, for example because the disk is full.
    """
    import pyarrow as pa
    from pyarrow import parquet

    content = pa.BufferOutputStream()
    parquet.write_table(table, content, compression="zstd", write_page_checksum=True)
    _write(file, content.getvalue().to_pybytes())


def write_json(content: dict[str, Any], file: Path) -> None:
    """Write a JSON file completely or not at all; raises like ``write_part``."""
    _write(file, f"{json.dumps(content, ensure_ascii=False, indent=2)}\n".encode("utf-8", "backslashreplace"))


def _write(file: Path, content: bytes) -> None:
    try:
        write_whole(file, content)
    except OSError as error:
        raise OptionsError(
            Message(
                f"{file.name} can't be written ({error.strerror}); make room in its folder, and go on with ",
                RESUME,
                ": finished parts are kept",
            )
        ) from error


def read_parts(folder: Path, columns: Sequence[str] | None = None) -> Iterator["pa.Table"]:
    """Iterate over the parts of a folder of results, with all columns or these.

    Raises:
        OptionsError: one is damaged.
    """
    return (read_part(file, columns) for file in part_files(folder))


def read_part(file: Path, columns: Sequence[str] | None = None) -> "pa.Table":
    """Read a part, and verify its checksums; raises like ``read_parts``."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        # in this thread only: parquet.read_table reads ahead in others, which return memory to Python later; if
        # Python has ended by then, the process is aborted
        with parquet.ParquetFile(file, pre_buffer=False, page_checksum_verification=True) as source:
            return source.read(columns and list(columns), use_threads=False)
    except (OSError, ValueError, pa.ArrowException) as error:
        reason = " ".join(str(error).split())[:200]
        raise OptionsError(
            Message(
                f"{file.name} can't be read ({reason}); go on with the same batch and ",
                RESUME,
                ", which computes a damaged part again",
            )
        ) from error


def remove_damaged(folder: Path, columns: Sequence[str], ids: Mapping[Path, list[str]]) -> list[str]:
    """Remove the parts that can't be read or don't have these columns and ids; return a notice about each.

    Raises:
        OptionsError: a part isn't among those of ``ids``.
    """
    notices = []
    for file in part_files(folder):
        if file not in ids:
            raise OptionsError(f"{file.name} is no part of this batch; move it out of {folder.name}")
        with suppress(OptionsError):
            part = read_part(file)
            if part.column_names == list(columns) and part["id"].to_pylist() == ids[file]:
                continue
        file.unlink()
        notices.append(f"{file.name} was damaged and is computed again")
    return notices


def check_free(folder: Path, *, resume: bool) -> None:
    """Reject a folder with results unless it is to be resumed."""
    if part_files(folder) and not resume:
        raise OptionsError(
            Message(
                f"{folder} already has results; add ", RESUME, " to go on with them, or name another folder"
            )
        )


def check_unchanged(folder: Path, job: dict[str, Any]) -> None:
    """Check that a folder's results, if there are any, are of the same inputs and options."""
    if part_files(folder) and (changed := _find_changes(folder / JOB, job)):
        raise OptionsError(
            Message(
                f"there are results of other {' and '.join(changed)} already; go on with the same ones, or use "
                "another ",
                Setting("folder"),
            )
        )


def _find_changes(file: Path, job: dict[str, Any]) -> list[str]:
    try:
        before = json.loads(file.read_text(encoding="utf-8"))
        options = before["options"]
        names = [name for name, value in job["options"].items() if options.get(name) != value]
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return [f"inputs or options ({file.name} is missing or damaged)"]
    words = {"pairs": "pairs", "maps": "maps", "models": "models", "version": "versions of this program"}
    changed = [word for key, word in words.items() if before.get(key) != job[key]]
    return changed + ([f"options ({', '.join(names)})"] if names else [])


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
        return list(map(dict, self.table[list(SETTING_COLUMNS)].drop_duplicates().to_dict("records")))

    @cached_property
    def of_setting(self) -> NDArray[np.int64]:
        """The number of each row's setting."""
        return np.asarray(self.table.groupby(list(SETTING_COLUMNS), sort=False, dropna=False).ngroup())

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
        return tuple(name for name in MEASURES if name in self.table and name not in FIRST_COLUMNS)

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
        return numbers[np.argsort(-key if LOWER.get(by, True) else key, kind="stable")]


def open_results(folder: Path) -> Results:
    """Open the results in a folder, complete or not."""
    import pyarrow as pa

    if not part_files(folder):
        raise OptionsError(
            f"there are no results in {folder.name}; name the folder of a batch, with files such "
            "as part-000000.parquet"
        )
    try:
        table = pa.concat_tables(read_parts(folder)).to_pandas(integer_object_nulls=True, use_threads=False)
        missing = [name for name in (*FIRST_COLUMNS, "error", "notices") if name not in table]
        rows = _json(folder / SUMMARY).get("rows")
        job = _json(folder / JOB)
    except (OSError, KeyError, ValueError, pa.ArrowException) as error:
        raise OptionsError(f"the results in {folder.name} can't be read ({error})") from error
    if missing:
        raise OptionsError(
            f"{folder.name} has Parquet files, but not of a batch: the column {missing[0]!r} is missing"
        )
    table = table.fillna(dict.fromkeys(("notices", "error", "signature"), ""))
    return Results(table, rows == len(table), job)


def summary(folder: Path, methods: Sequence[Method]) -> list[str]:
    """Lines with mean, spread and the five worst pairs by the normalized distance for each method of a batch."""
    import pyarrow as pa

    table = pa.concat_tables(read_parts(folder, ("id", "normalized")))
    settings = [method.columns for method in methods]
    varying = [name for name in SETTING_COLUMNS if len({setting[name] for setting in settings}) > 1]
    lines = []
    for number, setting in enumerate(settings):
        rows = np.arange(number, len(table), len(settings))
        values = table["normalized"].to_numpy()[rows]  # NaN where there is an error
        worst = np.argsort(-values, kind="stable")[: np.count_nonzero(~np.isnan(values))]
        if worst.size:
            values, ids = values[worst], table["id"].take(rows[worst[:5]]).to_pylist()
            name = ", ".join(("normalized", *(f"{name} {setting[name]}" for name in varying)))
            spread = f"mean {values.mean():.4f}, standard deviation {values.std():.4f}"
            named = (f"{shorten(each, 80)} {value:.4f}" for each, value in zip(ids, values, strict=False))
            lines += [
                f"{name}: {spread}, {values.min():.4f} to {values.max():.4f}",
                f"worst: {', '.join(named)}",
            ]
    return lines


def _json(file: Path) -> dict[str, Any]:
    """The content of a JSON file; empty if the file is missing."""
    content = json.loads(file.read_bytes()) if file.exists() else {}
    return content if isinstance(content, dict) else {}
