"""Reviews as files: JSON holds everything and can be imported anywhere, CSV is for spreadsheets."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from tted_core.annotate.reviews.records import NEW, Judgement, Task
from tted_core.annotate.reviews.store import ReviewStore
from tted_core.errors import ReviewError, TTEDError
from tted_core.limits import MAX_BYTES, MAX_REVIEW_ROWS, check_limit
from tted_core.report import spreadsheet_cell, text_of_cell
from tted_core.tree import TextTree

FORMAT = "tted-reviews"
VERSION = 1

COLUMNS = (
    "document",
    "left_name",
    "right_name",
    "role",
    "person",
    "source",
    "target",
    "decision",
    "partner",
    "comment",
    "source_label",
    "target_label",
    "partner_label",
    "revision",
    "saved",
    "left_digest",
    "right_digest",
)
NUMBERS = ("source", "target", "partner")

Value = TypeVar("Value")


@dataclass(frozen=True)
class ImportReport:
    """What an import did: judgements added, there already, and differing from what is there."""

    added: int
    same: int
    different: int
    replaced: bool


def export_json(store: ReviewStore) -> str:
    """All maps, tasks, judgements and their history as one JSON text."""
    maps: dict[str, dict[str, Any]] = {}
    tasks = []
    for task in _tasks(store):
        for tree in (task.left, task.right):
            maps[tree.digest] = {"labels": tree.labels, "parents": tree.parents}
        tasks.append(
            {
                "document": task.document,
                "left": task.left.digest,
                "right": task.right.digest,
                "left_name": task.left_name,
                "right_name": task.right_name,
                "judgements": [_plain(each) for each in store.judgements(task)],
                "history": [_plain(each) for each in store.history(task)],
            }
        )
    content = {"format": FORMAT, "version": VERSION, "maps": maps, "tasks": tasks}
    return json.dumps(content, ensure_ascii=True, indent=1, allow_nan=False)


def export_csv(store: ReviewStore) -> str:
    """All judgements as CSV, one a row; (no source, no target) is the whole map.

    A text that begins like a formula, or with an apostrophe, gets an apostrophe in front; the import takes it off.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for task in _tasks(store):
        for each in store.judgements(task):
            partners = task.left if each.source is None else task.right
            row = {
                **_plain(each),
                "document": task.document,
                "left_name": task.left_name,
                "right_name": task.right_name,
                "source_label": "" if each.source is None else task.left.labels[each.source],
                "target_label": "" if each.target is None else task.right.labels[each.target],
                "partner_label": "" if each.partner is None else partners.labels[each.partner],
                "left_digest": task.left.digest,
                "right_digest": task.right.digest,
            }
            writer.writerow({name: _cell(row[name]) for name in COLUMNS})
    return out.getvalue()


def import_json(store: ReviewStore, content: str | bytes, *, replacing: bool = False) -> ImportReport:
    """Add what ``export_json`` wrote, all or nothing; its history is not taken over.

    Args:
        store: where to.
        content: the file.
        replacing: whether a judgement that differs from what is there takes its place.

    Raises:
        ReviewError: not such a file, or something in it isn't valid; says where.
        LimitError: too large.
        DatabaseError: the database can't be written.
    """
    data = _parsed(_text(content))
    trees = {digest: _tree(digest, each) for digest, each in _of(data, "maps", dict).items()}
    found: dict[Task, list[Judgement]] = {}
    total = 0
    for number, each in enumerate(_of(data, "tasks", list), start=1):
        place = f"task {number}"
        if not isinstance(each, dict):
            raise ReviewError(f"{place} of the file is no object; export it again")
        rows = _of(each, "judgements", list, place)
        total += len(rows)
        check_limit(total, MAX_REVIEW_ROWS, "judgements in the file", "split it")
        judgements = [
            _judgement(row, f"judgement {row_number} of {place}") for row_number, row in enumerate(rows, 1)
        ]
        document, left, right, left_name, right_name = (
            _of(each, name, str, place) for name in ("document", "left", "right", "left_name", "right_name")
        )
        if left not in trees or right not in trees:
            raise ReviewError(f"{place} of the file names a map that the file doesn't hold; export it again")
        task = Task(NEW, document, trees[left], trees[right], left_name, right_name)
        found.setdefault(task, []).extend(judgements)
    return ImportReport(*store.save_all(found, replacing=replacing), replacing)


def import_csv(store: ReviewStore, content: str | bytes, *, replacing: bool = False) -> ImportReport:
    """Add what ``export_csv`` wrote; CSV holds no maps, so the tasks must be known to this database.

    Raises:
        ReviewError: not such a file, a task that isn't known, or a row that isn't valid; says where.
        LimitError: too large.
        DatabaseError: the database can't be written.
    """
    reader = csv.DictReader(io.StringIO(_text(content), newline=""))
    try:
        rows = list(reader)
    except csv.Error as error:
        raise ReviewError(f"line {reader.line_num}: the file is no CSV ({error})") from error
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        raise ReviewError(f"the file lacks the columns {', '.join(missing)}; export it again")
    check_limit(len(rows), MAX_REVIEW_ROWS, "rows in the file", "split it")
    known = {(task.document, task.left.digest, task.right.digest): task for task in _tasks(store)}
    found: dict[Task, list[Judgement]] = {}
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise ReviewError(f"row {number}: it has another number of cells than the header; mend it")
        cells = {name: text_of_cell(value) for name, value in row.items()}
        task = known.get((cells["document"], cells["left_digest"], cells["right_digest"]))
        if task is None:
            raise ReviewError(
                f"row {number}: the document {cells['document'][:80]!r} with these maps is not in the database; "
                "import the JSON, which holds the maps"
            )
        found.setdefault(task, []).append(_judgement(_numbers(cells, number), f"row {number}"))
    return ImportReport(*store.save_all(found, replacing=replacing), replacing)


def _tasks(store: ReviewStore) -> Iterator[Task]:
    return (store.task(each.number) for each in store.tasks())


def _plain(judgement: Judgement) -> dict[str, Any]:
    names = (*NUMBERS, "decision", "comment", "role", "person", "revision", "saved")
    return {name: getattr(judgement, name) for name in names}


def _cell(value: str | int | None) -> str:
    if value is None:
        return ""
    text = str(value)
    return f"'{spreadsheet_cell(text)}" if text.startswith("'") else spreadsheet_cell(text)


def _text(content: str | bytes) -> str:
    check_limit(len(content), MAX_BYTES, "bytes in the file", "split it")
    if isinstance(content, str):
        return content.removeprefix("\ufeff")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReviewError("the file is not UTF-8; save it as such (in spreadsheets: CSV UTF-8)") from error


def _parsed(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReviewError(f"the file is no JSON ({str(error)[:100]}); export it again") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ReviewError("the file holds no reviews; take one that was exported on this page")
    if data.get("version") != VERSION:
        raise ReviewError(f"the file is of version {data.get('version')!r}, and this program reads {VERSION}")
    return data


def _of(data: dict[str, Any], name: str, kind: type[Value], place: str = "the file") -> Value:
    value = data.get(name)
    if not isinstance(value, kind):
        raise ReviewError(f"{place}: {name!r} is missing or of another kind; export it again")
    return value


def _tree(digest: str, content: object) -> TextTree:
    if not isinstance(content, dict):
        raise ReviewError("a map in the file is no object; export it again")
    labels, parents = _of(content, "labels", list, "a map"), _of(content, "parents", list, "a map")
    if not all(isinstance(each, str) for each in labels) or not all(type(each) is int for each in parents):
        raise ReviewError("a map in the file has a label that is no text or a parent that is no number")
    try:
        tree = TextTree(tuple(labels), tuple(parents))
    except TTEDError as error:
        raise ReviewError(f"a map in the file is no tree: {error}") from error
    if tree.digest != digest:
        raise ReviewError("a map in the file is not the one that was reviewed (its digest differs)")
    return tree


def _judgement(row: object, place: str) -> Judgement:
    if not isinstance(row, dict):
        raise ReviewError(f"{place}: it is no object; export it again")
    numbers = [row.get(name) for name in NUMBERS]
    texts = [_of(row, name, str, place) for name in ("person", "decision", "comment", "role", "saved")]
    if not all(each is None or type(each) is int for each in numbers):
        raise ReviewError(f"{place}: source, target and partner are numbers of nodes, or nothing")
    person, decision, comment, role, saved = texts
    try:
        saved = saved and datetime.fromisoformat(saved).isoformat(timespec="milliseconds")
    except ValueError as error:
        raise ReviewError(f"{place}: {saved[:40]!r} is no time; export it again") from error
    source, target, partner = numbers
    return Judgement(person, source, target, decision, partner, comment, role, saved=saved)


def _numbers(cells: dict[str, str], row: int) -> dict[str, Any]:
    values: dict[str, Any] = dict(cells)
    for name in NUMBERS:
        if cells[name] and not (cells[name].isascii() and cells[name].isdecimal() and len(cells[name]) < 10):
            raise ReviewError(f"row {row}: {name} is {cells[name][:20]!r}, no number of a node")
        values[name] = int(cells[name]) if cells[name] else None
    return values
