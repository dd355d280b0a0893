"""Collections of maps: a folder, a zip archive, or a JSONL file with an ``id`` and a ``map`` in each line.

Files are opened when their turn comes, so that one which can't be read costs its own pairs only.
"""

import json
import operator
from collections.abc import Callable
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

from tted_core.errors import MapFormatError
from tted_core.formats import MindMap, parse_map, read_map
from tted_core.formats.archive import entry_readers
from tted_core.formats.forest import listed

ReadMap: TypeAlias = Callable[[], MindMap]
Collection: TypeAlias = dict[str, tuple[str, ReadMap]]
"""Name as it stands there -> name without ending, and what reads it."""

Given: TypeAlias = str | dict[str, Any] | list[Any]
"""A map's name, or the map itself as JSON."""


def collected(path: Path, *, roots: str = "join") -> tuple[tuple[str, ReadMap], ...]:
    """All maps of a collection, by name: without the files' endings, where that leaves them apart.

    Raises:
        MapFormatError: it can't be read.
    """
    collection = collection_of(path, roots)
    named = (
        (stem if len(names) == 1 else name, collection[name][1])
        for stem, names in by_stem(collection).items()
        for name in names
    )
    return tuple(sorted(named, key=operator.itemgetter(0)))


def collection_of(path: Path, roots: str) -> Collection:
    """The maps of a folder, an archive or a JSONL file."""
    try:
        if path.is_dir():
            return _folder(path, roots)
        if path.suffix.lower() == ".jsonl":
            return _lines(path, roots)
        return _archive(path, roots)
    except FileNotFoundError as error:
        raise MapFormatError(f"there is no folder or file {str(path)!r}; check the name") from error
    except OSError as error:
        raise MapFormatError(
            f"{str(path)!r} can't be read ({error.strerror}); check its permissions"
        ) from error


def _folder(path: Path, roots: str) -> Collection:
    files = sorted(file for file in path.rglob("*") if file.is_file())
    names = {file.relative_to(path).as_posix(): file for file in files}
    return _files({name: partial(read_map, file, roots=roots) for name, file in names.items()}, path)


def _archive(path: Path, roots: str) -> Collection:
    readers = entry_readers(path.read_bytes())

    def read(name: str) -> MindMap:
        return parse_map(readers[name](), name=PurePosixPath(name).name, roots=roots)

    return _files({name: partial(read, name) for name in sorted(readers)}, path)


def _files(readers: dict[str, ReadMap], path: Path) -> Collection:
    named: Collection = {}
    for name, read in readers.items():
        place = PurePosixPath(name)
        if not any(part.startswith(".") or part == "__MACOSX" for part in place.parts):
            named[name] = (place.with_suffix("").as_posix(), read)
    if not named:
        raise MapFormatError(f"there are no files in {path.name}; name a folder or a zip archive of maps")
    return named


def _lines(path: Path, roots: str) -> Collection:
    """Of each line only where it begins is kept: all the maps may be more than fits into memory."""
    named: Collection = {}
    start = 0
    with path.open("rb") as source:
        for number, line in enumerate(source, start=1):
            if not line.isspace():
                row = object_of_line(_decoded(line, path), path, number)
                name = row.get("id")
                if not isinstance(name, (str, int)) or name == "" or "map" not in row:
                    raise MapFormatError(f"{path.name}, line {number}: each line needs an id and a map")
                if str(name) in named:
                    raise MapFormatError(
                        f"{path.name}, line {number}: the id {str(name)!r} is there twice; rename one"
                    )
                named[str(name)] = (str(name), partial(_read_line, path, start, number, roots))
            start += len(line)
    if not named:
        raise MapFormatError(f"there are no maps in {path.name}; give an object with id and map in each line")
    return named


def _read_line(path: Path, start: int, number: int, roots: str) -> MindMap:
    try:
        with path.open("rb") as source:
            source.seek(start)
            given = object_of_line(_decoded(source.readline(), path), path, number).get("map")
    except OSError as error:
        raise MapFormatError(f"{path.name} can't be read any more ({error.strerror})") from error
    return parse_map(given if isinstance(given, str) else json.dumps(given), roots=roots)


def _decoded(line: bytes, path: Path) -> str:
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MapFormatError(f"{path.name} is not UTF-8; save it as UTF-8") from error


def by_stem(collection: Collection) -> dict[str, list[str]]:
    """Name without ending -> the names that are called so."""
    stems: dict[str, list[str]] = {}
    for name, (stem, _) in collection.items():
        stems.setdefault(stem, []).append(name)
    return stems


def within(collection: Collection, stems: dict[str, list[str]], roots: str, given: Given) -> ReadMap:
    """What reads a map that is named by its id in the collection, or is there itself."""
    if not isinstance(given, str):
        return partial(parse_map, json.dumps(given), roots=roots)
    names = [given] if given in collection else stems.get(given, [])
    if len(names) == 1:
        return collection[names[0]][1]

    def missing() -> MindMap:
        if names:
            raise MapFormatError(f"{given!r} may be {listed(names)}; write the name with its ending")
        raise MapFormatError(f"there is no map with the id {given!r}; check the name")

    return missing


def object_of_line(line: str, file: Path, number: int) -> dict[str, Any]:
    """The JSON object in a line of a file.

    Raises:
        MapFormatError: there is none.
    """
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise MapFormatError(f"{file.name}, line {number}: no JSON object ({error})") from error
    if not isinstance(row, dict):
        raise MapFormatError(
            f"{file.name}, line {number}: no JSON object; each line is one, with left and right"
        )
    return row
