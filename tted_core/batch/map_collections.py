"""Collections of maps: a folder, a zip archive, or JSON or JSON lines whose records hold maps.

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
from tted_core.formats import ROOTS, MindMap, parse_map
from tted_core.formats.document import Document
from tted_core.formats.fields import has_field, title_of
from tted_core.formats.folder import ANYWHERE, Files, entry_readers, is_hidden
from tted_core.formats.forest import listed
from tted_core.formats.reading import read_bytes

ReadMap: TypeAlias = Callable[[], MindMap]

File = TypeVar("File")

LINES = (".jsonl", ".ndjson")
RECORDS = (".json", *LINES)
"""The endings of files that may hold records of a program."""


@dataclass(frozen=True)
class Reading:
    """How the maps of a collection are read.

    Attributes:
        roots: one of ``ROOTS``; what to do with several roots.
        field: where in each record of JSON or JSON lines the map stands, as in ``parse_map``.
        key: where its name stands, likewise; by default under the first of the usual keys.
    """

    roots: str = ROOTS[0]
    field: str | None = None
    key: str | None = None

    def file(self, content: bytes, name: str) -> MindMap:
        """The map in a file of this name; a file without the field holds no records, but a map.

        References are often maps in files, and the systems' outputs records.

        Raises:
            TTEDError: as ``parse_map``.
        """
        is_json = self.field is not None and PurePosixPath(name).suffix.lower() in RECORDS
        field = self.field if is_json and has_field(content, self.field) else None
        return parse_map(content, name=name, roots=self.roots, field=field)

    def record(self, content: bytes | str) -> MindMap:
        """The map in a record.

        Raises:
            TTEDError: as ``parse_map``.
        """
        return parse_map(content, roots=self.roots, field=self.field)


AS_IT_IS = Reading()
"""Several roots joined, and no map inside records but where it is usual."""


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


def collected(path: Path, reading: Reading = AS_IT_IS) -> tuple[tuple[str, ReadMap], ...]:
    """All maps of a collection, by name: without the files' endings, where that leaves them apart.

    Raises:
        MapFormatError: it can't be read.
    """
    collection = collection_of(path, reading)
    named = (
        (stem if len(names) == 1 else name, collection.reader(collection.numbers[name]))
        for stem, names in collection.stems.items()
        for name in names
    )
    return tuple(sorted(named, key=operator.itemgetter(0)))


def collection_of(path: Path, reading: Reading = AS_IT_IS, files: Files = ANYWHERE) -> Collection:
    """The maps of a folder, an archive, or a file of JSON or JSON lines, which ``files`` opens.

    Raises:
        MapFormatError: it can't be read.
    """
    try:
        if files.is_dir(path):
            return _folder(path, reading, files)
        if path.suffix.lower() in LINES:
            return _lines(path, reading, files)
        if path.suffix.lower() in RECORDS:
            return _records(path, reading, files)
        return _archive(path, reading, files)
    except FileNotFoundError as error:
        raise MapFormatError(f"there is no folder or file {str(path)!r}; check the name") from error
    except OSError as error:
        raise MapFormatError(
            f"{str(path)!r} can't be read ({error.strerror}); check its permissions"
        ) from error


def map_in_file(path: Path, reading: Reading, files: Files) -> ReadMap:
    """What reads the map in a file."""
    return partial(_read_file, path, reading, files)


def _read_file(path: Path, reading: Reading, files: Files) -> MindMap:
    return reading.file(read_bytes(path, files), path.name)


def _folder(path: Path, reading: Reading, files: Files) -> Collection:
    found = {file.relative_to(path).as_posix(): file for file in files.below(path)}
    return _files(found, path, lambda file: map_in_file(file, reading, files))


def _archive(path: Path, reading: Reading, files: Files) -> Collection:
    with files.open(path) as source:
        readers = entry_readers(source.read())

    def read(name: str) -> MindMap:
        return reading.file(readers[name](), PurePosixPath(name).name)

    return _files({name: name for name in sorted(readers)}, path, lambda name: partial(read, name))


def _files(named: dict[str, File], path: Path, reader: Callable[[File], ReadMap]) -> Collection:
    kept = {name: file for name, file in named.items() if not is_hidden(name)}
    if not kept:
        raise MapFormatError(f"there are no files in {path.name}; name a folder or a zip archive of maps")
    files = list(kept.values())
    return Collection(
        {name: number for number, name in enumerate(kept)}, lambda number: reader(files[number])
    )


def _records(path: Path, reading: Reading, files: Files) -> Collection:
    """The maps in the records of a JSON file, by their names."""
    named = records_in(read_bytes(path, files), path.name, reading.key)
    texts = list(named.values())
    numbers = {name: number for number, name in enumerate(named)}
    return Collection(numbers, lambda number: partial(reading.record, texts[number]), has_endings=False)


def records_in(content: bytes, file: str, key: str | None = None) -> dict[str, str]:
    """Each record of JSON or JSON lines as a text of JSON, by its name.

    Args:
        content: of the file.
        file: its name, for messages.
        key: where in the record its name stands; by default under the first of the usual keys.

    Raises:
        MapFormatError: other content, or a record without a name, or with that of another one.
    """
    try:
        text = content.decode("utf-8-sig")
        try:
            found = json.loads(text)
        except json.JSONDecodeError:
            found = [json.loads(line) for line in text.split("\n") if line.strip()]
    except UnicodeDecodeError as error:
        raise MapFormatError(f"{file} is not UTF-8; save it as UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise MapFormatError(f"{file} is neither JSON nor JSON lines ({error})") from error
    named: dict[str, str] = {}
    for number, row in enumerate(found if isinstance(found, list) else [found], start=1):
        where = f"{file}, record {number}"
        if not isinstance(row, dict):
            raise MapFormatError(f"{where}: no JSON object, so no record with a map")
        name = _name_of(record := json.dumps(row), key, where)
        if name in named:
            raise MapFormatError(f"{where}: the id {name!r} is there twice; name another place with --id")
        named[name] = record
    if not named:
        raise MapFormatError(f"there are no records in {file}")
    return named


def _name_of(record: str, key: str | None, where: str) -> str:
    try:
        value = Document(record).json[0]
        name = title_of(value, key)
    except MapFormatError as error:
        raise MapFormatError(f"{where}: {error.message}") from error
    if not name:
        raise MapFormatError(
            f"{where} has no id under a usual name; say with --id where it stands: {listed(value.keys)}"
        )
    return name


def _lines(path: Path, reading: Reading, files: Files) -> Collection:
    """Of each line only where it begins is kept: all the maps may be more than fits into memory."""
    of_program = bool(reading.field or reading.key)
    numbers: dict[str, int] = {}
    places = array("q")
    for line, row in lines_of(path, files):
        where = f"{path.name}, line {line.number}"
        name = _name_of(json.dumps(row), reading.key, where) if of_program else row.get("id")
        if not isinstance(name, (str, int)) or name == "" or not (of_program or "map" in row):
            raise MapFormatError(
                f"{where}: each line needs an id and a map; --field and --id name other places"
            )
        if numbers.setdefault(str(name), len(numbers)) * 2 < len(places):
            raise MapFormatError(f"{where}: the id {str(name)!r} is there twice; rename one")
        places.extend(line)
    if not numbers:
        raise MapFormatError(f"there are no maps in {path.name}; give an object with id and map in each line")

    def reader(number: int) -> ReadMap:
        line = Line(*places[2 * number : 2 * number + 2])
        if of_program:
            return partial(_read_record, path, line, reading, files)
        return map_in_line(path, line, "map", reading, files)

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


def map_in_line(path: Path, line: Line, key: str, reading: Reading, files: Files) -> ReadMap:
    """What reads the map that stands under this key of the object in a line."""
    return partial(_read_line, path, line, key, reading, files)


def _read_line(path: Path, line: Line, key: str, reading: Reading, files: Files) -> MindMap:
    given = _object(_line_at(path, line, files), path, line.number).get(key)
    return parse_map(given if isinstance(given, str) else json.dumps(given), roots=reading.roots)


def _read_record(path: Path, line: Line, reading: Reading, files: Files) -> MindMap:
    return reading.record(_line_at(path, line, files))


def _line_at(path: Path, line: Line, files: Files) -> bytes:
    try:
        with files.open(path) as source:
            source.seek(line.start)
            return source.readline()
    except OSError as error:
        raise MapFormatError(f"{path.name} can't be read any more ({error.strerror})") from error


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
