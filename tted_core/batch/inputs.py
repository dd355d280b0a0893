"""Which pairs to compare, and a table that lists them."""

import hashlib
import io
import json
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeAlias, overload

import numpy as np

from tted_core.batch.functions import control_in, control_of
from tted_core.batch.map_collections import (
    AS_IT_IS,
    Collection,
    Line,
    Reading,
    ReadMap,
    collection_of,
    lines_of,
    map_in_file,
    map_in_line,
)
from tted_core.batch.maps import Packing, Texts
from tted_core.batch.work import Pairs
from tted_core.errors import MapFormatError
from tted_core.formats import MindMap
from tted_core.formats.folder import ANYWHERE, Files
from tted_core.formats.forest import listed
from tted_core.foundations.limits import check_limit
from tted_core.foundations.tables import read_rows

Table: TypeAlias = Iterator[tuple[str, Line | None, dict[str, Any]]]
"""Rows, each with where it stands, in words, and as a line of JSON if it is one."""

Given: TypeAlias = str | dict[str, Any] | list[Any]
"""A map's name, or the map itself as JSON."""

SIDES = ("left", "right")


@dataclass(frozen=True)
class Inputs:
    """p pairs of m maps.

    Attributes:
        maps: each map's name and what reads it, which raises ``TTEDError`` if it can't be read; of a million maps
            what reads one is made when it is asked for.
        pairs: (p, 2) numbers of maps.
        ids: each pair's id.
        further: the input's own further columns, by name, p texts each.
        notices: what was left out.
        source: where all of it was read from: the absolute paths of "pairs" and perhaps "maps", of "left" and
            "right", or of "reference" and several systems.
    """

    maps: Sequence[tuple[str, ReadMap]] = field(repr=False)
    pairs: Pairs = field(repr=False)
    ids: Texts = field(repr=False)
    further: dict[str, Texts] = field(default_factory=dict, repr=False)
    notices: tuple[str, ...] = ()
    source: dict[str, str] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the pairs and all that stands beside them; of the maps themselves only the names."""
        digest = hashlib.sha256(self.pairs.tobytes())
        digest.update(repr(list(self.further)).encode("utf-8", "surrogatepass"))
        for column in (self.ids, *self.further.values()):
            digest.update(column.letters.data)
            digest.update(column.starts.data)
        return digest.hexdigest()


@dataclass(frozen=True, eq=False)
class MadeMaps(Sequence[tuple[str, ReadMap]]):
    """Names of maps, and a function that makes what reads the one of a number."""

    names: Texts
    reader: Callable[[int], ReadMap]

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, number: int) -> tuple[str, ReadMap]: ...
    @overload
    def __getitem__(self, number: slice) -> list[tuple[str, ReadMap]]: ...
    def __getitem__(self, number: int | slice) -> "tuple[str, ReadMap] | list[tuple[str, ReadMap]]":
        """Name and reader of one map, or of some."""
        if isinstance(number, slice):
            return [self[each] for each in range(len(self))[number]]
        return self.names[number], self.reader(number)


def pairs_of_table(
    file: Path,
    maps: Path | None = None,
    *,
    reading: Reading = AS_IT_IS,
    files: Files = ANYWHERE,
    most: int | None = None,
) -> Inputs:
    """The pairs that a CSV, TSV or JSONL file lists in its columns left and right.

    A map is named by its path from the file's folder, or by its id in the collection ``maps``; with the name of a
    control behind it (``a.json (root)``) its control is meant. In JSONL it may also stand there itself, as an
    object. All other columns are kept, id among them; without one it is the row's number.

    Args:
        file: the table.
        maps: a collection with the maps that it names.
        reading: how maps are read.
        files: what opens the table and the maps.
        most: how many pairs there may be; the table is read no further.

    Raises:
        MapFormatError: the file can't be read, or a row names no two maps.
        LimitError: there are more pairs than ``most``.
    """
    collection = None if maps is None else collection_of(maps, reading, files)
    listed_maps = _ListedMaps(file, collection, reading, files)
    pairs, ids = array("i"), Packing()
    further: dict[str, Packing] = {}
    for place, line, row in _rows(file, files):
        check_pairs(len(ids) + 1, most)
        for side in SIDES:
            given = row.get(side)
            if not isinstance(given, (str, dict, list)) or not given:
                raise MapFormatError(
                    f"{file.name}, {place}: there is no map under {side!r}; each row needs a left and a right"
                )
            pairs.append(listed_maps.number(given, place, line, side))
        given_id = row.get("id")
        ids.add(_cell(given_id) if given_id not in (None, "") else str(len(ids) + 1))
        for name, value in row.items():
            if name not in {"id", *SIDES}:
                column = further.setdefault(name, Packing())
                column.fill(len(ids) - 1)
                column.add(_cell(value))
    if not pairs:
        raise MapFormatError(f"there are no pairs in {file.name}; give a row with left and right for each")
    for column in further.values():
        column.fill(len(ids))
    return Inputs(
        listed_maps.made(),
        np.frombuffer(pairs, dtype=np.int32).reshape(-1, 2),
        ids.packed(),
        {name: column.packed() for name, column in further.items()},
        source=paths_of(pairs=file) if maps is None else paths_of(pairs=file, maps=maps),
    )


class _ListedMaps:
    """The maps that a table lists, each numbered when it is seen first."""

    def __init__(self, file: Path, collection: Collection | None, reading: Reading, files: Files) -> None:
        self._file, self._collection, self._reading, self._files = file, collection, reading, files
        self._known: dict[str | bytes, int] = {}
        self._names, self._entries = Packing(), array("q")
        self._others: dict[int, ReadMap] = {}

    def number(self, given: Given, place: str, line: Line | None, side: str) -> int:
        """The number of a map that is named, or stands in this line itself."""
        number = self._known.setdefault(given if isinstance(given, str) else _digest(given), len(self._known))
        if number < len(self._names):
            return number
        entry = 0
        if isinstance(given, str):
            self._names.add(given)
            try:
                entry = self._collection.named(control_in(given)[0]) if self._collection is not None else 0
            except MapFormatError as error:
                self._others[number] = partial(_refuse, str(error))
        elif line is not None:
            self._names.add(f"{place}, {side}")
            self._others[number] = map_in_line(self._file, line, side, self._reading, self._files)
        self._entries.append(entry)
        return number

    def made(self) -> MadeMaps:
        """All of them; what finds a map by its name is left behind."""
        names, entries, others = self._names.packed(), self._entries, self._others
        folder, reading, files = self._file.parent, self._reading, self._files
        of_collection = None if self._collection is None else self._collection.reader

        def reader(number: int) -> ReadMap:
            if number in others:
                return others[number]
            name, control = control_in(names[number])
            if of_collection is not None:
                read = of_collection(entries[number])
            else:
                read = map_in_file(folder / name, reading, files)
            return partial(control_of, read, control) if control else read

        return MadeMaps(names, reader)


def _digest(given: dict[str, Any] | list[Any]) -> bytes:
    """What a map that stands in the table itself is known by."""
    return hashlib.sha256(json.dumps(given, sort_keys=True).encode("ascii")).digest()


def _refuse(reason: str) -> MindMap:
    raise MapFormatError(reason)


def check_pairs(count: int, most: int | None) -> None:
    """Refuse more pairs than ``most``.

    Raises:
        LimitError: there are more.
    """
    if most is not None:
        check_limit(count, most, "pairs (or more)", "give fewer of them, or use the command tted batch")


def paths_of(**files: Path) -> dict[str, str]:
    """The absolute paths, as ``Inputs.source`` has them."""
    return {name: str(file.resolve()) for name, file in files.items()}


def _rows(file: Path, files: Files) -> Table:
    """The rows of a CSV, TSV or JSONL file, each with where it stands.

    Raises:
        MapFormatError: the file can't be read.
    """
    try:
        if file.suffix.lower() in {".jsonl", ".ndjson"}:
            for line, found in lines_of(file, files):
                yield f"line {line.number}", line, found
            return
        with io.TextIOWrapper(files.open(file), encoding="utf-8-sig", newline="") as source:
            delimiter = "\t" if file.suffix.lower() == ".tsv" else ","
            rows = read_rows(
                source, delimiter, name=file.name, exact=True
            )  # names of files may begin with a space
            _, names = next(rows, (0, []))
            _check_header(names, file)
            for number, cells in rows:
                if len(cells) > len(names):
                    raise MapFormatError(
                        f"{file.name}, line {number}: more cells than the header names; "
                        "put quotation marks around cells with a comma"
                    )
                yield f"line {number}", None, dict(zip_longest(names, cells))
    except FileNotFoundError as error:
        raise MapFormatError(f"there is no file {str(file)!r}; check the name") from error
    except OSError as error:
        raise MapFormatError(
            f"{str(file)!r} can't be read ({error.strerror}); check its permissions"
        ) from error
    except UnicodeDecodeError as error:
        raise MapFormatError(f"{file.name} is not UTF-8; save it as UTF-8") from error


def _check_header(names: Sequence[str], file: Path) -> None:
    missing = [side for side in SIDES if side not in names]
    if missing:
        raise MapFormatError(
            f"{file.name} has no column {listed(missing)}; its first line names the columns left and right, "
            "and others as you like"
        )
    if len(set(names)) < len(names):
        raise MapFormatError(f"{file.name} has two columns of the same name; rename one")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
