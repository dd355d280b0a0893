"""Records of reviews as plain data of files, and back, checked member by member; a message says where it is wrong.

Raises everywhere:
    ReviewError: something is missing, of another kind, or not what it says it is.

The mapping that a task fixes is one of them: taken from a comparison, written as text and read again.
"""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any, TypeVar, get_args

from tted_core.annotate.reviews.records import (
    NEW,
    REVIEWER,
    Assignment,
    Fixed,
    Gold,
    Judgement,
    Study,
    checked_study,
    clean_name,
)
from tted_core.comparison import Comparison
from tted_core.errors import ReviewError, TTEDError
from tted_core.explain.alignment import aligned_rows, display_order, paired
from tted_core.formats.forest import joined_roots
from tted_core.foundations.limits import MAX_NAME_CHARACTERS
from tted_core.method import Method
from tted_core.script import EditOp, OpKind
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


def an_object(data: object, what: str) -> dict[str, Any]:
    """What must be an object; ``what`` says in a message which one isn't."""
    if not isinstance(data, dict):
        raise ReviewError(f"{what} is no object; export it again")
    return data


def member(data: dict[str, Any], name: str, kind: type[Value], place: str = "the file") -> Value:
    """One member of an object, which must be there and of this kind."""
    value = data.get(name)
    if not isinstance(value, kind):
        raise ReviewError(f"{place}: {name!r} is missing or of another kind; export it again")
    return value


def map_of(data: object) -> TextTree:
    """The map of a file, which must be the one that its digest tells."""
    data = an_object(data, "a map in the file")
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
    data = an_object(data, f"{place}: it")
    texts = {name: member(data, name, str, place) for name in ("name", "guidelines", "deadline", "made")}
    return checked_study(Study(**texts, seed=member(data, "seed", int, place)))


def assignment_of(data: object, place: str) -> Assignment:
    """An assignment of a task in a file, whose number in the database isn't known yet."""
    data = an_object(data, f"{place}: an assignment")
    person, opened = member(data, "person", str, place), member(data, "opened", str, place)
    where = member(data, "place", int, place)
    if not 0 <= where < MOST_REVISIONS:
        raise ReviewError(f"{place}: an assignment has the place {where}; export it again")
    return Assignment(NEW, clean_name(person, "the reviewer's name"), where, opened[:40])


def gold_of(data: object, place: str) -> Gold:
    """A hidden check of a task in a file, whose number in the database isn't known yet."""
    what = f"{place}: a hidden check"
    it = judgement_of({**an_object(data, what), "comment": "", "role": REVIEWER}, what)
    return Gold(NEW, *it.pair, it.decision, it.partner, it.person[:MAX_NAME_CHARACTERS], it.saved)


def plain_judgement(judgement: Judgement) -> dict[str, Any]:
    """A judgement as files have it."""
    names = (*NUMBERS, "decision", "comment", "role", "person", "revision", "saved")
    return {name: getattr(judgement, name) for name in names}


def judgement_of(row: object, place: str) -> Judgement:
    """The judgement in a row; ``place`` says in a message where the row is."""
    row = an_object(row, f"{place}: it")
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


KINDS = get_args(OpKind)
WAY_OUT = "export it again"


def fixed_by(comparison: Comparison) -> Fixed:
    """What a comparison says, to be judged as it is from now on."""
    return Fixed(comparison.method, comparison.signature, tuple(ops_in_order(comparison)))


def ops_in_order(comparison: Comparison) -> list[EditOp]:
    """The operations as both maps are read, from the top, matched nodes side by side.

    Those of a node that a reader put above several roots ("(6 roots)") are left out: there is nothing to judge.
    """
    made_up = [0 if joined_roots(each.tree) else -1 for each in (comparison.left, comparison.right)]
    pairs = paired(comparison)
    rows = aligned_rows(comparison, display_order(comparison, pairs), pairs)
    place: dict[tuple[str, int | None], int] = {}
    for number, (source, target) in enumerate(rows):
        if source is not None:
            place["left", source] = number
        if target is not None:
            place["right", target] = number

    def key(op: EditOp) -> int:
        return place["right", op.target] if op.source is None else place["left", op.source]

    judged = (op for op in comparison.script.ops if op.source != made_up[0] and op.target != made_up[1])
    return sorted(judged, key=key)


def plain_fixed(fixed: Fixed) -> dict[str, Any]:
    """As JSON has it; ``fixed_of`` reads it."""
    return {
        "signature": fixed.signature,
        "options": fixed.method.described,
        "ops": [[op.op, op.source, op.target, op.cost, list(op.notes)] for op in fixed.ops],
    }


def text_of_fixed(fixed: Fixed) -> str:
    """The same as text, as the database keeps it."""
    return json.dumps(plain_fixed(fixed), ensure_ascii=True)


def fixed_of(data: object, left: TextTree, right: TextTree, place: str) -> Fixed:
    """What ``plain_fixed`` wrote; ``place`` says in a message where it stands.

    Raises:
        ReviewError: it is something else, or no mapping of these two maps.
    """
    try:
        signature, options, rows = (data[name] for name in ("signature", "options", "ops"))  # type: ignore[index]
        ops = tuple(_op(*row) for row in rows)
        fixed = Fixed(Method.of_described(options), str(signature), ops)
    except (KeyError, TypeError, ValueError, TTEDError) as error:
        raise ReviewError(f"{place}: the fixed mapping can't be read; {WAY_OUT}") from error
    for tree, nodes in ((left, [op.source for op in ops]), (right, [op.target for op in ops])):
        _check_nodes(tree, nodes, place)
    return fixed


def _op(op: str, source: int | None, target: int | None, cost: float, notes: Iterable[str]) -> EditOp:
    there = (source is not None, target is not None)
    wanted = {"delete": (True, False), "insert": (False, True)}.get(op, (True, True))
    if (
        op not in KINDS
        or there != wanted
        or not all(type(each) is int for each in (source, target) if each is not None)
    ):
        raise ValueError(op)
    return EditOp(op, source, target, float(cost), tuple(map(str, notes)))  # type: ignore[arg-type]


def _check_nodes(tree: TextTree, nodes: list[int | None], place: str) -> None:
    """Each node once; of a map that a depth has trimmed, its first levels."""
    named = [node for node in nodes if node is not None]
    if len({*named}) != len(named) or not all(0 <= node < len(tree) for node in named):
        raise ReviewError(f"{place}: the fixed mapping is none of its two maps; {WAY_OUT}")
