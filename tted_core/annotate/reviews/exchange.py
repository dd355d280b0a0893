"""Reviews as files of JSON Lines, which hold everything and can be imported anywhere.

The first line names the format; then come studies, maps and tasks, a line each, and each map before the first task
that has it. The last line tells how many tasks there are, so that a file that was cut off is noticed. A file of
version 1, one JSON object, is read too, as a whole.
"""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeAlias

from tted_core.annotate.reviews.bulk import Counts
from tted_core.annotate.reviews.database import reading, writing
from tted_core.annotate.reviews.people import check_exporting, check_lead
from tted_core.annotate.reviews.plain import (
    FORMAT,
    VERSION,
    an_object,
    assignment_of,
    check_kind,
    fixed_of,
    gold_of,
    judgement_of,
    map_of,
    member,
    plain_fixed,
    plain_judgement,
    study_of,
)
from tted_core.annotate.reviews.records import (
    NEW,
    FiledTask,
    Judgement,
    Study,
    Task,
    check_pair,
    checked,
)
from tted_core.annotate.reviews.rows import names_of
from tted_core.annotate.reviews.store import ReviewStore
from tted_core.annotate.reviews.studies import restore_study, studies_in
from tted_core.errors import ReviewError
from tted_core.foundations.limits import MAX_BYTES, MAX_REVIEW_ROWS, check_limit
from tted_core.tree import TextTree

WAY_OUT = "it can be brought in by the command: tted reviews restore FILE"

MAX_LINE = 1 << 28
"""Characters of one map or task."""

Opened: TypeAlias = Callable[[], IO[str]]
"""A file from its beginning, each time it is called."""

Line: TypeAlias = tuple[str, Any, str]
"""What a line holds ("study", "map" or "task"), its value, and how messages call it."""


@dataclass(frozen=True)
class ImportReport(Counts):
    """What an import did; ``replaced`` says whether judgements that differ have taken the others' places."""

    replaced: bool = False
    empty: int = 0
    """Tasks of the file without any judgement and of no study, which are left out."""


def json_lines(store: ReviewStore, study: str | None = None) -> Iterator[str]:
    """All studies, maps, tasks, judgements and their history, a line each; or those of one study.

    One task is in memory at a time. Each is of one moment; others may write, and delete tasks, in between.

    Raises:
        NotAllowedError: the visitor is a reviewer.
    """
    check_visitor(store)
    summaries = store.tasks(study=study)
    with reading(store.engine) as connection:
        studies = [each for each in studies_in(connection) if study in {None, each.name}]
    yield _line({"format": FORMAT, "version": VERSION})
    yield from (_line({"study": vars(each)}) for each in studies)
    held: set[str] = set()
    count = 0
    for summary in summaries:
        try:
            filed = store.filed(summary.number)
        except ReviewError:  # deleted meanwhile
            continue
        for tree in (filed.task.left, filed.task.right):
            if tree.digest not in held:
                held.add(tree.digest)
                yield _line({"map": {"digest": tree.digest, "labels": tree.labels, "parents": tree.parents}})
        yield _line({"task": _plain_task(filed)})
        count += 1
    yield _line({"end": count})


def check_visitor(store: ReviewStore) -> None:
    """Refuse a reviewer files with everybody's votes."""
    with reading(store.engine) as connection:
        check_exporting(connection, store.visitor)


def export_json(store: ReviewStore, study: str | None = None) -> str:
    """The same as one text."""
    return "".join(json_lines(store, study))


def import_json(store: ReviewStore, content: str | bytes, *, replacing: bool = False) -> ImportReport:
    """Add what ``export_json`` wrote; its history is not taken over.

    Tasks without a judgement are left out, unless they belong to a study. A study that is there already keeps its
    guidelines, and a task that is there its assignments.

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
    text = text_in(content)
    return _import(
        store, lambda: io.StringIO(text), replacing=replacing, limit=MAX_REVIEW_ROWS, with_history=False
    )


def restore_json(store: ReviewStore, file: Path, *, replacing: bool = False) -> ImportReport:
    """The same for a file of any size, read line by line; tasks that are new here keep their history.

    Raises:
        ReviewError: it can't be read, is not such a file, or something in it isn't valid; says where.
        DatabaseError: the database can't be written; says how much of it is.
    """
    try:
        return _import(
            store,
            lambda: file.open(encoding="utf-8-sig"),
            replacing=replacing,
            limit=None,
            with_history=True,
        )
    except OSError as error:
        raise ReviewError(f"{file} can't be read ({error.strerror}); name another file") from error
    except UnicodeDecodeError as error:
        raise ReviewError(f"{file} is not UTF-8; export it again") from error


def _import(
    store: ReviewStore, opened: Opened, *, replacing: bool, limit: int | None, with_history: bool
) -> ImportReport:
    studies: dict[str, Study] = {}
    total = empty = 0
    for number, each in enumerate(_read(opened, with_history=with_history), 1):
        if isinstance(each, Study):
            studies[each.name] = each
            continue
        if each.task.study and each.task.study not in studies:
            raise ReviewError(f"task {number - len(studies)} is of a study that the file doesn't hold")
        total += len(each.judgements)
        empty += not _counts(each)
        if limit is not None:
            check_limit(total, limit, "judgements in the file", WAY_OUT)
        check_filed(each)
    with writing(store.engine) as connection:
        check_lead(connection, store.visitor, "importing")
        for study in studies.values():
            restore_study(connection, study)
    filed = _read(opened, with_history=with_history)
    counts = store.save_all(
        (each for each in filed if isinstance(each, FiledTask) and _counts(each)), replacing=replacing
    )
    return ImportReport(**vars(counts), replaced=replacing, empty=empty)


def _counts(filed: FiledTask) -> bool:
    return bool(filed.judgements or filed.task.study)


def check_filed(filed: FiledTask) -> None:
    """Refuse names and judgements that aren't valid, before anything is written."""
    names_of(filed.task)
    said = [Judgement("?", *each.pair, each.decision, each.partner) for each in filed.gold]
    for each in (*filed.judgements, *filed.history, *said):
        checked(each, filed.task.left, filed.task.right)
        check_pair(each, filed.task.fixed)


def _read(opened: Opened, *, with_history: bool) -> Iterator[Study | FiledTask]:
    """The studies and tasks of a file, each checked by itself."""
    trees: dict[str, TextTree] = {}
    for kind, value, place in _lines(opened):
        if kind == "study":
            yield study_of(value, place)
        elif kind == "map":
            tree = map_of(value)
            trees[tree.digest] = tree
        else:
            yield _filed(value, trees, place, with_history=with_history)


def _lines(opened: Opened) -> Iterator[Line]:
    """What the lines of a file hold, after the first.

    Raises:
        ReviewError: it is no file of reviews, or was cut off.
    """
    with opened() as stream:
        first = stream.readline(MAX_LINE)
        try:
            header = _value(first)
        except ReviewError:  # an object that goes on
            header = _value(first + stream.read())
        check_kind(header)
        if header["version"] == 1:
            if stream.read().strip():
                raise ReviewError("the file is no JSON (something follows its object); export it again")
            yield from _lines_of_version_1(header)
            return
        tasks, ended = 0, False
        for number, line in enumerate(iter(lambda: stream.readline(MAX_LINE + 1), ""), 2):
            check_limit(len(line), MAX_LINE, f"characters in line {number}", "export it again")
            record = _value(line)
            if ended or not isinstance(record, dict) or len(record) != 1:
                raise ReviewError(f"line {number} of the file is no object of one member; export it again")
            ((kind, value),) = record.items()
            ended = kind == "end" and value == tasks
            tasks += kind == "task"
            if kind in {"study", "map", "task"}:
                yield kind, value, f"task {tasks}" if kind == "task" else f"{kind} in line {number}"
            elif not ended:
                raise ReviewError(f"line {number} of the file holds {kind[:40]!r}; export it again")
        if not ended:
            raise ReviewError("the file was cut off: its last line is missing; export it again")


def _lines_of_version_1(whole: dict[str, Any]) -> Iterator[Line]:
    """The same of an object of maps, tasks and studies, whose assignments name tasks by their places, from 1."""
    maps, tasks = member(whole, "maps", dict), member(whole, "tasks", list)
    assigned: dict[int, list[Any]] = {}
    for number, study in enumerate(whole.get("studies") or (), 1):
        place = f"study {number}"
        study_of(study, place)
        for row in member(study, "assignments", list, place):
            task = member(row, "task", int, place) if isinstance(row, dict) else 0
            its = tasks[task - 1] if 0 < task <= len(tasks) else None
            if not isinstance(its, dict) or its.get("study") != study["name"]:
                raise ReviewError(f"{place}: an assignment names no task of it; export it again")
            assigned.setdefault(task, []).append(row)
        yield "study", study, place
    for digest, content in maps.items():
        yield "map", {**an_object(content, "a map in the file"), "digest": digest}, "a map"
    for number, task in enumerate(tasks, 1):
        more = {"assignments": assigned.get(number, [])} if isinstance(task, dict) else {}
        yield "task", {**task, **more} if more else task, f"task {number}"


def _filed(data: Any, trees: dict[str, TextTree], place: str, *, with_history: bool) -> FiledTask:
    data = an_object(data, f"{place} of the file")
    names = ("document", "left", "right", "left_name", "right_name")
    document, left, right, left_name, right_name = (member(data, name, str, place) for name in names)
    if left not in trees or right not in trees:
        raise ReviewError(f"{place} of the file names a map that the file doesn't hold; export it again")
    judgements, history = (
        tuple(
            judgement_of(row, f"judgement {number} of {place}")
            for number, row in enumerate(member(data, kind, list, place), 1)
        )
        for kind in ("judgements", "history")
    )
    study = member(data, "study", str, place) if "study" in data else ""
    fixed = fixed_of(data["fixed"], trees[left], trees[right], place) if data.get("fixed") else None
    task = Task(NEW, document, trees[left], trees[right], left_name, right_name, study, fixed)
    rows = member(data, "assignments", list, place) if study else []
    assignments = tuple(assignment_of(each, place) for each in rows)
    checks = tuple(gold_of(each, place) for each in (data.get("gold") or () if study else ()))
    return FiledTask(task, judgements, history if with_history else (), assignments, checks)


def _plain_task(filed: FiledTask) -> dict[str, Any]:
    task = filed.task
    assignments, gold = (
        [{name: value for name, value in vars(each).items() if name != "task"} for each in records]
        for records in (filed.assignments, filed.gold)
    )
    return {
        "document": task.document,
        "left": task.left.digest,
        "right": task.right.digest,
        "left_name": task.left_name,
        "right_name": task.right_name,
        **({"study": task.study, "assignments": assignments} if task.study else {}),
        **({"gold": gold} if gold and task.study else {}),
        **({"fixed": plain_fixed(task.fixed)} if task.fixed else {}),
        "judgements": [plain_judgement(each) for each in filed.judgements],
        "history": [plain_judgement(each) for each in filed.history],
    }


def _line(record: dict[str, Any]) -> str:
    return f"{json.dumps(record, ensure_ascii=True, allow_nan=False)}\n"  # ASCII: a label may hold lone surrogates


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        what = "nested too deeply" if isinstance(error, RecursionError) else str(error)[:100]
        raise ReviewError(f"the file is no JSON ({what}); export it again") from error


def text_in(content: str | bytes) -> str:
    """The text of a file that isn't too large."""
    check_limit(len(content), MAX_BYTES, "bytes in the file", WAY_OUT)
    if isinstance(content, str):
        return content.removeprefix("\ufeff")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReviewError("the file is not UTF-8; save it as such (in spreadsheets: CSV UTF-8)") from error
