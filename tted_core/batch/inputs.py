"""Which pairs to compare: a table of them, or two collections whose maps have the same names."""

import csv
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from tted_core.batch.map_collections import (
    Collection,
    Given,
    ReadMap,
    by_stem,
    collection_of,
    object_of_line,
    within,
)
from tted_core.batch.work import Pairs
from tted_core.errors import MapFormatError
from tted_core.formats import parse_map, read_map
from tted_core.formats.forest import listed

Table: TypeAlias = Iterator[tuple[str, dict[str, Any]]]
"""Rows, each with where it stands."""

SIDES = ("left", "right")


@dataclass(frozen=True)
class Inputs:
    """p pairs of m maps.

    Attributes:
        maps: each map's name and what reads it, which raises ``TTEDError`` if it can't be read.
        pairs: (p, 2) numbers of maps.
        ids: each pair's id.
        further: the input's own further columns, by name, p texts each.
        notices: what was left out.
        source: where all of it was read from: the absolute paths of "pairs" and perhaps "maps", or of "left" and
            "right".
    """

    maps: tuple[tuple[str, ReadMap], ...] = field(repr=False)
    pairs: Pairs = field(repr=False)
    ids: tuple[str, ...] = field(repr=False)
    further: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    notices: tuple[str, ...] = ()
    source: dict[str, str] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the pairs and all that stands beside them; of the maps themselves only the names."""
        digest = hashlib.sha256(self.pairs.tobytes())
        for each in (self.ids, *sorted(self.further.items())):
            digest.update(repr(each).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


def pairs_of_table(file: Path, maps: Path | None = None, *, roots: str = "join") -> Inputs:
    """The pairs that a CSV, TSV or JSONL file lists in its columns left and right.

    A map is named by its path from the file's folder, or by its id in the collection ``maps``. In JSONL it may
    also stand there itself, as an object. All other columns are kept, id among them; without one it is the row's
    number.

    Raises:
        MapFormatError: the file can't be read, or a row names no two maps.
    """
    if maps is None:
        read = partial(_beside, file.parent, roots)
    else:
        collection = collection_of(maps, roots)
        read = partial(within, collection, by_stem(collection), roots)
    known: dict[str, int] = {}
    readers: list[tuple[str, ReadMap]] = []
    pairs: list[tuple[int, int]] = []
    ids: list[str] = []
    further: dict[str, list[str]] = {}
    for place, row in _rows(file):
        numbers = []
        for side in SIDES:
            given = row.get(side)
            if not isinstance(given, (str, dict, list)) or not given:
                raise MapFormatError(
                    f"{file.name}, {place}: there is no map under {side!r}; each row needs a left and a right"
                )
            key = given if isinstance(given, str) else json.dumps(given, sort_keys=True)
            if key not in known:
                known[key] = len(readers)
                readers.append((given if isinstance(given, str) else f"{place}, {side}", read(given)))
            numbers.append(known[key])
        pairs.append((numbers[0], numbers[1]))
        given_id = row.get("id")
        ids.append(_cell(given_id) if given_id not in (None, "") else str(len(pairs)))
        for name, value in row.items():
            if name not in {"id", *SIDES}:
                column = further.setdefault(name, [])
                column += [""] * (len(pairs) - 1 - len(column))
                column.append(_cell(value))
    if not pairs:
        raise MapFormatError(f"there are no pairs in {file.name}; give a row with left and right for each")
    every = {name: tuple(column + [""] * (len(pairs) - len(column))) for name, column in further.items()}
    source = _paths(pairs=file) if maps is None else _paths(pairs=file, maps=maps)
    return Inputs(tuple(readers), np.array(pairs, dtype=np.int32), tuple(ids), every, source=source)


def pairs_by_name(left: Path, right: Path, *, roots: str = "join") -> Inputs:
    """The maps of two collections that have the same name, whatever the endings; other maps are told of.

    Raises:
        MapFormatError: a collection can't be read, two maps of one have the same name, or no name is in both.
    """
    sides = [collection_of(path, roots) for path in (left, right)]
    both = dict(sorted(_partners(*sides)))
    notices = []
    for number, word in enumerate(("left", "right")):
        paired = {names[number] for names in both.values()}
        alone = sorted(set(sides[number]).difference(paired))
        if alone:
            notices.append(
                f"{len(alone):,} maps on the {word} have no partner of their name: {listed(alone[:5])}"
            )
    if not both:
        raise MapFormatError(
            f"no map in {left.name} has the same name as one in {right.name}; name them alike, or list the pairs "
            "in a CSV file with the columns left and right"
        )
    readers = [
        (name, side[name][1]) for names in both.values() for side, name in zip(sides, names, strict=True)
    ]
    pairs = np.arange(2 * len(both), dtype=np.int32).reshape(-1, 2)
    source = _paths(left=left, right=right)
    return Inputs(tuple(readers), pairs, tuple(both), notices=tuple(notices), source=source)


def _partners(left: Collection, right: Collection) -> Iterator[tuple[str, tuple[str, str]]]:
    """Each pair's id and both names: of maps that are called alike, or else alike but for the endings.

    Raises:
        MapFormatError: of several maps that are alike but for the ending none is called as the other side's is.
    """
    stems = by_stem(left), by_stem(right)
    for stem in stems[0].keys() & stems[1].keys():
        names = stems[0][stem], stems[1][stem]
        alike = sorted(set(names[0]).intersection(names[1]))
        if len(names[0]) == len(names[1]) == 1:
            yield stem, (names[0][0], names[1][0])
        elif alike:
            yield from ((name if len(alike) > 1 else stem, (name, name)) for name in alike)
        else:
            several = max(names, key=len)
            raise MapFormatError(
                f"{listed(several)} have the same name but for the ending, and the other side has none of these "
                "names; rename one, or list the pairs in a CSV file"
            )


def _paths(**files: Path) -> dict[str, str]:
    return {name: str(file.resolve()) for name, file in files.items()}


def _beside(folder: Path, roots: str, given: Given) -> ReadMap:
    """What reads a map that is named by its path from the folder, or is there itself."""
    if not isinstance(given, str):
        return partial(parse_map, json.dumps(given), roots=roots)
    return partial(read_map, folder / given, roots=roots)


def _rows(file: Path) -> Table:
    """The rows of a CSV, TSV or JSONL file.

    Raises:
        MapFormatError: the file can't be read.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as source:
            if file.suffix.lower() in {".jsonl", ".ndjson"}:
                for number, line in enumerate(source, start=1):
                    if not line.isspace():
                        yield f"line {number}", object_of_line(line, file, number)
                return
            reader = csv.DictReader(source, delimiter="\t" if file.suffix.lower() == ".tsv" else ",")
            _check_header(reader.fieldnames or (), file)
            for row in reader:
                if None in row:
                    raise MapFormatError(
                        f"{file.name}, line {reader.line_num}: more cells than the header names; "
                        "put quotation marks around cells with a comma"
                    )
                yield f"line {reader.line_num}", dict(row)
    except FileNotFoundError as error:
        raise MapFormatError(f"there is no file {str(file)!r}; check the name") from error
    except OSError as error:
        raise MapFormatError(
            f"{str(file)!r} can't be read ({error.strerror}); check its permissions"
        ) from error
    except UnicodeDecodeError as error:
        raise MapFormatError(f"{file.name} is not UTF-8; save it as UTF-8") from error
    except csv.Error as error:
        raise MapFormatError(f"{file.name} can't be read as a table: {error}") from error


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
