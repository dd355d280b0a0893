"""Where a batch's pairs come from: found in a folder, opened again by what results say, and kept inside limits."""

import csv
import io
import json
from dataclasses import replace
from functools import partial
from pathlib import Path

from tted_core.batch.inputs import Inputs, MadeMaps, pairs_by_name, pairs_of_table
from tted_core.batch.map_collections import AS_IT_IS, RECORDS, Reading, ReadMap
from tted_core.batch.maps import Texts
from tted_core.errors import MapFormatError, TTEDError
from tted_core.formats import MindMap
from tted_core.formats.folder import Entry, Files
from tted_core.formats.forest import listed

TABLES = (".csv", ".tsv", ".jsonl", ".ndjson")
COLLECTIONS = (".zip", ".jsonl")

LEFT_NAMES = ("left", "ref", "gold", "base", "human", "source", "original")
"""What the folder of the left maps is usually called; by these beginnings the left one of two is found."""


def found_source(folder: Path, files: Files) -> dict[str, Path]:
    """The pairs in a folder: a table of them, or two collections of maps, as ``opened_source`` takes them.

    Raises:
        MapFormatError: there is neither, or more than one table.
    """
    folder = unwrapped(folder, files)
    entries = _entries(folder, files)
    tables = [path for path, _, is_file in entries if is_file and _is_table(path, files)]
    if len(tables) > 1:
        names = listed([path.name for path in tables])
        raise MapFormatError(f"there is more than one table of pairs: {names}; leave one of them")
    if tables:
        maps = [
            path
            for path, _, is_file in entries
            if path.suffix.lower() in COLLECTIONS and is_file and path not in tables
        ]
        if len(maps) > 1:
            names = listed([path.name for path in maps])
            raise MapFormatError(
                f"there is more than one collection of maps beside the table: {names}; leave one"
            )
        return {"pairs": tables[0]} | ({"maps": maps[0]} if maps else {})
    sides = [path for path, is_dir, _ in entries if is_dir or path.suffix.lower() in COLLECTIONS]
    records = [path for path, _, is_file in entries if is_file and _may_hold_records(path, sides)]
    sides += records if len(sides) + len(records) == 2 else []
    if len(sides) != 2:
        raise MapFormatError(
            "there are no pairs in it; give a table (.csv, .tsv or .jsonl) with the columns left and right, or "
            f"two folders whose maps have the same names, not {len(sides)}"
        )
    left, right = sorted(sides, key=lambda path: (rank_of_side(path), path.name))
    return {"left": left, "right": right}


def opened_source(
    source: dict[str, Path], *, files: Files, reading: Reading = AS_IT_IS, most: int | None = None
) -> Inputs:
    """The pairs of a source; a map that may not be opened has an error in place of its content.

    Args:
        source: the paths of "pairs" and perhaps "maps", or of "left" and "right".
        files: what opens the source and every map.
        reading: how maps are read.
        most: how many pairs there may be.

    Raises:
        MapFormatError: it can't be read, or may not be.
        LimitError: there are more pairs than ``most``.
    """
    for path in source.values():
        if not files.allows(path):
            raise MapFormatError(f"{path.name!r} may not be opened on this server")
    if "pairs" in source:
        folder = source["pairs"].parent
        inputs = pairs_of_table(source["pairs"], source.get("maps"), reading=reading, files=files, most=most)
    else:
        folder = source["left"].parent
        inputs = pairs_by_name(source["left"], source["right"], reading=reading, files=files, most=most)
    maps = inputs.maps

    def reader(number: int) -> ReadMap:
        return partial(_read, maps[number][1], folder)

    return replace(inputs, maps=MadeMaps(Texts.of(name for name, _ in maps), reader))


def _read(read: ReadMap, folder: Path) -> MindMap:
    """A map; an error says no names of the server's folders."""
    try:
        return read()
    except TTEDError as error:
        raise MapFormatError(str(error).replace(f"{folder}/", "")) from error


def unwrapped(folder: Path, files: Files) -> Path:
    """The folder, or the only one in it: archives often hold a single folder with all the rest."""
    entries = _entries(folder, files)
    while len(entries) == 1 and entries[0].is_dir:
        folder = entries[0].path
        entries = _entries(folder, files)
    return folder


def _entries(folder: Path, files: Files) -> list[Entry]:
    try:
        entries = files.entries(folder)
    except OSError as error:
        raise MapFormatError(f"the folder {folder.name!r} can't be read ({error.strerror})") from error
    return [each for each in entries if not each.path.name.startswith(".") and each.path.name != "__MACOSX"]


def rank_of_side(path: Path) -> int:
    """Where a folder's name puts it among the sides: references come before outputs."""
    name = path.stem.lower()
    return next(
        (number for number, start in enumerate(LEFT_NAMES) if name.startswith(start)), len(LEFT_NAMES)
    )


def _may_hold_records(path: Path, sides: list[Path]) -> bool:
    return path.suffix.lower() in RECORDS and path not in sides


def _is_table(path: Path, files: Files) -> bool:
    """Whether its first line, or its first object, names a left and a right map."""
    ending = path.suffix.lower()
    if ending not in TABLES:
        return False
    try:
        with io.TextIOWrapper(files.open(path), encoding="utf-8-sig", errors="replace", newline="") as file:
            first = file.readline(1_000_000)
    except (OSError, MapFormatError):
        return False
    if ending in {".jsonl", ".ndjson"}:
        try:
            row = json.loads(first)
        except (ValueError, RecursionError):
            return False
        return isinstance(row, dict) and {"left", "right"} <= row.keys()
    names = next(csv.reader([first], delimiter="\t" if ending == ".tsv" else ","), [])
    return {"left", "right"} <= set(names)
