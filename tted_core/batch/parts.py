"""The folder of a batch's results: Parquet parts, the run's options, and its summary.

A part is written under another name and then renamed, so that an existing part is always complete.

The lock between runs is a database held by one of them; it is released whenever a process ends.
"""

import json
import os
import platform
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import SUITE
from tted_core.errors import OptionsError
from tted_core.explain.correspondence import CLAIMS, SHARES, STATUSES
from tted_core.method import SETTING_COLUMNS, Method

if TYPE_CHECKING:
    import pyarrow as pa


LOCK = "lock.sqlite"
"""The lock file in a folder of results."""

BUSY = (
    "this batch is being computed already, perhaps in a tab that was closed a moment ago; go on with it in half a "
    "minute"
)


@contextmanager
def held(file: Path, busy: str) -> Iterator[None]:
    """Hold a lock.

    Args:
        file: the lock file, created if needed.
        busy: the error message if it is held by another process.
    """
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(closing(sqlite3.connect(file, timeout=0, isolation_level=None)))
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            gone = f"the folder {file.parent.name} was removed or can't be written ({error})"
            raise OptionsError(busy if "locked" in str(error) else gone) from error
        yield


JOB = "job.json"
SUMMARY = "summary.json"
UNFINISHED = ".tmp"

OF_PAIR = ("id", "left", "right")
TEXTS = (*OF_PAIR, *(name for name, value in Method().columns.items() if isinstance(value, str)))
NUMBERS = (
    "tted",
    "lower_bound",
    *NORMALISATIONS,
    "cost_replace",
    "cost_delete",
    "cost_insert",
    "seconds",
)
COUNTS = ("depth", "left_nodes", "right_nodes", "match", "replace", "delete", "insert")
BEFORE = (
    *OF_PAIR,
    *SETTING_COLUMNS,
    *("tted", "lower_bound", "proven", *NORMALISATIONS, "left_nodes", "right_nodes"),
    *("match", "replace", "delete", "insert", "cost_replace", "cost_delete", "cost_insert"),
)
AFTER = ("notices", "error", "seconds", "signature")


@dataclass(frozen=True)
class Layout:
    """The columns: standard ones, baselines, optional counts of sentences, and the input's own further ones."""

    baselines: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    sentences: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in order."""
        beside = (
            f"{name}{end}" for name in self.baselines for end in (("",) if name in SUITE else ("", "_rho"))
        )
        counts = (*STATUSES, *SHARES, CLAIMS) if self.sentences else ()
        return (*BEFORE, *(name for name in beside if name not in BEFORE), *counts, *AFTER, *self.further)

    def check(self) -> None:
        """Reject further columns with the name of a standard one."""
        for name in self.further:
            if self.names.count(name) > 1:
                raise OptionsError(
                    f"the column {name!r} of the input is a column of the results too; rename it"
                )

    def schema(self) -> "pa.Schema":
        """The columns' types."""
        import pyarrow as pa

        def kind(name: str) -> pa.DataType:
            if name in self.further:
                return pa.string()
            if name in (*COUNTS, *STATUSES, CLAIMS):
                return pa.int32()
            if name == "proven":
                return pa.bool_()
            return pa.string() if name in (*TEXTS, *AFTER) and name != "seconds" else pa.float64()

        return pa.schema([(name, kind(name)) for name in self.names])


def part_file(folder: Path, number: int) -> Path:
    """The file of a part."""
    return folder / f"part-{number:06d}.parquet"


def part_files(folder: Path) -> list[Path]:
    """All existing parts, in order."""
    return sorted(folder.glob("part-*.parquet"))


def _unfinished(file: Path) -> Path:
    """A unique temporary name for an incomplete file."""
    return file.with_name(f"{file.name}.{platform.node()}-{os.getpid()}-{secrets.token_hex(4)}{UNFINISHED}")


def write_part(table: "pa.Table", file: Path) -> None:
    """Write a part completely or not at all."""
    from pyarrow import parquet

    unfinished = _unfinished(file)
    parquet.write_table(table, unfinished, compression="zstd")
    unfinished.replace(file)


def write_json(content: dict[str, Any], file: Path) -> None:
    """Write a JSON file completely or not at all."""
    unfinished = _unfinished(file)
    text = json.dumps(content, ensure_ascii=False, indent=2)
    unfinished.write_text(f"{text}\n", encoding="utf-8", errors="backslashreplace")
    unfinished.replace(file)


def read_parts(folder: Path, columns: Sequence[str] | None = None) -> Iterator["pa.Table"]:
    """Iterate over the parts of a folder of results, with all columns or these."""
    for file in part_files(folder):
        yield read_part(file, columns)


def read_part(file: Path, columns: Sequence[str] | None = None) -> "pa.Table":
    """Read a part, with all columns or these.

    Raises:
        OSError, pyarrow.ArrowException: it can't be read.
    """
    from pyarrow import parquet

    # in this thread only: parquet.read_table reads ahead in other threads, which return memory to Python later; if
    # Python has ended by then, the process is aborted
    with parquet.ParquetFile(file, pre_buffer=False) as source:
        return source.read(columns and list(columns), use_threads=False)


def check_free(folder: Path, *, resume: bool) -> None:
    """Reject a folder with results unless it is to be resumed."""
    if not resume and ((folder / JOB).exists() or part_files(folder)):
        raise OptionsError(
            f"{folder} already has results; add --resume to go on with them, or name another folder"
        )


def begin(folder: Path, job: dict[str, Any]) -> None:
    """Record the inputs and options of a folder's results, or check that they are unchanged."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionsError(f"the folder {folder} can't be made ({error.strerror}); name another") from error
    file = folder / JOB
    if not part_files(folder) and not file.exists():
        write_json(job, file)
        return
    changed = _changed(file, job)
    if changed:
        raise OptionsError(
            f"{folder} has results of other {' and '.join(changed)}; repeat the command that began it, or name "
            "another folder"
        )


def _changed(file: Path, job: dict[str, Any]) -> list[str]:
    try:
        before = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        before = None
    if not isinstance(before, dict):
        return [f"inputs or options ({file.name} is missing or damaged)"]
    words = {"pairs": "pairs", "maps": "maps", "models": "models", "version": "versions of this program"}
    changed = [word for key, word in words.items() if before.get(key) != job[key]]
    options = before.get("options")
    options = options if isinstance(options, dict) else {}
    names = [name for name, value in job["options"].items() if options.get(name) != value]
    return changed + ([f"options ({', '.join(names)})"] if names else [])
