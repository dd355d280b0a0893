"""What a visitor uploads of several systems, put into a folder with a table of pairs that a batch takes."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from streamlit.runtime.uploaded_file_manager import UploadedFile

from tted_core.batch.functions import ANOTHER, CONTROLS
from tted_core.batch.map_collections import RECORDS, records_in
from tted_core.batch.sources import LEFT_NAMES, rank_of_side, unwrapped
from tted_core.errors import MapFormatError
from tted_core.formats.folder import Confined
from tted_core.formats.forest import listed
from tted_core.systems.documents import next_documents
from ui.many import uploads
from ui.many.kept_batches import GIVEN
from ui.many.server_folders import files_below
from ui.many.uploads import is_hidden

Row: TypeAlias = tuple[str, str, str, str]
"""A row of the table of pairs: id, left, right and system."""

STATE = "systems-given"
UNSAFE = re.compile(r"[/\\:\x00-\x1f]|^\.")
"""What the name of a record may have, and not that of a file."""
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
        pairs: how many pairs are compared, those of the controls among them.
        told: what was left out.
    """

    folder: Path
    table: Path
    references: str
    systems: dict[str, int]
    documents: int
    pairs: int
    told: tuple[str, ...]


def unpacked(
    files: Sequence[UploadedFile], key: str | None = None, state: str = STATE, references: str | None = None
) -> Given:
    """The maps in these archives and files of records, once for the same files.

    ``key`` says where in a record its name stands, by default under the first of the usual keys; ``state`` where
    the session keeps them; ``references`` which folder holds the references, guessed by its name if there is none
    of this name.

    Raises:
        TTEDError: there are no references and systems in them, they are too much, or there is no room for them.
    """
    return uploads.unpacked(
        state, files, partial(_put, key=key, references=references), f"{key} {references}"
    )[1]


def _put(
    files: Sequence[UploadedFile], target: uploads.Target, key: str | None, references: str | None = None
) -> Given:
    """One archive holds a folder for the references and for each system; of several files, each is one of them."""
    for file in files:
        below = PurePosixPath(file.name).stem
        if file.name.lower().endswith(RECORDS):
            for name, record in records_in(file.getvalue(), file.name, key).items():
                target.write(f"{below}/{UNSAFE.sub('_', name)}.json", record.encode())
        elif file.name.lower().endswith(".zip"):
            target.unpack(file.getvalue(), "" if len(files) == 1 else f"{below}/")
        else:
            raise MapFormatError(
                f"{file.name} is neither a zip archive nor JSON of records; pack each folder of maps, or all of "
                "them, as .zip"
            )
    return _planned(target.folder.parent, references)


def _planned(folder: Path, chosen: str | None) -> Given:
    home = unwrapped(folder / GIVEN, files_below((folder,)))
    sides = sorted(
        (path for path in home.iterdir() if path.is_dir() and not is_hidden(path.name)),
        key=lambda side: (side.name != chosen, *_order(side)),
    )
    if len(sides) < 2:
        raise MapFormatError(
            "there are no systems in it; give a folder of references and a folder for each system, in one zip or "
            "one zip each"
        )
    references, *systems = ((side, _maps(side, files_below((folder,)))) for side in sides)
    rows: list[Row] = []
    counts: dict[str, int] = {}
    told: list[str] = []
    if sides[0].name != chosen and rank_of_side(sides[0]) == len(LEFT_NAMES):
        told.append(
            f"no folder is named references: {sides[0].name} is taken for them, as the first by name; choose "
            "another under References if that is wrong"
        )
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
        rows += [
            (name, _below(references[1][name], home), _below(maps[name], home), side.name) for name in shared
        ]
    rows += _controls({name: _below(file, home) for name, file in references[1].items()})
    table = home / TABLE
    with table.open("w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("id", "left", "right", "system"))
        writer.writerows(rows)
    return Given(folder, table, references[0].name, counts, len(references[1]), len(rows), tuple(told))


def _below(file: Path, home: Path) -> str:
    return file.relative_to(home).as_posix()


def _controls(references: Mapping[str, str]) -> Iterator[Row]:
    """The pairs of each reference and its controls."""
    after = next_documents(sorted(references))
    for control in CONTROLS:
        for name, left in references.items():
            if control != ANOTHER:
                yield name, left, f"{left} {control}", control
            elif after[name] != name:
                yield name, left, references[after[name]], control


def _order(side: Path) -> tuple[int, str]:
    return rank_of_side(side), side.name


def _maps(folder: Path, files: Confined) -> dict[str, Path]:
    """Each map's file, by its name without the ending."""
    home = unwrapped(folder, files)
    maps: dict[str, Path] = {}
    for file in files.below(home):
        name = file.relative_to(home).with_suffix("").as_posix()
        if name in maps:
            raise MapFormatError(
                f"{maps[name].name!r} and {file.name!r} in {folder.name} have the same name but for the ending; "
                "rename one"
            )
        maps[name] = file
    return maps
