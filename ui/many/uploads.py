"""Files that a visitor uploads for a batch, put into a folder of their own once; no name leads elsewhere."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeVar

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tted_core.errors import MapFormatError
from tted_core.formats.folder import entry_names, read_entries
from tted_core.limits import MAX_SESSION_BYTES, check_limit
from ui.many.kept_batches import GIVEN, new_folder

Made = TypeVar("Made")


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

    def unpack(self, archive: bytes, below: str = "") -> None:
        """Write the files of an archive, hidden ones left out.

        Raises:
            TTEDError: it can't be read, or is too much.
        """
        names = [name for name in entry_names(archive) if not is_hidden(name)]
        for name, content in zip(names, read_entries(archive, names), strict=True):
            self.write(f"{below}{name}", content)


def is_hidden(name: str) -> bool:
    """Whether a file is one that systems hide, or that archives of theirs hold besides."""
    return any(
        (part.startswith(".") and part != "..") or part == "__MACOSX" for part in PurePosixPath(name).parts
    )


def unpacked(
    state: str,
    files: Sequence[UploadedFile],
    put: Callable[[Sequence[UploadedFile], Target], Made],
    how: str | None = None,
) -> tuple[Path, Made]:
    """The folder of a batch to be, with these files in it, and what ``put`` found there; once for the same files.

    Args:
        state: where the session keeps it.
        files: what was uploaded.
        put: puts the files into their place.
        how: what else that depends on.

    Raises:
        TTEDError: they can't be used, are too much, or there is no room for them.
    """
    ids = (how, *(file.file_id for file in files))
    known: tuple[tuple[str | None, ...], Path, Made] | None = st.session_state.get(state)
    if known and known[0] == ids and known[1].is_dir():
        return known[1], known[2]
    forget_upload(state)
    with new_folder() as folder:
        made = put(files, Target(folder / GIVEN))
    st.session_state[state] = (ids, folder, made)
    return folder, made


def forget_upload(state: str) -> None:
    """Drop a batch to be that was never started."""
    known = st.session_state.pop(state, None)
    if known:
        shutil.rmtree(known[1], ignore_errors=True)


def started(state: str) -> None:
    """It was started: it is no draft any more, and the same files make another one."""
    st.session_state.pop(state, None)
