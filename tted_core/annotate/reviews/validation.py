"""What is read from a file of reviews is checked here, member by member; a message says where it breaks off.

Raises everywhere:
    ReviewError: something is missing, of another kind, or not what it says it is.
"""

from datetime import datetime
from typing import Any, TypeVar

from tted_core.annotate.reviews.records import Judgement, Task, clean_name
from tted_core.annotate.reviews.study_rows import Assignment, Study, checked_study
from tted_core.errors import ReviewError, TTEDError
from tted_core.tree import TextTree

FORMAT = "tted-reviews"
VERSION = 1

NUMBERS = ("source", "target", "partner")

MOST_REVISIONS = 1 << 31  # what a column of integers holds

Value = TypeVar("Value")


def check_kind(data: dict[str, Any]) -> None:
    """Refuse what isn't a file of reviews, or of another version."""
    if data.get("format") != FORMAT:
        raise ReviewError("the file holds no reviews; take one that was exported by this program")
    if data.get("version") != VERSION:
        raise ReviewError(f"the file is of version {data.get('version')!r}, and this program reads {VERSION}")
    member(data, "maps", dict)
    member(data, "tasks", list)


def member(data: dict[str, Any], name: str, kind: type[Value], place: str = "the file") -> Value:
    """One member of an object, which must be there and of this kind."""
    value = data.get(name)
    if not isinstance(value, kind):
        raise ReviewError(f"{place}: {name!r} is missing or of another kind; export it again")
    return value


def map_of(digest: str, content: object) -> TextTree:
    """The map of a file, which must be the one that its digest tells."""
    if not isinstance(content, dict):
        raise ReviewError("a map in the file is no object; export it again")
    labels, parents = member(content, "labels", list, "a map"), member(content, "parents", list, "a map")
    if not all(isinstance(each, str) for each in labels) or not all(type(each) is int for each in parents):
        raise ReviewError("a map in the file has a label that is no text or a parent that is no number")
    try:
        tree = TextTree(tuple(labels), tuple(parents))
    except TTEDError as error:
        raise ReviewError(f"a map in the file is no tree: {error}") from error
    if tree.digest != digest:
        raise ReviewError("a map in the file is not the one that was reviewed (its digest differs)")
    return tree


def study_of(
    data: object, tasks: dict[int, Task], place: str
) -> tuple[Study, tuple[tuple[Task, Assignment], ...]]:
    """The study of a file with its assignments; ``tasks`` are those of studies, by their places in the file."""
    if not isinstance(data, dict):
        raise ReviewError(f"{place}: it is no object; export it again")
    texts = {name: member(data, name, str, place) for name in ("name", "guidelines", "deadline", "made")}
    study = checked_study(Study(**texts, seed=member(data, "seed", int, place)))
    assigned = []
    for row in member(data, "assignments", list, place):
        if not isinstance(row, dict):
            raise ReviewError(f"{place}: an assignment is no object; export it again")
        number, where = member(row, "task", int, place), member(row, "place", int, place)
        if number not in tasks or tasks[number].study != study.name or not 0 <= where < MOST_REVISIONS:
            raise ReviewError(f"{place}: an assignment names no task of it; export it again")
        person, opened = member(row, "person", str, place), member(row, "opened", str, place)
        name = clean_name(person, "the annotator's name")
        assigned.append((tasks[number], Assignment(number, name, where, opened[:40])))
    return study, tuple(assigned)


def judgement_of(row: object, place: str) -> Judgement:
    """The judgement in a row; ``place`` says in a message where the row is."""
    if not isinstance(row, dict):
        raise ReviewError(f"{place}: it is no object; export it again")
    numbers = [row.get(name) for name in NUMBERS]
    texts = [member(row, name, str, place) for name in ("person", "decision", "comment", "role", "saved")]
    if not all(each is None or type(each) is int for each in numbers):
        raise ReviewError(f"{place}: source, target and partner are numbers of nodes, or nothing")
    person, decision, comment, role, saved = texts
    try:
        saved = saved and datetime.fromisoformat(saved).isoformat(timespec="milliseconds")
    except ValueError as error:
        raise ReviewError(f"{place}: {saved[:40]!r} is no time; export it again") from error
    source, target, partner = numbers
    revision = row.get("revision", 1)
    revision = revision if type(revision) is int and 0 < revision < MOST_REVISIONS else 1
    return Judgement(person, source, target, decision, partner, comment, role, revision, saved)


def with_numbers(cells: dict[str, str], row: int) -> dict[str, Any]:
    """The cells of a row of CSV, those of node numbers as numbers."""
    values: dict[str, Any] = dict(cells)
    for name in NUMBERS:
        if cells[name] and not (cells[name].isascii() and cells[name].isdecimal() and len(cells[name]) < 10):
            raise ReviewError(f"row {row}: {name} is {cells[name][:20]!r}, no number of a node")
        values[name] = int(cells[name]) if cells[name] else None
    return values
