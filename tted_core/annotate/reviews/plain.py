"""Records of reviews as plain data of files, and back, checked member by member; a message says where it is wrong.

Raises everywhere:
    ReviewError: something is missing, of another kind, or not what it says it is.
"""

from datetime import datetime
from typing import Any, TypeVar

from tted_core.annotate.reviews.records import (
    NEW,
    REVIEWER,
    Assignment,
    Gold,
    Judgement,
    Study,
    checked_study,
    clean_name,
)
from tted_core.errors import ReviewError, TTEDError
from tted_core.limits import MAX_NAME_CHARACTERS
from tted_core.tree import TextTree

FORMAT = "tted-reviews"
VERSION = 2

NUMBERS = ("source", "target", "partner")

OLD_REVIEWER = "annotator"
"""What a reviewer's role is called in files of before."""

MOST_REVISIONS = 1 << 31  # what a column of integers holds

Value = TypeVar("Value")


def check_kind(data: object) -> None:
    """Refuse what isn't a file of reviews, or of another version."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ReviewError("the file holds no reviews; take one that was exported by this program")
    if data.get("version") not in (1, VERSION):
        raise ReviewError(f"the file is of version {data.get('version')!r}, and this program reads {VERSION}")


def member(data: dict[str, Any], name: str, kind: type[Value], place: str = "the file") -> Value:
    """One member of an object, which must be there and of this kind."""
    value = data.get(name)
    if not isinstance(value, kind):
        raise ReviewError(f"{place}: {name!r} is missing or of another kind; export it again")
    return value


def map_of(data: object) -> TextTree:
    """The map of a file, which must be the one that its digest tells."""
    if not isinstance(data, dict):
        raise ReviewError("a map in the file is no object; export it again")
    labels, parents = member(data, "labels", list, "a map"), member(data, "parents", list, "a map")
    if not all(isinstance(each, str) for each in labels) or not all(type(each) is int for each in parents):
        raise ReviewError("a map in the file has a label that is no text or a parent that is no number")
    try:
        tree = TextTree(tuple(labels), tuple(parents))
    except TTEDError as error:
        raise ReviewError(f"a map in the file is no tree: {error}") from error
    if tree.digest != data.get("digest"):
        raise ReviewError("a map in the file is not the one that was reviewed (its digest differs)")
    return tree


def study_of(data: object, place: str) -> Study:
    """The study of a file."""
    if not isinstance(data, dict):
        raise ReviewError(f"{place}: it is no object; export it again")
    texts = {name: member(data, name, str, place) for name in ("name", "guidelines", "deadline", "made")}
    return checked_study(Study(**texts, seed=member(data, "seed", int, place)))


def assignment_of(data: object, place: str) -> Assignment:
    """An assignment of a task in a file, whose number in the database isn't known yet."""
    if not isinstance(data, dict):
        raise ReviewError(f"{place}: an assignment is no object; export it again")
    person, opened = member(data, "person", str, place), member(data, "opened", str, place)
    where = member(data, "place", int, place)
    if not 0 <= where < MOST_REVISIONS:
        raise ReviewError(f"{place}: an assignment has the place {where}; export it again")
    return Assignment(NEW, clean_name(person, "the reviewer's name"), where, opened[:40])


def gold_of(data: object, place: str) -> Gold:
    """A hidden check of a task in a file, whose number in the database isn't known yet."""
    if not isinstance(data, dict):
        raise ReviewError(f"{place}: a hidden check is no object; export it again")
    it = judgement_of({**data, "comment": "", "role": REVIEWER}, f"{place}: a hidden check")
    return Gold(NEW, *it.pair, it.decision, it.partner, it.person[:MAX_NAME_CHARACTERS], it.saved)


def plain_judgement(judgement: Judgement) -> dict[str, Any]:
    """A judgement as files have it."""
    names = (*NUMBERS, "decision", "comment", "role", "person", "revision", "saved")
    return {name: getattr(judgement, name) for name in names}


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
    role = REVIEWER if role == OLD_REVIEWER else role
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
