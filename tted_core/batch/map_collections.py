"""Collections of maps: a folder, a zip archive, or a JSONL file with an ``id`` and a ``map`` in each line.

Files are opened when their turn comes, so that one which can't be read costs its own pairs only.
"""

import json
import operator
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, TypeAlias, TypeVar

from tted_core.errors import MapFormatError
from tted_core.formats import MindMap, parse_map
from tted_core.formats.archive import entry_readers
from tted_core.formats.folder import ANYWHERE, Files
from tted_core.formats.forest import listed
from tted_core.formats.reading import read_bytes

ReadMap: TypeAlias = Callable[[], MindMap]

File = TypeVar("File")


@dataclass(frozen=True)
class Collection:
    """Maps by name; what reads one is made when it is asked for, since a million of them would fill the memory.

    Attributes:
        numbers: name as it stands there -> the map's number.
        reader: a number -> what reads this map. It doesn't hold the names.
        has_endings: whether names are those of files, whose endings may be left out.
    """

    numbers: dict[str, int] = field(repr=False)
    reader: Callable[[int], ReadMap] = field(repr=False)
    has_endings: bool = True

    @cached_property
    def stems(self) -> dict[str, list[str]]:
        """Name without ending -> the names that are called so."""
        stems: dict[str, list[str]] = {}
        for name in self.numbers:
            stem = PurePosixPath(name).with_suffix("").as_posix() if self.has_endings else name
            stems.setdefault(stem, []).append(name)
        return stems

    def named(self, given: str) -> int:
        """The number of the map with this name, or with this name and an ending.

        Raises:
            MapFormatError: there is none, or more than one.
        """
        if given in self.numbers:
            return self.numbers[given]
        names = self.stems.get(given, []) if self.has_endings else []
        if len(names) == 1:
            return self.numbers[names[0]]
        if names:
            raise MapFormatError(f"{given!r} may be {listed(names)}; write the name with its ending")
        raise MapFormatError(f"there is no map with the id {given!r}; check the name")


def collected(path: Path, *, roots: str = "join") -> tuple[tuple[str, ReadMap], ...]:
    """All maps of a collection, by name: without the files' endings, where that leaves them apart.

    Raises:
        MapFormatError: it can't be read.
    """
    collection = collection_of(path, roots)
    named = (
        (stem if len(names) == 1 else name, collection.reader(collection.numbers[name]))
        for stem, names in collection.stems.items()
        for name in names
    )
    return tuple(sorted(named, key=operator.itemgetter(0)))


def collection_of(path: Path, roots: str, files: Files = ANYWHERE) -> Collection:
    """The maps of a folder, an archive or a JSONL file, which ``files`` opens.

    Raises:
        MapFormatError: it can't be read.
    """
    try:
        if files.is_dir(path):
            return _folder(path, roots, files)
        if path.suffix.lower() == ".jsonl":
            return _lines(path, roots, files)
        return _archive(path, roots, files)
    except FileNotFoundError as error:
        raise MapFormatError(f"there is no folder or file {str(path)!r}; check the name") from error
    except OSError as error:
        raise MapFormatError(
            f"{str(path)!r} can't be read ({error.strerror}); check its permissions"
        ) from error


def map_in_file(path: Path, roots: str, files: Files) -> ReadMap:
    """What reads the map in a file."""
    return partial(_read_file, path, roots, files)


def _read_file(path: Path, roots: str, files: Files) -> MindMap:
    return parse_map(read_bytes(path, files), name=path.name, roots=roots)


def _folder(path: Path, roots: str, files: Files) -> Collection:
    found = {file.relative_to(path).as_posix(): file for file in files.below(path)}
    return _files(found, path, lambda file: map_in_file(file, roots, files))


def _archive(path: Path, roots: str, files: Files) -> Collection:
    with files.open(path) as source:
        readers = entry_readers(source.read())

    def read(name: str) -> MindMap:
        return parse_map(readers[name](), name=PurePosixPath(name).name, roots=roots)

    return _files({name: name for name in sorted(readers)}, path, lambda name: partial(read, name))


def _files(named: dict[str, File], path: Path, reader: Callable[[File], ReadMap]) -> Collection:
    kept = {
        name: file
        for name, file in named.items()
        if not any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(name).parts)
    }
    if not kept:
        raise MapFormatError(f"there are no files in {path.name}; name a folder or a zip archive of maps")
    files = list(kept.values())
    return Collection(
        {name: number for number, name in enumerate(kept)}, lambda number: reader(files[number])
    )


def _lines(path: Path, roots: str, files: Files) -> Collection:
    """Of each line only where it begins is kept: all the maps may be more than fits into memory."""
    numbers: dict[str, int] = {}
    places = array("q")
    for line, row in lines_of(path, files):
        name = row.get("id")
        if not isinstance(name, (str, int)) or name == "" or "map" not in row:
            raise MapFormatError(f"{path.name}, line {line.number}: each line needs an id and a map")
        if numbers.setdefault(str(name), len(numbers)) * 2 < len(places):
            raise MapFormatError(
                f"{path.name}, line {line.number}: the id {str(name)!r} is there twice; rename one"
            )
        places.extend(line)
    if not numbers:
        raise MapFormatError(f"there are no maps in {path.name}; give an object with id and map in each line")

    def reader(number: int) -> ReadMap:
        return map_in_line(path, Line(*places[2 * number : 2 * number + 2]), "map", roots, files)

    return Collection(numbers, reader, has_endings=False)


class Line(NamedTuple):
    """A line of a file: where it begins, and its number."""

    start: int
    number: int


def lines_of(path: Path, files: Files) -> Iterator[tuple[Line, dict[str, Any]]]:
    """The objects of a JSONL file, and where they stand.

    Raises:
        MapFormatError: a line holds none.
        OSError: the file can't be read.
    """
    start = 0
    with files.open(path) as source:
        for number, line in enumerate(source, start=1):
            if not line.isspace():
                yield Line(start, number), _object(line, path, number)
            start += len(line)


def map_in_line(path: Path, line: Line, key: str, roots: str, files: Files) -> ReadMap:
    """What reads the map that stands under this key of the object in a line."""
    return partial(_read_line, path, line, key, roots, files)


def _read_line(path: Path, line: Line, key: str, roots: str, files: Files) -> MindMap:
    try:
        with files.open(path) as source:
            source.seek(line.start)
            given = _object(source.readline(), path, line.number).get(key)
    except OSError as error:
        raise MapFormatError(f"{path.name} can't be read any more ({error.strerror})") from error
    return parse_map(given if isinstance(given, str) else json.dumps(given), roots=roots)


def _object(line: bytes, file: Path, number: int) -> dict[str, Any]:
    """The JSON object in a line of a file.

    Raises:
        MapFormatError: there is none.
    """
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise MapFormatError(f"{file.name} is not UTF-8; save it as UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise MapFormatError(f"{file.name}, line {number}: no JSON object ({error})") from error
    if not isinstance(row, dict):
        raise MapFormatError(
            f"{file.name}, line {number}: no JSON object; each line is one, with left and right"
        )
    return row
