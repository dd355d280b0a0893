"""The folder of a batch's results: Parquet parts, the run's options, its summary, and a lock.

A file is written under another name, synced and then renamed, so that a part is complete or missing, unless the
disk damages it later: checksums tell.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tted_core.errors import OptionsError
from tted_core.foundations.files import UNFINISHED, write_whole

if TYPE_CHECKING:
    import pyarrow as pa

JOB = "job.json"
SUMMARY = "summary.json"

BUSY = (
    "this batch is being computed already, perhaps in a tab that was closed a moment ago; go on with it in half a "
    "minute"
)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder of results, so that no other process writes there, and remove unfinished files.

    The system releases it when the process ends, however it ends.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(folder / "lock", timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise OptionsError(BUSY) from error
    except (OSError, NotImplementedError) as error:
        raise OptionsError(f"the folder {folder.name} was removed or can't be written ({error})") from error
    try:
        for leftover in folder.glob(f"{UNFINISHED}*"):
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
    text = json.dumps(content, ensure_ascii=False, indent=2)
    _write(file, f"{text}\n".encode("utf-8", "backslashreplace"))


def _write(file: Path, content: bytes) -> None:
    try:
        write_whole(file, content)
    except OSError as error:
        raise OptionsError(
            f"{file} can't be written ({error.strerror}); make room there, and go on with --resume: finished "
            "parts are kept"
        ) from error


def read_parts(folder: Path, columns: Sequence[str] | None = None) -> Iterator["pa.Table"]:
    """Iterate over the parts of a folder of results, with all columns or these.

    Raises:
        OptionsError: one is damaged.
    """
    for file in part_files(folder):
        yield read_part(file, columns)


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
            f"{file} can't be read ({reason}); repeat the command that wrote it with --resume, which computes a "
            "damaged part again"
        ) from error


def remove_damaged(folder: Path) -> list[str]:
    """Remove the parts that can't be read, and return a notice about each."""
    notices = []
    for file in part_files(folder):
        try:
            read_part(file)
        except OptionsError:
            file.unlink()
            notices.append(f"{file.name} was damaged and is computed again")
    return notices


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
    elif changed := _find_changes(file, job):
        raise OptionsError(
            f"{folder} has results of other {' and '.join(changed)}; repeat the command that began it, or name "
            "another folder"
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
