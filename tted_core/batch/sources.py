"""Where a batch's pairs come from: found in a folder, opened again by what results say, and kept inside limits."""

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from tted_core.batch.inputs import Inputs, MadeMaps, pairs_by_name, pairs_of_table
from tted_core.batch.map_collections import ReadMap
from tted_core.batch.maps import Texts
from tted_core.errors import MapFormatError, TTEDError
from tted_core.formats import MindMap
from tted_core.formats.forest import listed

TABLES = (".csv", ".tsv", ".jsonl", ".ndjson")
COLLECTIONS = (".zip", ".jsonl")

LEFT_NAMES = ("left", "ref", "gold", "base", "human", "source", "original")
"""What the folder of the left maps is usually called; by these beginnings the left one of two is found."""


def found_source(folder: Path) -> dict[str, Path]:
    """The pairs in a folder: a table of them, or two collections of maps, as ``opened_source`` takes them.

    Raises:
        MapFormatError: there is neither, or more than one table.
    """
    folder = unwrapped(folder)
    entries = _entries(folder)
    tables = [path for path in entries if path.is_file() and _is_table(path)]
    if len(tables) > 1:
        names = listed([path.name for path in tables])
        raise MapFormatError(f"there is more than one table of pairs: {names}; leave one of them")
    if tables:
        maps = [
            path
            for path in entries
            if path.suffix.lower() in COLLECTIONS and path.is_file() and path not in tables
        ]
        if len(maps) > 1:
            names = listed([path.name for path in maps])
            raise MapFormatError(
                f"there is more than one collection of maps beside the table: {names}; leave one"
            )
        return {"pairs": tables[0]} | ({"maps": maps[0]} if maps else {})
    sides = [path for path in entries if path.is_dir() or path.suffix.lower() in COLLECTIONS]
    if len(sides) != 2:
        raise MapFormatError(
            "there are no pairs in it; give a table (.csv, .tsv or .jsonl) with the columns left and right, or "
            f"two folders whose maps have the same names, not {len(sides)}"
        )
    left, right = sorted(sides, key=lambda path: (rank_of_side(path), path.name))
    return {"left": left, "right": right}


def opened_source(source: dict[str, Path], *, roots: str, allowed: Callable[[Path], bool]) -> Inputs:
    """The pairs of a source; a map that lies where none may be read has an error in place of its content.

    Args:
        source: the paths of "pairs" and perhaps "maps", or of "left" and "right".
        roots: what to do with several roots.
        allowed: tells whether a file may be opened.

    Raises:
        MapFormatError: it can't be read, or may not be.
    """
    for path in source.values():
        if not allowed(path):
            raise MapFormatError(f"{path.name!r} may not be opened on this server")
    if "pairs" in source:
        inputs = pairs_of_table(source["pairs"], source.get("maps"), roots=roots)
        folder = source["pairs"].parent
    else:
        inputs = pairs_by_name(source["left"], source["right"], roots=roots)
        folder = source["left"].parent
    maps = inputs.maps

    def reader(number: int) -> ReadMap:
        return _confined(maps[number][1], folder, allowed)

    return replace(inputs, maps=MadeMaps(Texts.of(name for name, _ in maps), reader))


def _confined(read: ReadMap, folder: Path, allowed: Callable[[Path], bool]) -> ReadMap:
    """The same reader, if it reads no file or one that may be opened; it says no names of the server's folders."""
    files = [each for each in getattr(read, "args", ()) if isinstance(each, Path)]
    return partial(_read, read, folder, all(map(allowed, files)))


def _read(read: ReadMap, folder: Path, may_be_read: bool) -> MindMap:
    if not may_be_read:
        raise MapFormatError("this file may not be opened here: it lies outside the folder of the pairs")
    try:
        return read()
    except TTEDError as error:
        raise MapFormatError(str(error).replace(f"{folder}/", "")) from error


def unwrapped(folder: Path) -> Path:
    """The folder, or the only one in it: archives often hold a single folder with all the rest."""
    entries = _entries(folder)
    while len(entries) == 1 and entries[0].is_dir():
        folder, entries = entries[0], _entries(entries[0])
    return folder


def _entries(folder: Path) -> list[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise MapFormatError(f"the folder {folder.name!r} can't be read ({error.strerror})") from error
    return [path for path in entries if not path.name.startswith(".") and path.name != "__MACOSX"]


def rank_of_side(path: Path) -> int:
    """Where a folder's name puts it among the sides: references come before outputs."""
    name = path.stem.lower()
    return next(
        (number for number, start in enumerate(LEFT_NAMES) if name.startswith(start)), len(LEFT_NAMES)
    )


def _is_table(path: Path) -> bool:
    """Whether its first line, or its first object, names a left and a right map."""
    ending = path.suffix.lower()
    if ending not in TABLES:
        return False
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            first = file.readline(1_000_000)
    except OSError:
        return False
    if ending in {".jsonl", ".ndjson"}:
        try:
            row = json.loads(first)
        except (ValueError, RecursionError):
            return False
        return isinstance(row, dict) and {"left", "right"} <= row.keys()
    names = next(csv.reader([first], delimiter="\t" if ending == ".tsv" else ","), [])
    return {"left", "right"} <= set(names)
