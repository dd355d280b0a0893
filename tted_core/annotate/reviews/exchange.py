"""Reviews as files of JSON, which hold everything and can be imported anywhere."""

import io
import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tted_core.annotate.reviews.database import reading, writing
from tted_core.annotate.reviews.file import ReviewFile
from tted_core.annotate.reviews.fixed import fixed_of, plain_fixed
from tted_core.annotate.reviews.records import NEW, FiledTask, Judgement, Task, check_pair, checked
from tted_core.annotate.reviews.rights import check_exporting, check_lead
from tted_core.annotate.reviews.rows import names_of
from tted_core.annotate.reviews.store import ReviewStore
from tted_core.annotate.reviews.study_rows import (
    Assignment,
    Study,
    assignments_in,
    restore_assignments,
    restore_study,
    studies_in,
)
from tted_core.annotate.reviews.validation import (
    FORMAT,
    NUMBERS,
    VERSION,
    check_kind,
    judgement_of,
    map_of,
    member,
    study_of,
)
from tted_core.errors import ReviewError
from tted_core.limits import MAX_BYTES, MAX_REVIEW_ROWS, check_limit
from tted_core.tree import TextTree

WAY_OUT = "as JSON, it can be brought in by the command: tted reviews restore FILE"


@dataclass(frozen=True)
class ImportReport:
    """What an import did: judgements added, there already, and differing from what is there."""

    added: int
    same: int
    different: int
    replaced: bool
    empty: int = 0
    """Tasks of the file without any judgement and of no study, which are left out."""


def json_pieces(store: ReviewStore, study: str | None = None) -> Iterator[str]:
    """All maps, tasks, judgements, their history and studies as one JSON text, in pieces; or those of one study.

    One task is in memory at a time. Each is of one moment; others may write, and delete tasks, in between.

    Raises:
        NotAllowedError: the visitor is an annotator.
    """
    check_visitor(store)
    summaries = store.tasks(study=study)
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
    places: dict[int, int] = {}
    for each in summaries:
        with suppress(ReviewError):  # deleted meanwhile
            filed = store.filed(each.number)
            if {filed.task.left.digest, filed.task.right.digest} <= held:
                yield f"{between}\n{json.dumps(_plain_task(filed), ensure_ascii=True, allow_nan=False)}"
                between = ","
                places[each.number] = len(places) + 1
    with reading(store.engine) as connection:
        studies = [each for each in studies_in(connection) if study in {None, each.name}]
        plain = [_plain_study(each, assignments_in(connection, each.name), places) for each in studies]
    yield f'\n], "studies": {json.dumps(plain)}}}\n'


def check_visitor(store: ReviewStore) -> None:
    """Refuse an annotator files with everybody's votes."""
    with reading(store.engine) as connection:
        check_exporting(connection, store.visitor)


def export_json(store: ReviewStore, study: str | None = None) -> str:
    """The same as one text."""
    return "".join(json_pieces(store, study))


def import_json(store: ReviewStore, content: str | bytes, *, replacing: bool = False) -> ImportReport:
    """Add what ``export_json`` wrote; its history is not taken over.

    Tasks without a judgement are left out, unless they belong to a study. A study that is there already keeps its
    guidelines and assignments.

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


def _import(
    store: ReviewStore, file: ReviewFile, *, replacing: bool, limit: int | None, with_history: bool
) -> ImportReport:
    check_kind(dict(file.members()))
    trees = {digest: map_of(digest, each) for digest, each in file.members("maps")}
    total = empty = 0
    of_study: dict[int, Task] = {}
    for number, each in enumerate(_filed(file, trees, with_history=with_history), 1):
        total += len(each.judgements)
        empty += not (each.judgements or each.task.study)
        if each.task.study:
            of_study[number] = each.task
        if limit is not None:
            check_limit(total, limit, "judgements in the file", WAY_OUT)
        check_filed(each)
    studies = [study_of(each, of_study, f"study {number}") for number, each in file.members("studies")]
    for study, _ in studies:
        with writing(store.engine) as connection:
            check_lead(connection, store.visitor, "importing")
            restore_study(connection, study)
    filed = _filed(file, trees, with_history=with_history)
    counts = store.save_all(
        (each for each in filed if each.judgements or each.task.study), replacing=replacing
    )
    for study, assigned in studies:
        with writing(store.engine) as connection:
            check_lead(connection, store.visitor, "importing")
            restore_assignments(connection, study, assigned)
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
        study = member(each, "study", str, place) if "study" in each else ""
        fixed = fixed_of(each["fixed"], trees[left], trees[right], place) if each.get("fixed") else None
        task = Task(NEW, document, trees[left], trees[right], left_name, right_name, study, fixed)
        yield FiledTask(task, judgements, history)


def check_filed(filed: FiledTask) -> None:
    """Refuse names and judgements that aren't valid, before anything is written."""
    names_of(filed.task)
    for each in (*filed.judgements, *filed.history):
        checked(each, filed.task.left, filed.task.right)
        check_pair(each, filed.task.fixed)


def _plain_study(study: Study, assignments: Iterable[Assignment], places: dict[int, int]) -> dict[str, Any]:
    """A study as JSON has it: a task is named by its place in the file, from 1."""
    return {
        **vars(study),
        "assignments": [
            {**vars(each), "task": places[each.task]} for each in assignments if each.task in places
        ],
    }


def _plain_task(filed: FiledTask) -> dict[str, Any]:
    task = filed.task
    return {
        "document": task.document,
        "left": task.left.digest,
        "right": task.right.digest,
        "left_name": task.left_name,
        "right_name": task.right_name,
        **({"study": task.study} if task.study else {}),
        **({"fixed": plain_fixed(task.fixed)} if task.fixed else {}),
        "judgements": [plain_judgement(each) for each in filed.judgements],
        "history": [plain_judgement(each) for each in filed.history],
    }


def plain_judgement(judgement: Judgement) -> dict[str, Any]:
    """A judgement as files have it."""
    names = (*NUMBERS, "decision", "comment", "role", "person", "revision", "saved")
    return {name: getattr(judgement, name) for name in names}


def text_in(content: str | bytes) -> str:
    """The text of a file that isn't too large."""
    check_limit(len(content), MAX_BYTES, "bytes in the file", WAY_OUT)
    if isinstance(content, str):
        return content.removeprefix("\ufeff")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReviewError("the file is not UTF-8; save it as such (in spreadsheets: CSV UTF-8)") from error
