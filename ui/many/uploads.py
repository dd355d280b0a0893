"""Files that a visitor uploads for a batch, put into a folder of their own once; no name leads elsewhere."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import streamlit as st
from streamlit.typing import UploadedFile

from tted_core.batch.plans import table_in
from tted_core.errors import MapFormatError
from tted_core.formats.folder import Confined, entry_names, read_entries
from tted_core.foundations.limits import check_limit
from ui.many.batches import GIVEN, new_folder

MAX_SESSION_BYTES = 100_000_000
"""Bytes of all files that are uploaded for one batch, unpacked."""


class Target:
    """The folder that an upload is put into, with no more bytes than one visitor may upload."""

    def __init__(self, folder: Path) -> None:
        """Nothing is in it."""
        self.folder = folder
        self._total = 0

    def write(self, name: str, content: bytes) -> None:
        """Write a file below the folder.

        Raises:
            MapFormatError: its name leads elsewhere, or is there already.
            LimitError: all files together are too large.
        """
        self._total += len(content)
        check_limit(
            self._total,
            MAX_SESSION_BYTES,
            "bytes (or more) in the unpacked archive",
            "give fewer maps at a time",
        )
        parts = PurePosixPath(name.replace("\\", "/")).parts
        if not parts or parts[0].endswith((":", "/")) or ".." in parts or "\x00" in name:
            raise MapFormatError(
                f"the archive has a file with the name {name!r}, which leads out of it; rename it"
            )
        file = self.folder.joinpath(*parts)
        if file.exists():
            raise MapFormatError(f"two of the files are called {name!r}; rename one")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def unpack(self, archive: bytes, folder: str = "") -> None:
        """Write the files of an archive, hidden ones left out.

        In a ``folder``, they stand without the folders that all of them share.

        Raises:
            TTEDError: it can't be read, or is too much.
        """
        names = [name for name in entry_names(archive) if not is_hidden(name)]
        shared = (
            os.path.commonpath([PurePosixPath(name).parent for name in names]) if folder and names else ""
        )
        for name, content in zip(names, read_entries(archive, names), strict=True):
            self.write(f"{folder}/{name.removeprefix(shared).lstrip('/')}" if folder else name, content)


def is_hidden(name: str) -> bool:
    """Whether a file is one that systems hide, or that archives of theirs hold besides."""
    return any(
        (part.startswith(".") and part != "..") or part == "__MACOSX" for part in PurePosixPath(name).parts
    )


def put_files(files: Sequence[UploadedFile], target: Target) -> str:
    """Put what was uploaded below a folder, and return its title.

    An archive holds all, or the maps that a table beside it lists; any other archive is a folder of its own name.
    """
    archives = [file for file in files if file.name.lower().endswith(".zip")]
    for file in files:
        if file not in archives:
            target.write(file.name, file.getvalue())
    others = len(files) - len(archives)
    of_a_table = len(archives) == 1 and others and table_in(target.folder, Confined((target.folder,)))
    if len(files) == 1 or of_a_table:
        for file in archives:
            target.unpack(file.getvalue())
    else:
        for file in archives:
            target.unpack(file.getvalue(), PurePosixPath(file.name).stem)
    return files[0].name if len(files) == 1 else f"{files[0].name} and {len(files) - 1} more"


def unpacked(state: str, files: Sequence[UploadedFile]) -> tuple[Path, str]:
    """The folder of a batch to be, with these files in it, and its title; made once for the same files.

    Args:
        state: where the session keeps it.
        files: what was uploaded.

    Raises:
        TTEDError: they can't be used, or are too much.
    """
    ids = tuple(file.file_id for file in files)
    known: tuple[tuple[str, ...], Path, str] | None = st.session_state.get(state)
    if known and known[0] == ids and known[1].is_dir():
        return known[1:]
    forget_upload(state)
    with new_folder() as folder:
        title = put_files(files, Target(folder / GIVEN))
    st.session_state[state] = (ids, folder, title)
    return folder, title


def draft(state: str) -> tuple[Path, str] | None:
    """What was unpacked and not begun, if it is still there: its folder and title."""
    known = st.session_state.get(state)
    return known[1:] if known and known[1].is_dir() else None


def forget_upload(state: str) -> None:
    """Drop a batch to be that was never started."""
    known = st.session_state.pop(state, None)
    if known:
        shutil.rmtree(known[1], ignore_errors=True)


def started(state: str) -> None:
    """It was started: it is no draft any more, and the same files make another one."""
    st.session_state.pop(state, None)
