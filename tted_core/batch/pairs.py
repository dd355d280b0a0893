"""Pairs to compare: rows of a table, or maps of the same name in collections."""

import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from tted_core.batch.controls import ANOTHER, BATCH_CONTROLS, control_of
from tted_core.errors import MapFormatError, Message, OptionsError, Setting, check_limit
from tted_core.formats import parse_map
from tted_core.formats.map_collections import (
    DEFAULT_READING,
    LINES,
    RECORDS,
    Collection,
    Reading,
    ReadMap,
    collection_of,
    read_collection,
    rows_in,
)
from tted_core.foundations.files import ANYWHERE, Files, read_bytes
from tted_core.foundations.messages import counted, list_some
from tted_core.foundations.tables import read_rows
from tted_core.pipeline import SIDES, Pairs

# Name of each map, equal for maps of one document, and the function that reads it.
NamedMaps: TypeAlias = Sequence[tuple[str, ReadMap]]


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
        documents: of systems, each document's references, by their numbers; documents are in order.
    """

    maps: Sequence[tuple[str, ReadMap]] = field(repr=False)
    pairs: Pairs = field(repr=False)
    ids: Sequence[str]
    further: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    notices: tuple[str, ...] = ()
    source: Mapping[str, str] = field(default_factory=dict)
    documents: Mapping[str, Sequence[int]] = field(default_factory=dict, repr=False)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the pairs, their ids and further columns; maps are represented by name only."""
        digest = hashlib.sha256(self.pairs.tobytes())
        for name, column in (("id", self.ids), *self.further.items()):
            digest.update(repr((name, list(column))).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    def columns(self, part: slice, times: int) -> dict[str, list[str]]:
        """The ids, both maps' names and further columns of some pairs, each pair's so many times."""
        left, right = ([self.maps[number][0] for number in side] for side in self.pairs[part].T.tolist())
        further = {name: values[part] for name, values in self.further.items()}
        columns = {"id": self.ids[part], "left": left, "right": right, **further}
        return {name: [each for each in values for _ in range(times)] for name, values in columns.items()}


def open_source(
    source: Mapping[str, Path],
    *,
    files: Files = ANYWHERE,
    reading: Reading = DEFAULT_READING,
    most: int | None = None,
) -> Inputs:
    """The pairs of a source.

    Args:
        source: the paths of "pairs" and optionally "maps", of "left" and "right", or of "reference" and several
            systems, in this order.
        files: opens the source and every map; if only some folders are open, errors don't reveal where they are.
        reading: options for reading maps.
        most: maximum number of pairs.
    """
    first, *others = source.values()
    if "pairs" in source:
        inputs = pairs_of_table(first, *others, reading=reading, files=files, most=most)
    elif "reference" in source:
        references, *outputs = (read_collection(path, reading, files) for path in source.values())
        systems = dict(zip(map(side_name, others), outputs, strict=True))
        inputs = pairs_of_systems([references], systems, tuple(BATCH_CONTROLS), title=side_name(first))
    else:
        inputs = pairs_by_name(first, *others, reading=reading, files=files)
    if most is not None:
        check_limit(
            len(inputs.ids),
            most,
            "pairs (or more)",
            Message("give fewer of them; for more, use ", Setting("most")),
        )
    return replace(inputs, source={name: str(path.resolve()) for name, path in source.items()})


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
        most: maximum number of pairs; reading stops at the next one, so that the caller can refuse them.
    """
    collection = None if maps is None else collection_of(maps, reading, files)
    named: dict[str, tuple[str, ReadMap]] = {}
    keys: list[str] = []
    rows: list[dict[str, str]] = []
    for position, row in islice(_rows(file, files), None if most is None else most + 1):
        for side in SIDES:
            given = row.pop(side, None)
            if not isinstance(given, (str, dict, list)) or not given:
                raise MapFormatError(
                    f"{file.name}, {position}: there is no map under {side!r}; each row needs a left and a right"
                )
            key = given if isinstance(given, str) else json.dumps(given, sort_keys=True)
            keys.append(key)
            if key in named:
                continue
            if isinstance(given, str):
                read = partial(reading.opened, partial(read_bytes, file.parent / given, files), given)
                named[key] = given, partial(collection.read, given) if collection else read
            else:
                named[key] = f"{position}, {side}", partial(parse_map, json.dumps(given), roots=reading.roots)
        rows.append({name: _cell(value) for name, value in row.items()})
    if not rows:
        raise MapFormatError(f"there are no pairs in {file.name}; give a row with left and right for each")
    columns = dict.fromkeys(name for row in rows for name in row)
    numbers = {key: number for number, key in enumerate(named)}
    return Inputs(
        list(named.values()),
        np.array([numbers[key] for key in keys], dtype=np.int32).reshape(-1, 2),
        [row.get("id") or str(number) for number, row in enumerate(rows, start=1)],
        {name: [row.get(name, "") for row in rows] for name in columns if name != "id"},
    )


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _rows(file: Path, files: Files) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a CSV, TSV or JSONL file, each with its position."""
    if file.suffix.lower() in LINES:
        yield from rows_in(file, files)
        return
    with files.open(file) as content, io.TextIOWrapper(content, "utf-8-sig", newline="") as source:
        try:
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
        except UnicodeDecodeError as error:
            raise MapFormatError(f"{file.name} is not UTF-8; save it as UTF-8") from error


def pairs_by_name(
    left: Path, right: Path, *, reading: Reading = DEFAULT_READING, files: Files = ANYWHERE
) -> Inputs:
    """Pairs of maps with the same name, whatever the extension, in two collections; others are reported.

    Args:
        left: a collection.
        right: another one.
        reading: options for reading maps.
        files: opens the maps.
    """
    sides = [collection_of(path, reading, files) for path in (left, right)]
    both = _partners(*sides)
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
    )


def pairs_of_systems(
    references: Sequence[NamedMaps],
    systems: Mapping[str, NamedMaps],
    controls: Sequence[str] = (),
    *,
    title: str = "reference",
) -> Inputs:
    """The maps of systems, each with all references of its name, and controls made of the references.

    The column ``system`` names the system of a pair, whose id is its document.

    Args:
        references: collections of references; a document may be in several of them.
        systems: each system's outputs, named as their documents' references.
        controls: names of ``BATCH_CONTROLS``; another reference is left out if there is one document.
        title: what the references are called.
    """
    if not systems or not references:
        raise OptionsError("there is nothing to compare; name references and at least one system")
    if taken := sorted(BATCH_CONTROLS.keys() & systems.keys()):
        raise OptionsError(f"{taken[0]} is the name of a control; call the system otherwise")
    maps: list[tuple[str, ReadMap]] = []
    numbers: dict[str, list[int]] = {}
    for name, read in (each for collection in references for each in collection):
        numbers.setdefault(name, []).append(len(maps))
        maps.append((f"{title}/{name}", read))
    documents = dict(sorted(numbers.items()))
    of_systems = {**systems}
    items = list(documents)
    after = dict(zip(items, [*items[1:], *items[:1]], strict=True))  # the first follows the last
    for control in (name for name in controls if name != ANOTHER or len(documents) > 1):
        origin = after if control == ANOTHER else {name: name for name in numbers}
        of_systems[control] = [
            (name, partial(control_of, maps[numbers[origin[name]][0]][1], control)) for name in numbers
        ]
    rows: list[tuple[str, int, int, str]] = []
    notices = []
    for system, collection in of_systems.items():
        for name, read in collection:
            rows += [(name, reference, len(maps), system) for reference in documents.get(name, ())]
            if name in documents:
                maps.append((f"{system}/{name}", read))
        others = [name for name, _ in collection if name not in documents]
        if len(others) == len(collection):
            raise MapFormatError(
                f"no map of {system} has the name of a reference ({list_some([*documents][:3])}); name outputs as "
                "their references, whatever the ending"
            )
        if others:
            notices.append(
                f"{counted(len(others), 'map')} of {system} without a reference left out: {list_some(others[:5])}"
            )
    ids, left, right, whose = zip(*rows, strict=True)
    pairs = np.array([left, right], dtype=np.int32).T.copy()
    return Inputs(maps, pairs, ids, {"system": whose}, tuple(notices), documents=documents)


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
