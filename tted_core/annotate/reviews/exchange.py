"""Reviews as files: JSON holds everything and can be imported anywhere, CSV is for spreadsheets."""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tted_core.annotate.reviews.file import ReviewFile
from tted_core.annotate.reviews.records import NEW, FiledTask, Judgement, Task, checked
from tted_core.annotate.reviews.rows import names_of
from tted_core.annotate.reviews.store import ReviewStore
from tted_core.annotate.reviews.validation import (
    FORMAT,
    NUMBERS,
    VERSION,
    check_kind,
    judgement_of,
    map_of,
    member,
    with_numbers,
)
from tted_core.errors import ReviewError
from tted_core.limits import MAX_BYTES, MAX_REVIEW_ROWS, check_limit
from tted_core.report import spreadsheet_cell, text_of_cell
from tted_core.tree import TextTree

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
WAY_OUT = "as JSON, it can be brought in by the command: tted reviews restore FILE"


@dataclass(frozen=True)
class ImportReport:
    """What an import did: judgements added, there already, and differing from what is there."""

    added: int
    same: int
    different: int
    replaced: bool
    empty: int = 0
    """Tasks of the file without any judgement, which are left out."""


def json_pieces(store: ReviewStore) -> Iterator[str]:
    """All maps, tasks, judgements and their history as one JSON text, in pieces; one task is in memory at a time.

    Each task is of one moment; others may write, and delete tasks, in between.
    """
    summaries = store.tasks()
    yield f'{{"format": "{FORMAT}", "version": {VERSION}, "maps": {{'
    digests = list(
        dict.fromkeys(digest for each in summaries for digest in (each.left_digest, each.right_digest))
    )
    held: set[str] = set()
    for digest, content in store.maps(digests):
        yield f"{',' if held else ''}\n{json.dumps(digest)}: {content}"
        held.add(digest)
    yield '\n}, "tasks": ['
    between = ""
    for each in summaries:
        with suppress(ReviewError):  # deleted meanwhile
            filed = store.filed(each.number)
            if {filed.task.left.digest, filed.task.right.digest} <= held:
                yield f"{between}\n{json.dumps(_plain_task(filed), ensure_ascii=True, allow_nan=False)}"
                between = ","
    yield "\n]}\n"


def export_json(store: ReviewStore) -> str:
    """The same as one text."""
    return "".join(json_pieces(store))


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
    """Add what ``export_json`` wrote; its history is not taken over, and tasks without a judgement are left out.

    The file is checked as a whole before anything is written. It is written in short transactions, so that others
    can write in between; if it ends in the middle, the same import again adds what is missing.

    Args:
        store: where to.
        content: the file.
        replacing: whether a judgement that differs from what is there takes its place.

    Raises:
        ReviewError: not such a file, or something in it isn't valid; says where.
        LimitError: too large.
        DatabaseError: the database can't be written.
    """
    text = _text(content)
    file = ReviewFile(lambda: io.StringIO(text))
    return _import(store, file, replacing=replacing, limit=MAX_REVIEW_ROWS, with_history=False)


def restore_json(store: ReviewStore, file: Path, *, replacing: bool = False) -> ImportReport:
    """The same for a file of any size, read piece by piece; tasks that are new here keep their history.

    Raises:
        ReviewError: it can't be read, is not such a file, or something in it isn't valid; says where.
        DatabaseError: the database can't be written; says how much of it is.
    """
    whole = ReviewFile(lambda: file.open(encoding="utf-8-sig"))
    try:
        return _import(store, whole, replacing=replacing, limit=None, with_history=True)
    except OSError as error:
        raise ReviewError(f"{file} can't be read ({error.strerror}); name another file") from error
    except UnicodeDecodeError as error:
        raise ReviewError(f"{file} is not UTF-8; export it again") from error


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
    known = {(each.document, each.left_digest, each.right_digest): each.number for each in store.tasks()}
    found: dict[int, list[Judgement]] = {}
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise ReviewError(f"row {number}: it has another number of cells than the header; mend it")
        cells = {name: text_of_cell(value) for name, value in row.items()}
        number_here = known.get((cells["document"], cells["left_digest"], cells["right_digest"]))
        if number_here is None:
            raise ReviewError(
                f"row {number}: the document {cells['document'][:80]!r} with these maps is not in the database; "
                "import the JSON, which holds the maps"
            )
        found.setdefault(number_here, []).append(judgement_of(with_numbers(cells, number), f"row {number}"))
    filed = [FiledTask(store.task(each), tuple(judgements)) for each, judgements in found.items()]
    for each in filed:
        _check(each)
    counts = store.save_all(filed, replacing=replacing)
    return ImportReport(counts.added, counts.same, counts.different, replacing)


def _import(
    store: ReviewStore, file: ReviewFile, *, replacing: bool, limit: int | None, with_history: bool
) -> ImportReport:
    check_kind(dict(file.members()))
    trees = {digest: map_of(digest, each) for digest, each in file.members("maps")}
    total = empty = 0
    for each in _filed(file, trees, with_history=with_history):
        total += len(each.judgements)
        empty += not each.judgements
        if limit is not None:
            check_limit(total, limit, "judgements in the file", WAY_OUT)
        _check(each)
    full = (each for each in _filed(file, trees, with_history=with_history) if each.judgements)
    counts = store.save_all(full, replacing=replacing)
    return ImportReport(counts.added, counts.same, counts.different, replacing, empty)


def _filed(file: ReviewFile, trees: dict[str, TextTree], *, with_history: bool) -> Iterator[FiledTask]:
    for number, each in file.members("tasks"):
        place = f"task {number}"
        if not isinstance(each, dict):
            raise ReviewError(f"{place} of the file is no object; export it again")
        names = ("document", "left", "right", "left_name", "right_name")
        document, left, right, left_name, right_name = (member(each, name, str, place) for name in names)
        if left not in trees or right not in trees:
            raise ReviewError(f"{place} of the file names a map that the file doesn't hold; export it again")
        kinds = ("judgements", "history") if with_history else ("judgements",)
        judgements, history = (
            tuple(
                judgement_of(row, f"judgement {row_number} of {place}")
                for row_number, row in enumerate(member(each, kind, list, place) if kind in kinds else (), 1)
            )
            for kind in ("judgements", "history")
        )
        task = Task(NEW, document, trees[left], trees[right], left_name, right_name)
        yield FiledTask(task, judgements, history)


def _check(filed: FiledTask) -> None:
    names_of(filed.task)
    for each in (*filed.judgements, *filed.history):
        checked(each, filed.task.left, filed.task.right)


def _tasks(store: ReviewStore) -> Iterator[Task]:
    return (store.task(each.number) for each in store.tasks())


def _plain_task(filed: FiledTask) -> dict[str, Any]:
    task = filed.task
    return {
        "document": task.document,
        "left": task.left.digest,
        "right": task.right.digest,
        "left_name": task.left_name,
        "right_name": task.right_name,
        "judgements": [_plain(each) for each in filed.judgements],
        "history": [_plain(each) for each in filed.history],
    }


def _plain(judgement: Judgement) -> dict[str, Any]:
    names = (*NUMBERS, "decision", "comment", "role", "person", "revision", "saved")
    return {name: getattr(judgement, name) for name in names}


def _cell(value: str | int | None) -> str:
    if value is None:
        return ""
    text = str(value)
    return f"'{spreadsheet_cell(text)}" if text.startswith("'") else spreadsheet_cell(text)


def _text(content: str | bytes) -> str:
    check_limit(len(content), MAX_BYTES, "bytes in the file", WAY_OUT)
    if isinstance(content, str):
        return content.removeprefix("\ufeff")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReviewError("the file is not UTF-8; save it as such (in spreadsheets: CSV UTF-8)") from error
