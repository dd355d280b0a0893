"""Maps from callers: a value or a file, a folder, a zip archive, or JSON or JSON lines whose records hold maps.

All functions that take maps call ``as_map`` or ``maps_of``. Files of a collection are opened one by one, so that
an unreadable one affects only its own pairs.
"""

import json
import operator
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

from tted_core.errors import MapFormatError, Message, Setting
from tted_core.formats.document import Document, MindMap
from tted_core.formats.fields import record_title, records_in
from tted_core.formats.forest import ROOTS
from tted_core.formats.reading import parse_map, read_map
from tted_core.foundations.files import ANYWHERE, SIGNATURE, Files, entry_readers, files_in
from tted_core.foundations.messages import list_some, quoted
from tted_core.tree import TextTree

# A map, a tree, the path of a file or folder, or a pair of node texts and lists of children (as in edist).
AnyMap: TypeAlias = (
    MindMap | TextTree | str | os.PathLike[str] | tuple[Sequence[str], Sequence[Sequence[int]]]
)


def check_map_type(given: Any, subject: str = "the map") -> None:
    """Check by type that an argument may be a map; no file is opened.

    Raises:
        MapFormatError: it isn't an ``AnyMap``; the message begins with ``subject``.
    """
    if isinstance(given, str) and not os.path.exists(given):  # noqa: PTH110 - is False for what no path can be
        raise MapFormatError(
            f"{subject} is the text {quoted(given)}, and there is no file of that name; check the path, or read a "
            "text by parse_map(text)"
        )
    # A pair of texts and children is validated when its tree is made.
    is_pair = isinstance(given, (tuple, list)) and len(given) == 2
    if not isinstance(given, (str, MindMap, TextTree, os.PathLike)) and not (
        is_pair and all(isinstance(part, Sequence) and not isinstance(part, (str, bytes)) for part in given)
    ):
        raise MapFormatError(
            f"{subject} is {given!r:.60}; give a MindMap, a TextTree, the path of a file, or a pair of node texts "
            "and lists of children; parse_map reads a text or a file's bytes"
        )


def as_map(given: AnyMap, subject: str = "the map") -> MindMap:
    """Convert a caller's map; a file is read by ``read_map`` without options.

    >>> as_map((["a", "b"], [[1], []])).tree
    TextTree(labels=('a', 'b'), parents=(-1, 0))

    Raises:
        MapFormatError: it isn't an ``AnyMap``, or the file can't be read as a map.
        InvalidTreeError: a pair of texts and children that isn't a tree.
        LimitError: the file or its map is too large.
    """
    check_map_type(given, subject)
    if isinstance(given, MindMap):
        return given
    if isinstance(given, (str, os.PathLike)):
        return read_map(given)
    return MindMap(given if isinstance(given, TextTree) else TextTree.from_children(*given), "tree")


def maps_of(given: Iterable[AnyMap], what: str = "maps") -> list[AnyMap]:
    """Check a list of maps by their types.

    Raises:
        MapFormatError: it isn't a list, or an item isn't an ``AnyMap``.
    """
    if isinstance(given, (str, bytes, Mapping, MindMap, TextTree)) or not isinstance(given, Iterable):
        raise MapFormatError(
            f"{what} is {given!r:.60}; give a list of maps (read_maps reads all of a file or folder)"
        )
    every = list(given)
    for number, each in enumerate(every):
        check_map_type(each, f"{what}[{number}]")
    return every


def pairs_of(given: Iterable[tuple[AnyMap, AnyMap]]) -> list[tuple[AnyMap, AnyMap]]:
    """Check a list of pairs of maps by their types.

    Raises:
        MapFormatError: it isn't a list of pairs, or a side isn't an ``AnyMap``.
    """
    every: list[Any] = (
        list(given) if isinstance(given, Iterable) and not isinstance(given, Mapping) else [given]
    )
    for number, pair in enumerate(every):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise MapFormatError(
                f"pairs[{number}] is {pair!r:.60}; give a list of pairs of maps, [(left, right), ...]"
            )
        for side, each in zip(("left", "right"), pair, strict=True):
            if not isinstance(each, str):  # a missing file is an error of its pair alone
                check_map_type(each, f"the {side} map of pairs[{number}]")
    return every


ReadMap: TypeAlias = Callable[[], MindMap]

LINES = (".jsonl", ".ndjson")
RECORDS = (".json", *LINES)  # extensions of files that may contain records of a program


@dataclass(frozen=True)
class Reading:
    """Options for reading the maps of a collection.

    Attributes:
        roots: one of ``ROOTS``.
        field: path of the map in each record of JSON or JSON lines, as in ``parse_map``.
        key: path of its name, likewise; by default the first of the usual keys.
    """

    roots: str = ROOTS[0]
    field: str | None = None
    key: str | None = None

    def file(self, content: bytes, name: str) -> MindMap:
        """The map in a file of this name; a file without ``field`` has no records, but a single map.

        References are often map files while the systems' outputs are records.

        Raises:
            TTEDError: as ``parse_map``.
        """
        field = self.field if PurePosixPath(name).suffix.lower() in RECORDS else None
        has_field = field is not None and any(record.at(field) for record in records_in(content))
        return parse_map(content, name=name, roots=self.roots, field=field if has_field else None)

    def opened(self, get: Callable[[], bytes], path: str) -> MindMap:
        """The map in a file whose content ``get`` returns."""
        return self.file(get(), PurePosixPath(path).name)


DEFAULT_READING = Reading()  # several roots joined; in records, the map is at a usual key


@dataclass(frozen=True)
class Collection:
    """Maps by name.

    Attributes:
        readers: name -> function that reads this map; it raises ``TTEDError`` on failure.
        has_endings: True if names are file names, whose extensions may be omitted.
    """

    readers: dict[str, ReadMap] = field(repr=False)
    has_endings: bool = True

    @cached_property
    def stems(self) -> dict[str, list[str]]:
        """Name without extension -> full names."""
        stems: dict[str, list[str]] = {}
        for name in self.readers:
            stem = PurePosixPath(name).with_suffix("").as_posix() if self.has_endings else name
            stems.setdefault(stem, []).append(name)
        return stems

    def read(self, given: str) -> MindMap:
        """Read the map with this name, with or without extension.

        Raises:
            MapFormatError: there is none, or more than one.
        """
        names = [given] if given in self.readers else self.stems.get(given, [])
        if len(names) != 1:
            raise MapFormatError(
                f"{given!r} may be {list_some(names)}; write the name with its ending"
                if names
                else f"there is no map with the id {given!r}; check the name"
            )
        return self.readers[names[0]]()


def read_collection(
    path: Path, reading: Reading = DEFAULT_READING, files: Files = ANYWHERE
) -> tuple[tuple[str, ReadMap], ...]:
    """All maps of a collection by name, without extensions if the names stay distinct.

    Raises:
        MapFormatError: it can't be read.
    """
    collection = collection_of(path, reading, files)
    return tuple(
        sorted(
            (
                (stem if len(names) == 1 else name, collection.readers[name])
                for stem, names in collection.stems.items()
                for name in names
            ),
            key=operator.itemgetter(0),
        )
    )


def collection_of(path: Path, reading: Reading = DEFAULT_READING, files: Files = ANYWHERE) -> Collection:
    """The maps of a folder, an archive, or a file of JSON or JSON lines, opened through ``files``.

    Raises:
        MapFormatError: it can't be read.
    """
    if os.path.isdir(path):  # noqa: PTH112 - is False for what no path can be
        named = files_in(path, files)
    elif path.suffix.lower() in RECORDS:
        return Collection(_readers_of_records(path, reading, files), has_endings=False)
    else:
        with files.open(path) as source:
            if (start := source.read(2)) != SIGNATURE[:2]:  # the first two bytes of an empty archive, too
                raise MapFormatError(
                    f"{path.name} is a single file; name a folder, a zip archive or a file of records "
                    f"({', '.join(RECORDS)}) with the maps"
                )
            named = entry_readers(start + source.read())
    if not named:
        raise MapFormatError(f"there are no files in {path.name}; name a folder or a zip archive of maps")
    return Collection({name: partial(reading.opened, get, name) for name, get in named.items()})


def _readers_of_records(path: Path, reading: Reading, files: Files) -> dict[str, ReadMap]:
    """Name -> function that reads the map of a record; each line of JSON lines is a record.

    Without ``field``, a line's map is under "map", as a text or as JSON.
    """
    readers: dict[str, ReadMap] = {}
    field = reading.field or ("map" if path.suffix.lower() in LINES and not reading.key else None)
    for position, row in rows_in(path, files):
        record = json.dumps(row)
        value = Document(record).json[0]
        name = record_title(value, reading.key)
        if not name or name in readers:
            what = f"the id {name!r} is repeated" if name else "the record has no id"
            raise MapFormatError(
                Message(
                    f"{path.name}, {position}: {what}; name its key with ",
                    Setting("key"),
                    f": {list_some(value.keys)}",
                )
            )
        readers[name] = partial(parse_map, record, roots=reading.roots, field=field)
    if not readers:
        raise MapFormatError(f"there are no records in {path.name}; each is an object with an id and a map")
    return readers


def rows_in(path: Path, files: Files = ANYWHERE) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of JSON lines, one by one, or of JSON (a list or a single object), with their positions.

    Raises:
        MapFormatError: other content.
    """
    each = "line" if path.suffix.lower() in LINES else "record"
    with files.open(path) as source:
        if each == "line":
            found: Iterable[tuple[int, Any]] = (
                (number, _load_json(line, f"{path.name}, line {number}"))
                for number, line in enumerate(source, start=1)
                if not line.isspace()
            )
        else:
            whole = _load_json(source.read(), path.name)
            found = enumerate(whole if isinstance(whole, list) else [whole], start=1)
        for number, row in found:
            if not isinstance(row, dict):
                raise MapFormatError(
                    f"{path.name}, {each} {number}: not a JSON object; each {each} must be one"
                )
            yield f"{each} {number}", row


def _load_json(content: bytes, where: str) -> Any:
    try:
        return json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        what = "UTF-8" if isinstance(error, UnicodeDecodeError) else "JSON"
        raise MapFormatError(
            f"{where} is not {what} ({error}); mend it, or name a file of records"
        ) from error
