"""Detection of a folder's contents: a table of pairs, references and outputs, or several systems."""

import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from tted_core.batch.pairs import open_source, side_name
from tted_core.errors import MapFormatError, OptionsError, TTEDError
from tted_core.formats.map_collections import (
    DEFAULT_READING,
    LINES,
    RECORDS,
    Collection,
    Reading,
    collection_of,
)
from tted_core.foundations.files import Files
from tted_core.foundations.messages import list_some
from tted_core.foundations.tables import read_rows

COLLECTIONS = (".zip", ".jsonl")

# Usual beginnings of the name of the folder of references.
REFERENCE_NAMES = ("left", "ref", "gold", "base", "human", "source", "original")

ROLES = ("reference", "system", "ignore")  # roles of a folder of maps


class Side(NamedTuple):
    """A folder of maps, an archive or a file of records, and its role.

    Attributes:
        name: its name.
        role: one of ``ROLES``.
        maps: number of maps.
        matched: number of maps with a partner: an output's reference, or a reference's output.
    """

    name: str
    role: str
    maps: int
    matched: int


class Plan(NamedTuple):
    """A folder's contents as detected.

    Attributes:
        source: the argument of ``open_source``; empty if nothing can be compared.
        sides: the folders of maps; none if a table lists the pairs.
        notices: omissions and guesses.
        pairs: number of pairs, including those of controls.
        maps: number of distinct maps.
        problem: the reason why nothing can be compared.
    """

    source: dict[str, Path]
    sides: tuple[Side, ...]
    notices: tuple[str, ...]
    pairs: int = 0
    maps: int = 0
    problem: TTEDError | None = None


def guess_reference(names: Iterable[str]) -> tuple[str, bool]:
    """Guess which name is that of the references; True if it says so itself, else it is the first one.

    >>> guess_reference(["ours", "references"]), guess_reference(["b", "a"])
    (('references', True), ('a', False))
    """

    def rank(name: str) -> int:
        starts = map(name.lower().startswith, REFERENCE_NAMES)
        return next((number for number, does in enumerate(starts) if does), len(REFERENCE_NAMES))

    name = min(names, key=lambda each: (rank(each), each))
    return name, rank(name) < len(REFERENCE_NAMES)


def detect_plan(
    folder: Path,
    files: Files,
    *,
    reading: Reading = DEFAULT_READING,
    roles: Mapping[str, str] | None = None,
    most: int | None = None,
) -> Plan:
    """Detect what can be compared in a folder.

    Args:
        folder: contains a table of pairs, or collections of maps.
        files: opens the folder and its files.
        reading: options for reading maps.
        roles: side -> role, for sides whose role isn't to be guessed.
        most: maximum number of pairs.
    """
    folder = unwrap(folder, files)
    source = table_in(folder, files)
    sides: tuple[Side, ...] = ()
    notices: tuple[str, ...] = ()
    if not source:
        paths = _sides_in(folder, files)
        found: dict[str, Collection] = {}
        problems: dict[str, TTEDError] = {}
        for name, path in paths.items():
            try:
                found[name] = collection_of(path, reading, files)
            except TTEDError as error:
                problems[name] = error
        if len(found) < 2:
            if problems and (
                len(paths) == 2 or {path.suffix.lower() for path in paths.values()} != {".json"}
            ):
                raise next(iter(problems.values()))
            raise MapFormatError(
                "there are no pairs in it; give a table (.csv, .tsv or .jsonl) with the columns left and right, "
                f"or two or more folders whose maps have the same names, not {min(len(paths), 1)}"
            )
        chosen, guess = _roles(paths, found, roles or {})
        notices = (*(f"{name} is ignored: {error}" for name, error in problems.items()), *guess)
        sides = tuple(_side(name, found, chosen) for name in found)
        source = _source({paths[name]: role for name, role in chosen.items()})
    if not source:
        return Plan(
            {},
            sides,
            notices,
            problem=OptionsError("choose one as the reference and at least one other to compare with it"),
        )
    try:
        inputs = open_source(source, files=files, reading=reading, most=most)
    except TTEDError as error:
        return Plan({}, sides, notices, problem=error)
    return Plan(source, sides, (*notices, *inputs.notices), len(inputs.ids), len(inputs.maps))


def _roles(
    paths: Mapping[str, Path], found: Mapping[str, Collection], given: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The role of each side: as given, or guessed from its name; JSON beside folders is ignored at first."""
    folders = [name for name in found if paths[name].suffix.lower() != RECORDS[0]]
    guessed = folders if len(folders) > 1 else list(found)
    reference, is_sure = guess_reference(guessed)
    roles = {name: "ignore" if name not in guessed else "system" for name in found} | {reference: "reference"}
    if any(given.get(name) == "reference" for name in found):
        roles[reference] = "system"
        is_sure = True
    roles |= {name: role for name, role in given.items() if name in found}
    guess = (
        f"nothing here is named references, so {reference} is assumed to be it; choose another if it isn't"
    )
    return roles, () if is_sure else (guess,)


def _source(roles: Mapping[Path, str]) -> dict[str, Path]:
    references = [path for path, role in roles.items() if role == "reference"]
    systems = [path for path, role in roles.items() if role == "system"]
    if len(references) != 1 or not systems:
        return {}
    if len(systems) == 1:
        return {"left": references[0], "right": systems[0]}
    return {"reference": references[0], **{f"system {path.name}": path for path in systems}}


def _side(name: str, found: Mapping[str, Collection], roles: Mapping[str, str]) -> Side:
    partner = {"reference": "system", "system": "reference"}.get(roles[name])
    partners = {stem for other, each in found.items() if roles[other] == partner for stem in each.stems}
    return Side(name, roles[name], len(found[name].readers), len(found[name].stems.keys() & partners))


def table_in(folder: Path, files: Files) -> dict[str, Path]:
    """A table of pairs and the collection beside it; empty without a table."""
    paths = [path for path in _entries(folder, files) if path.is_file()]
    tables = [path for path in paths if _is_table(path, files)]
    maps = [path for path in paths if path.suffix.lower() in COLLECTIONS and path not in tables]
    for what, some in {"table of pairs": tables, "collection of maps beside the table": maps}.items():
        if tables and len(some) > 1:
            names = list_some([path.name for path in some])
            raise MapFormatError(f"there is more than one {what}: {names}; keep one of them")
    return dict(zip(("pairs", "maps"), (*tables, *maps), strict=False)) if tables else {}


def _sides_in(folder: Path, files: Files) -> dict[str, Path]:
    """The collections of maps in a folder, by name."""
    found = [
        path
        for path in _entries(folder, files)
        if path.is_dir() or (path.is_file() and path.suffix.lower() in {*COLLECTIONS, *RECORDS})
    ]
    names = [side_name(path) for path in found]
    return {
        name if names.count(name) == 1 else path.name: path for name, path in zip(names, found, strict=True)
    }


def _is_table(path: Path, files: Files) -> bool:
    """Return True if the first line, or the first object, names a left and a right map."""
    ending = path.suffix.lower()
    if ending not in {".csv", ".tsv", *LINES}:
        return False
    try:
        with (
            files.open(path) as content,
            io.TextIOWrapper(content, encoding="utf-8-sig", errors="replace", newline="") as file,
        ):
            if ending in LINES:
                row = json.loads(file.readline(1_000_000))
                return isinstance(row, dict) and {"left", "right"} <= row.keys()
            rows = read_rows(file.read(1_000_000), "\t" if ending == ".tsv" else ",", exact=True)
            return {"left", "right"} <= set(next(rows, (0, []))[1])
    except (OSError, MapFormatError, ValueError, RecursionError):
        return False


def unwrap(folder: Path, files: Files) -> Path:
    """The folder, or the only one in it: archives often have a single folder with everything else."""
    while len(entries := _entries(folder, files)) == 1 and entries[0].is_dir():
        folder = entries[0]
    return folder


def _entries(folder: Path, files: Files) -> list[Path]:
    """The entries of a folder, except hidden files."""
    try:
        entries = sorted(files.own(folder).iterdir())
    except OSError as error:
        raise MapFormatError(f"the folder {folder.name!r} can't be read ({error.strerror})") from error
    return [each for each in entries if not each.name.startswith(".") and each.name != "__MACOSX"]
