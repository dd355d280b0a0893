"""What a visitor uploads of several systems, put into a folder with a table of pairs that a batch takes."""

import csv
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tted_core import MapFormatError
from tted_core.batch.sources import rank_of_side, unwrapped
from tted_core.errors import OptionsError
from tted_core.formats.forest import listed
from ui.many.files import entries, is_hidden, write_given
from ui.many.kept_batches import GIVEN, new_folder

STATE = "systems-given"
TABLE = "pairs.csv"


@dataclass(frozen=True)
class Given:
    """Maps of several systems, in a folder made for a batch.

    Attributes:
        folder: the batch's folder.
        table: its pairs: id, left, right and system.
        references: the name of the folder of references.
        systems: each system's name, and how many of its maps have a reference.
        documents: how many references there are.
        told: what was left out.
    """

    folder: Path
    table: Path
    references: str
    systems: dict[str, int]
    documents: int
    told: tuple[str, ...]

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return sum(self.systems.values())


def unpacked(files: Sequence[UploadedFile]) -> Given:
    """The maps in these archives, once for the same files.

    Raises:
        TTEDError: there are no references and systems in them, or they are too much.
    """
    ids = tuple(file.file_id for file in files)
    known: tuple[tuple[str, ...], Given] | None = st.session_state.get(STATE)
    if known and known[0] == ids and known[1].folder.is_dir():
        return known[1]
    forget_upload()
    folder = new_folder()
    try:
        _put(files, folder / GIVEN)
        given = _planned(folder)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise OptionsError(f"the files can't be kept on this server ({error.strerror})") from error
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    st.session_state[STATE] = (ids, given)
    return given


def forget_upload() -> None:
    """Drop what was uploaded and never started."""
    known = st.session_state.pop(STATE, None)
    if known:
        shutil.rmtree(known[1].folder, ignore_errors=True)


def started() -> None:
    """It was started: it is no draft any more, and the same files make another one."""
    st.session_state.pop(STATE, None)


def _put(files: Sequence[UploadedFile], folder: Path) -> None:
    """One archive holds a folder for the references and for each system; of several, each is one of these."""
    for file in files:
        if not file.name.lower().endswith(".zip"):
            raise MapFormatError(
                f"{file.name} is no zip archive; pack each folder of maps, or all of them, as .zip"
            )
        below = "" if len(files) == 1 else f"{PurePosixPath(file.name).stem}/"
        for name, content in entries(file.getvalue()):
            write_given(folder, f"{below}{name}", content)


def _planned(folder: Path) -> Given:
    home = unwrapped(folder / GIVEN)
    sides = sorted(
        (path for path in home.iterdir() if path.is_dir() and not is_hidden(path.name)), key=_order
    )
    if len(sides) < 2:
        raise MapFormatError(
            "there are no systems in it; give a folder of references and a folder for each system, in one zip or "
            "one zip each"
        )
    references, *systems = ((side, _maps(side)) for side in sides)
    rows = []
    counts: dict[str, int] = {}
    told: list[str] = []
    for side, maps in systems:
        shared = [name for name in maps if name in references[1]]
        if not shared:
            raise MapFormatError(
                f"no map of {side.name} has the name of one in {references[0].name}, which is taken for the "
                "folder of references; name maps alike, and that folder references"
            )
        without = sorted(set(maps) - set(shared))
        if without:
            told.append(
                f"{len(without):,} of {side.name} without a reference left out: {listed(without[:5])}"
            )
        counts[side.name] = len(shared)
        rows += [(name, references[1][name], maps[name], side.name) for name in shared]
    table = home / TABLE
    with table.open("w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("id", "left", "right", "system"))
        for name, left, right, system in rows:
            writer.writerow(
                (name, left.relative_to(home).as_posix(), right.relative_to(home).as_posix(), system)
            )
    return Given(folder, table, references[0].name, counts, len(references[1]), tuple(told))


def _order(side: Path) -> tuple[int, str]:
    return rank_of_side(side), side.name


def _maps(folder: Path) -> dict[str, Path]:
    """Each map's file, by its name without the ending."""
    home = unwrapped(folder)
    maps: dict[str, Path] = {}
    for file in sorted(path for path in home.rglob("*") if path.is_file()):
        name = file.relative_to(home).with_suffix("").as_posix()
        if name in maps:
            raise MapFormatError(
                f"{maps[name].name!r} and {file.name!r} in {folder.name} have the same name but for the ending; "
                "rename one"
            )
        maps[name] = file
    return maps
