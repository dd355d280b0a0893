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
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tted_core.errors import OptionsError

if TYPE_CHECKING:
    import pyarrow as pa

JOB = "job.json"
SUMMARY = "summary.json"
UNFINISHED = ".tmp"

BUSY = (
    "this batch is being computed already, perhaps in a tab that was closed a moment ago; go on with it in half a "
    "minute"
)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder of results, so that no other process writes there."""
    with ExitStack() as stack:
        try:
            lock = sqlite3.connect(folder / "lock.sqlite", timeout=0, isolation_level=None)
            stack.enter_context(closing(lock)).execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            gone = f"the folder {folder.name} was removed or can't be written ({error})"
            raise OptionsError(BUSY if "locked" in str(error) else gone) from error
        yield


def part_file(folder: Path, number: int) -> Path:
    """The file of a part."""
    return folder / f"part-{number:06d}.parquet"


def part_files(folder: Path) -> list[Path]:
    """All existing parts, in order."""
    return sorted(folder.glob("part-*.parquet"))


def write_part(table: "pa.Table", file: Path) -> None:
    """Write a part completely or not at all."""
    from pyarrow import parquet

    with _whole(file) as unfinished:
        parquet.write_table(table, unfinished, compression="zstd")


def write_json(content: dict[str, Any], file: Path) -> None:
    """Write a JSON file completely or not at all."""
    text = json.dumps(content, ensure_ascii=False, indent=2)
    with _whole(file) as unfinished:
        unfinished.write_text(f"{text}\n", encoding="utf-8", errors="backslashreplace")


@contextmanager
def _whole(file: Path) -> Iterator[Path]:
    """A unique name to write under; the file is renamed at the end."""
    unfinished = file.with_name(
        f"{file.name}.{platform.node()}-{os.getpid()}-{secrets.token_hex(4)}{UNFINISHED}"
    )
    yield unfinished
    unfinished.replace(file)


def read_parts(folder: Path, columns: Sequence[str] | None = None) -> Iterator["pa.Table"]:
    """Iterate over the parts of a folder of results, with all columns or these.

    Raises:
        OSError, pyarrow.ArrowException: one can't be read.
    """
    from pyarrow import parquet

    for file in part_files(folder):
        # in this thread only: parquet.read_table reads ahead in others, which return memory to Python later; if
        # Python has ended by then, the process is aborted
        with parquet.ParquetFile(file, pre_buffer=False) as source:
            yield source.read(columns and list(columns), use_threads=False)


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
    elif changed := _changed(file, job):
        raise OptionsError(
            f"{folder} has results of other {' and '.join(changed)}; repeat the command that began it, or name "
            "another folder"
        )


def _changed(file: Path, job: dict[str, Any]) -> list[str]:
    try:
        before = json.loads(file.read_text(encoding="utf-8"))
        options = before["options"]
        names = [name for name, value in job["options"].items() if options.get(name) != value]
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return [f"inputs or options ({file.name} is missing or damaged)"]
    words = {"pairs": "pairs", "maps": "maps", "models": "models", "version": "versions of this program"}
    changed = [word for key, word in words.items() if before.get(key) != job[key]]
    return changed + ([f"options ({', '.join(names)})"] if names else [])
