"""What a visitor uploads, put into a folder: archives unpacked, names that lead elsewhere refused."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tted_core.batch.sources import found_source
from tted_core.errors import OptionsError
from ui.many.files import entries, write_given
from ui.many.kept_batches import GIVEN, new_folder

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
        write_given(folder, name, content)
    # Two archives are two sides; one holds everything, or the maps that a table beside it names.
    if len(archives) == 1:
        name, content = archives[0]
        for inner, unpacked_content in entries(content):
            write_given(folder, inner, unpacked_content)
        return
    for name, content in archives:
        write_given(folder, name, content)
