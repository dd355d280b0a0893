"""Pairs to compare: rows of a table, or maps of the same name in collections."""

import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from tted_core.batch.controls import ANOTHER, BATCH_CONTROLS, control_of, next_documents
from tted_core.errors import MapFormatError, TTEDError
from tted_core.formats import MindMap, parse_map
from tted_core.formats.folder import ANYWHERE, Files, read_bytes
from tted_core.formats.forest import list_some
from tted_core.formats.map_collections import (
    DEFAULT_READING,
    LINES,
    RECORDS,
    Collection,
    Reading,
    ReadMap,
    collection_of,
    rows_in,
)
from tted_core.foundations.limits import check_limit
from tted_core.foundations.tables import read_rows
from tted_core.pipeline import SIDES, Pairs


@dataclass(frozen=True)
class Inputs:
    """p pairs of m maps.

    Attributes:
        maps: each map's name and the function that reads it, which raises ``TTEDError`` on failure.
        pairs: (p, 2) numbers of maps.
        ids: each pair's id.
        further: the input's other columns, by name, p texts each.
        notices: omissions.
        source: the absolute paths of "pairs" and optionally "maps", of "left" and "right", or of "reference" and
            several systems.
    """

    maps: Sequence[tuple[str, ReadMap]] = field(repr=False)
    pairs: Pairs = field(repr=False)
    ids: Sequence[str]
    further: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    notices: tuple[str, ...] = ()
    source: Mapping[str, str] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the pairs, their ids and further columns; maps are represented by name only."""
        digest = hashlib.sha256(self.pairs.tobytes())
        for name, column in (("id", self.ids), *self.further.items()):
            digest.update(repr((name, list(column))).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


def open_source(
    source: Mapping[str, Path], *, files: Files, reading: Reading = DEFAULT_READING, most: int | None = None
) -> Inputs:
    """The pairs of a source, whose maps are opened through ``files``; errors don't reveal the source's folder.

    Args:
        source: the paths of "pairs" and optionally "maps", of "left" and "right", or of "reference" and several
            systems, in this order.
        files: opens the source and every map.
        reading: options for reading maps.
        most: maximum number of pairs.
    """
    first, *others = source.values()
    if "pairs" in source:
        inputs = pairs_of_table(first, *others, reading=reading, files=files, most=most)
    elif "reference" in source:
        inputs = pairs_with_references(first, others, reading=reading, files=files, most=most)
    else:
        inputs = pairs_by_name(first, *others, reading=reading, files=files, most=most)
    return replace(
        inputs, maps=[(name, partial(_without_folder, first.parent, read)) for name, read in inputs.maps]
    )


def _without_folder(folder: Path, read: ReadMap) -> MindMap:
    try:
        return read()
    except TTEDError as error:
        raise MapFormatError(str(error).replace(f"{folder}/", "")) from error


def pairs_of_table(
    file: Path,
    maps: Path | None = None,
    *,
    reading: Reading = DEFAULT_READING,
    files: Files = ANYWHERE,
    most: int | None = None,
) -> Inputs:
    """The pairs in the columns left and right of a CSV, TSV or JSONL file.

    A map is given by its path relative to the file's folder, or by its id in the collection ``maps``. In JSONL it
    may also be an object. All other columns are kept, including id, which is the row's number by default.

    Args:
        file: the table.
        maps: a collection with the maps named in the table.
        reading: options for reading maps.
        files: opens the table and the maps.
        most: maximum number of pairs; the table isn't read further.
    """
    collection = None if maps is None else collection_of(maps, reading, files)
    numbers: dict[str, int] = {}
    named: list[tuple[str, ReadMap]] = []
    pairs: list[int] = []
    rows: list[dict[str, str]] = []
    for position, row in _rows(file, files):
        _check_pairs(len(rows) + 1, most)
        for side in SIDES:
            given = row.pop(side, None)
            if not isinstance(given, (str, dict, list)) or not given:
                raise MapFormatError(
                    f"{file.name}, {position}: there is no map under {side!r}; each row needs a left and a right"
                )
            key = given if isinstance(given, str) else json.dumps(given, sort_keys=True)
            if key not in numbers:
                numbers[key] = len(named)
                if isinstance(given, str):
                    read = partial(reading.opened, partial(read_bytes, file.parent / given, files), given)
                    named.append((given, partial(_read_named, collection, given) if collection else read))
                else:
                    inside = partial(parse_map, json.dumps(given), roots=reading.roots)
                    named.append((f"{position}, {side}", inside))
            pairs.append(numbers[key])
        rows.append({name: _cell(value) for name, value in row.items()})
    if not rows:
        raise MapFormatError(f"there are no pairs in {file.name}; give a row with left and right for each")
    columns = dict.fromkeys(name for row in rows for name in row)
    return Inputs(
        named,
        np.array(pairs, dtype=np.int32).reshape(-1, 2),
        [row.get("id") or str(number) for number, row in enumerate(rows, start=1)],
        {name: [row.get(name, "") for row in rows] for name in columns if name != "id"},
        source=_paths(pairs=file) if maps is None else _paths(pairs=file, maps=maps),
    )


def _read_named(collection: Collection, name: str) -> MindMap:
    return collection.named(name)()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _check_pairs(count: int, most: int | None) -> None:
    if most is not None:
        check_limit(count, most, "pairs (or more)", "give fewer of them, or use the command tted batch")


def _paths(**files: Path) -> dict[str, str]:
    return {name: str(file.resolve()) for name, file in files.items()}


def _rows(file: Path, files: Files) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a CSV, TSV or JSONL file, each with its position."""
    try:
        if file.suffix.lower() in LINES:
            yield from rows_in(file, files)
            return
        with io.TextIOWrapper(files.open(file), encoding="utf-8-sig", newline="") as source:
            delimiter = "\t" if file.suffix.lower() == ".tsv" else ","
            # exact, since names of files may begin with a space
            rows = read_rows(source, delimiter, name=file.name, exact=True)
            _, names = next(rows, (0, []))
            if missing := [side for side in SIDES if side not in names]:
                raise MapFormatError(
                    f"{file.name} has no column {list_some(missing)}; its first line names the columns left and "
                    "right, and others as you like"
                )
            if len(set(names)) < len(names):
                raise MapFormatError(f"{file.name} has two columns of the same name; rename one")
            for number, cells in rows:
                if len(cells) > len(names):
                    raise MapFormatError(
                        f"{file.name}, line {number}: more cells than the header names; "
                        "put quotation marks around cells with a comma"
                    )
                yield f"line {number}", dict(zip_longest(names, cells))
    except FileNotFoundError as error:
        raise MapFormatError(f"there is no file {str(file)!r}; check the name") from error
    except OSError as error:
        raise MapFormatError(
            f"{str(file)!r} can't be read ({error.strerror}); check its permissions"
        ) from error
    except UnicodeDecodeError as error:
        raise MapFormatError(f"{file.name} is not UTF-8; save it as UTF-8") from error


def pairs_by_name(
    left: Path,
    right: Path,
    *,
    reading: Reading = DEFAULT_READING,
    files: Files = ANYWHERE,
    most: int | None = None,
) -> Inputs:
    """Pairs of maps with the same name, whatever the extension, in two collections; others are reported.

    Args:
        left: a collection.
        right: another one.
        reading: options for reading maps.
        files: opens the maps.
        most: maximum number of pairs.
    """
    sides = [collection_of(path, reading, files) for path in (left, right)]
    both = _partners(*sides)
    _check_pairs(len(both), most)
    if not both:
        raise MapFormatError(
            f"no map in {left.name} has the same name as one in {right.name}; name them alike, or list the pairs "
            "in a CSV file with the columns left and right"
        )
    maps, notices = [], []
    for pair in both.values():
        maps += [(name, side.readers[name]) for side, name in zip(sides, pair, strict=True)]
    for word, side, names in zip(SIDES, sides, zip(*both.values(), strict=True), strict=True):
        if alone := sorted(side.readers.keys() - set(names)):
            notices.append(
                f"{len(alone):,} maps on the {word} have no partner with their name: {list_some(alone[:5])}"
            )
    return Inputs(
        maps,
        np.arange(2 * len(both), dtype=np.int32).reshape(-1, 2),
        list(both),
        notices=tuple(notices),
        source=_paths(left=left, right=right),
    )


def pairs_with_references(
    reference: Path,
    systems: Sequence[Path],
    *,
    reading: Reading = DEFAULT_READING,
    files: Files = ANYWHERE,
    most: int | None = None,
) -> Inputs:
    """The maps of several systems, each with the reference of its name, and the controls of all references.

    The column ``system`` names the system of a pair.

    Args:
        reference: a collection of references.
        systems: each system's collection of outputs.
        reading: options for reading maps.
        files: opens the maps.
        most: maximum number of pairs.
    """
    references = collection_of(reference, reading, files)
    first = side_name(reference)
    maps = [(f"{first}/{name}", read) for name, read in references.readers.items()]
    number = {name: index for index, name in enumerate(references.readers)}
    rows: list[tuple[str, int, int, str]] = []
    notices = []
    for path in systems:
        system, outputs = side_name(path), collection_of(path, reading, files)
        partners = _partners(references, outputs)
        if not partners:
            raise MapFormatError(
                f"no map of {system} has the name of one in {first}, which is read as the folder of references; "
                "name maps alike, or choose another folder as the reference"
            )
        for item, (of_reference, output) in partners.items():
            rows.append((item, number[of_reference], len(maps), system))
            maps.append((f"{system}/{output}", outputs.readers[output]))
        if alone := sorted(outputs.readers.keys() - {output for _, output in partners.values()}):
            notices.append(f"{len(alone):,} of {system} without a reference left out: {list_some(alone[:5])}")
    documents = {
        stem if len(names) == 1 else name: number[name]
        for stem, names in references.stems.items()
        for name in names
    }
    after = next_documents(sorted(documents))
    for control in BATCH_CONTROLS:
        for item, index in documents.items():
            if control != ANOTHER:
                name, read = maps[index]
                rows.append((item, index, len(maps), control))
                maps.append((f"{name} {control}", partial(control_of, read, control)))
            elif after[item] != item:
                rows.append((item, index, documents[after[item]], control))
    _check_pairs(len(rows), most)
    items, left, right, whose = zip(*rows, strict=True)
    return Inputs(
        maps,
        np.array([left, right], dtype=np.int32).T.copy(),
        items,
        {"system": whose},
        notices=tuple(notices),
        source=_paths(reference=reference, **{f"system {path.name}": path for path in systems}),
    )


def side_name(path: Path) -> str:
    """The name of a collection: that of a folder, or of a file without its extension."""
    return path.stem if path.suffix.lower() in {".zip", *RECORDS} else path.name


def _partners(left: Collection, right: Collection) -> dict[str, tuple[str, str]]:
    """Sorted id -> both names, of maps with equal names, or names equal except for the extension."""
    found = {}
    for stem in left.stems.keys() & right.stems.keys():
        names = left.stems[stem], right.stems[stem]
        alike = sorted(set(names[0]).intersection(names[1]))
        if len(names[0]) == len(names[1]) == 1:
            found[stem] = names[0][0], names[1][0]
        elif alike:
            found |= {name if len(alike) > 1 else stem: (name, name) for name in alike}
        else:
            several = names[0] if len(names[0]) > 1 else names[1]
            raise MapFormatError(
                f"{list_some(several)} have the same name except for the extension, and the other side has "
                "none of these names; rename one, or list the pairs in a CSV file"
            )
    return dict(sorted(found.items()))
