"""Folders of the server that visitors may choose: those that its owner names, and nothing else.

TTED_BATCH_FOLDERS names them, separated as in PATH. Without it, a server that answers this machine only offers
the folder in which it was started; one that serves others (beyond loopback, or under a name of its own) none.
"""

import os
from collections import deque
from pathlib import Path

import streamlit as st

from tted_core.batch.parts import part_files
from tted_core.encoders.embedding_cache import default_cache
from tted_core.formats.folder import Confined
from ui.server import serves_beyond

OFF = "off"
MOST_FOLDERS = 300
MOST_ENTRIES = 20_000
"""So many are looked at for a list to choose from; a folder beyond can be typed in."""


def offered_folders() -> tuple[Path, ...]:
    """The folders whose files visitors may open."""
    named = os.environ.get("TTED_BATCH_FOLDERS", "").strip()
    if named == OFF:
        return ()
    if named:
        return tuple(Path(each).resolve() for each in named.split(os.pathsep) if each)
    return () if serves_beyond() else (Path.cwd(),)


def files_below(roots: tuple[Path, ...]) -> Confined:
    """What opens the files in these folders, but none of those that this program keeps of its visitors."""
    cache = default_cache()
    return Confined(roots, None if cache is None else cache.file.parent.resolve())


def may_be_opened(roots: tuple[Path, ...], path: Path) -> bool:
    """Whether a file or folder lies in one of the folders, wherever links lead, and in no hidden one there."""
    try:
        return files_below(roots).place(path.resolve()) is not None
    except (OSError, ValueError, RuntimeError):  # a name too long or with a null byte, links in a circle
        return False


@st.cache_data(ttl=10, max_entries=4, show_spinner=False)
def folders_below(roots: tuple[Path, ...]) -> tuple[tuple[Path, bool], ...]:
    """Folders to choose from, the nearest first, each with whether it holds results of a batch."""
    found: list[tuple[Path, bool]] = []
    waiting = deque(roots)
    seen = 0
    while waiting and len(found) < MOST_FOLDERS and seen < MOST_ENTRIES:
        folder = waiting.popleft()
        try:
            entries = sorted(os.scandir(folder), key=lambda each: each.name)
        except OSError:
            continue
        found.append((folder, bool(part_files(folder))))
        seen += len(entries)
        waiting += (
            Path(each.path)
            for each in entries
            if not each.name.startswith((".", "__")) and each.is_dir(follow_symlinks=False)
        )
    return tuple(found)
