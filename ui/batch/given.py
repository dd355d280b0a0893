"""What a visitor uploads, put into a folder: archives unpacked, names that lead elsewhere refused."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tted_core import MapFormatError
from tted_core.batch.sources import found_source
from tted_core.errors import OptionsError
from tted_core.formats.archive import entry_names, read_entries
from tted_core.limits import MAX_SESSION_BYTES, check_limit
from ui.kept_batches import GIVEN, new_folder

STATE = "batch-given"


def unpacked(files: Sequence[UploadedFile]) -> tuple[Path, dict[str, Path]]:
    """The folder of a batch to be, with these files in it, and where its pairs are; the same for the same files.

    Raises:
        TTEDError: no pairs are found in them, or they are too much.
    """
    ids = tuple(file.file_id for file in files)
    known: tuple[tuple[str, ...], Path] | None = st.session_state.get(STATE)
    if not known or known[0] != ids or not known[1].is_dir():
        forget_upload()
        folder = new_folder()
        try:
            _put([(file.name, file.getvalue()) for file in files], folder / GIVEN)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise OptionsError(f"the files can't be kept on this server ({error.strerror})") from error
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        st.session_state[STATE] = (ids, folder)
    folder = st.session_state[STATE][1]
    return folder, found_source(folder / GIVEN)


def forget_upload() -> None:
    """Drop a batch to be that was never started."""
    known = st.session_state.pop(STATE, None)
    if known:
        shutil.rmtree(known[1], ignore_errors=True)


def started() -> None:
    """It was started: it is no draft any more, and the same files make another one."""
    st.session_state.pop(STATE, None)


def _put(files: Sequence[tuple[str, bytes]], folder: Path) -> None:
    archives = [(name, content) for name, content in files if name.lower().endswith(".zip")]
    others = [(name, content) for name, content in files if not name.lower().endswith(".zip")]
    for name, content in others:
        _write(folder, name, content)
    # Two archives are two sides; one holds everything, or the maps that a table beside it names.
    if len(archives) == 1:
        name, content = archives[0]
        for inner, unpacked_content in _entries(content):
            _write(folder, inner, unpacked_content)
        return
    for name, content in archives:
        _write(folder, name, content)


def _entries(content: bytes) -> Iterator[tuple[str, bytes]]:
    names = [name for name in entry_names(content) if not _is_hidden(name)]
    total = 0
    for name, inner in zip(names, read_entries(content, names), strict=True):
        total += len(inner)
        check_limit(
            total, MAX_SESSION_BYTES, "bytes (or more) in the unpacked archive", "give fewer maps at a time"
        )
        yield name, inner


def _is_hidden(name: str) -> bool:
    return any(
        (part.startswith(".") and part != "..") or part == "__MACOSX" for part in PurePosixPath(name).parts
    )


def _write(folder: Path, name: str, content: bytes) -> None:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or parts[0].endswith((":", "/")) or ".." in parts or "\x00" in name:
        raise MapFormatError(
            f"the archive has a file with the name {name!r}, which leads out of it; rename it"
        )
    file = folder.joinpath(*parts)
    if file.exists():
        raise MapFormatError(f"two of the files are called {name!r}; rename one")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
