"""Detection of a folder's contents: a table of pairs, references and outputs, or several systems."""

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tted_core.batch.inputs import side_name
from tted_core.batch.sources import entries_of, opened_source, unwrapped
from tted_core.errors import MapFormatError, OptionsError, TTEDError
from tted_core.formats.folder import Files
from tted_core.formats.forest import listed
from tted_core.formats.map_collections import (
    DEFAULT_READING,
    LINES,
    RECORDS,
    Collection,
    Reading,
    ReadMap,
    collection_of,
)
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.tables import read_rows

TABLES = (".csv", ".tsv", *LINES)
COLLECTIONS = (".zip", ".jsonl")

REFERENCE_NAMES = ("left", "ref", "gold", "base", "human", "source", "original")
"""Usual beginnings of the name of the folder of references."""

ROLES = ("reference", "system", "ignore")
"""Roles of a folder of maps."""

LOOKED_INTO = 4_000
"""Maximum number of maps that are read before a comparison to report unreadable ones; of more, none are read."""


@dataclass(frozen=True)
class Side:
    """A folder of maps and its role, or an archive or a file of records.

    Attributes:
        name: its name.
        role: one of ``ROLES``.
        maps: number of maps.
        matched: number of maps with a partner: an output's reference, or a reference's output.
        unreadable: number of unreadable maps; None if they weren't read.
    """

    name: str
    role: str
    maps: int
    matched: int
    unreadable: int | None


@dataclass(frozen=True)
class Plan:
    """A folder's contents as detected.

    Attributes:
        source: the argument of ``opened_source``; empty if nothing can be compared.
        sides: the folders of maps; none if a table lists the pairs.
        pairs: number of pairs, including those of controls.
        maps: number of distinct maps.
        notices: omissions and guesses.
        problem: the reason why nothing can be compared.
    """

    source: dict[str, Path]
    sides: tuple[Side, ...]
    pairs: int = 0
    maps: int = 0
    notices: tuple[str, ...] = ()
    problem: TTEDError | None = None


def guess_reference(names: Iterable[str]) -> tuple[str, bool]:
    """Guess which name is that of the references; True if it says so itself, else it is the first one.

    >>> guess_reference(["ours", "references"]), guess_reference(["b", "a"])
    (('references', True), ('a', False))
    """
    ranked = min((_rank(name), name) for name in names)
    return ranked[1], ranked[0] < len(REFERENCE_NAMES)


def _rank(name: str) -> int:
    starts = (number for number, start in enumerate(REFERENCE_NAMES) if name.lower().startswith(start))
    return next(starts, len(REFERENCE_NAMES))


def understood(
    folder: Path,
    files: Files,
    *,
    reading: Reading = DEFAULT_READING,
    roles: Mapping[str, str] | None = None,
    most: int | None = None,
    monitor: Monitor = UNWATCHED,
) -> Plan:
    """Detect what can be compared in a folder.

    Args:
        folder: contains a table of pairs, or collections of maps.
        files: opens the folder and its files.
        reading: options for reading maps.
        roles: side -> role, for sides whose role isn't to be guessed.
        most: maximum number of pairs.
        monitor: receives the progress, and may stop the work.
    """
    folder = unwrapped(folder, files)
    monitor.stage("Finding the maps")
    if table := table_in(folder, files):
        return _with_pairs(Plan(table, ()), files, reading, most)
    paths = _sides_in(folder, files)
    if len(paths) < 2:
        raise _no_pairs(len(paths))
    found: dict[str, Collection] = {}
    problems: dict[str, TTEDError] = {}
    for name, path in paths.items():
        try:
            found[name] = collection_of(path, reading, files)
        except TTEDError as error:
            problems[name] = error
    if len(found) < 2:
        only_json = len(paths) > 2 and all(path.suffix.lower() == RECORDS[0] for path in paths.values())
        raise _no_pairs(0, next(iter(problems.values()))) if only_json else next(iter(problems.values()))
    chosen, notices = _roles(paths, found, roles or {})
    notices = (*(f"{name} is ignored: {error}" for name, error in problems.items()), *notices)
    sides = tuple(_counted(found, chosen, monitor))
    plan = Plan(_source({paths[name]: role for name, role in chosen.items()}), sides, notices=notices)
    return _with_pairs(plan, files, reading, most)


def _with_pairs(plan: Plan, files: Files, reading: Reading, most: int | None) -> Plan:
    if not plan.source:
        wanted = OptionsError("choose one folder of references and at least one other to compare with it")
        return replace(plan, problem=wanted)
    try:
        inputs = opened_source(plan.source, files=files, reading=reading, most=most)
    except TTEDError as error:
        return replace(plan, source={}, problem=error)
    notices = (*plan.notices, *inputs.notices)
    return replace(plan, pairs=len(inputs.ids), maps=len(inputs.maps), notices=notices)


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
        f"no folder is named references, so {reference} is assumed to have them; choose another if it doesn't"
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


def _counted(found: Mapping[str, Collection], roles: Mapping[str, str], monitor: Monitor) -> Iterator[Side]:
    of_reference = {stem for name, each in found.items() if roles[name] == "reference" for stem in each.stems}
    of_systems = {stem for name, each in found.items() if roles[name] == "system" for stem in each.stems}
    total, done = sum(len(each.readers) for each in found.values()), 0
    if total <= LOOKED_INTO:
        monitor.stage(f"Reading {total:,} maps")
    for name, each in found.items():
        partners = of_systems if roles[name] == "reference" else of_reference
        matched = len(each.stems.keys() & partners) if roles[name] != "ignore" else 0
        unreadable = None
        if total <= LOOKED_INTO and roles[name] != "ignore":
            unreadable = 0
            for number, read in enumerate(each.readers.values()):
                monitor.advance(done + number, total)
                unreadable += not _is_readable(read)
        done += len(each.readers)
        yield Side(name, roles[name], len(each.readers), matched, unreadable)


def _is_readable(read: ReadMap) -> bool:
    try:
        read()
    except TTEDError:
        return False
    return True


def table_in(folder: Path, files: Files) -> dict[str, Path]:
    """A table of pairs and the collection beside it; empty without a table."""
    paths = [path for path, _, is_file in entries_of(folder, files) if is_file]
    tables = [path for path in paths if _is_table(path, files)]
    maps = [path for path in paths if path.suffix.lower() in COLLECTIONS and path not in tables]
    if len(tables) > 1:
        names = listed([path.name for path in tables])
        raise MapFormatError(f"there is more than one table of pairs: {names}; keep one of them")
    if tables and len(maps) > 1:
        names = listed([path.name for path in maps])
        raise MapFormatError(f"there is more than one collection of maps beside the table: {names}; keep one")
    return ({"pairs": tables[0]} | ({"maps": maps[0]} if maps else {})) if tables else {}


def _sides_in(folder: Path, files: Files) -> dict[str, Path]:
    """The collections of maps in a folder, by name."""
    entries = entries_of(folder, files)
    found = [
        path
        for path, is_dir, is_file in entries
        if is_dir or (is_file and path.suffix.lower() in {*COLLECTIONS, *RECORDS})
    ]
    names = [side_name(path) for path in found]
    return {
        name if names.count(name) == 1 else path.name: path for name, path in zip(names, found, strict=True)
    }


def _no_pairs(sides: int, of_records: TTEDError | None = None) -> MapFormatError:
    more = f"; nor are its files of JSON collections of records: {of_records}" if of_records else ""
    return MapFormatError(
        "there are no pairs in it; give a table (.csv, .tsv or .jsonl) with the columns left and right, or two or "
        f"more folders whose maps have the same names, not {sides}{more}"
    )


def _is_table(path: Path, files: Files) -> bool:
    """Return True if the first line, or the first object, names a left and a right map."""
    ending = path.suffix.lower()
    if ending not in TABLES:
        return False
    try:
        with io.TextIOWrapper(files.open(path), encoding="utf-8-sig", errors="replace", newline="") as file:
            if ending in LINES:
                row = json.loads(file.readline(1_000_000))
                return isinstance(row, dict) and {"left", "right"} <= row.keys()
            rows = read_rows(file.read(1_000_000), "\t" if ending == ".tsv" else ",", exact=True)
            return {"left", "right"} <= set(next(rows, (0, []))[1])
    except (OSError, MapFormatError, ValueError, RecursionError):
        return False
