"""Tasks and judgements as rows: the statements that find and write them, within a transaction of the caller's."""

import json
from dataclasses import fields, replace
from typing import Any

import sqlalchemy as sa

from tted_core.annotate.reviews.plain import fixed_of, text_of_fixed
from tted_core.annotate.reviews.records import (
    NEW,
    REVIEWER,
    UNDECIDED,
    Assignment,
    Gold,
    Judgement,
    Subject,
    Task,
    clean_name,
    name_key,
)
from tted_core.annotate.reviews.schema import (
    ASSIGNMENTS,
    GOLD,
    HISTORY,
    JUDGEMENTS,
    MAPS,
    NONE,
    PEOPLE,
    STUDIES,
    TASKS,
)
from tted_core.errors import ReviewError
from tted_core.tree import TextTree


def found_task(connection: sa.Connection, task: Task) -> Task:
    """The task as it is in the database, or else numbered ``NEW``.

    There is one of a study, a document and two maps; what the database has fixed of it holds, whatever is given.

    Its number alone is not enough: it may have been deleted since it was read, and the number be another's.
    """
    document, left_name, right_name = names_of(task)
    row = connection.execute(_of_maps(task, TASKS)).first()
    if row is None:
        return replace(task, number=NEW, document=document, left_name=left_name, right_name=right_name)
    return task_of_row(row, task.left, task.right)


def found_number(connection: sa.Connection, task: Task) -> int:
    """The number alone, without what is fixed of the task; ``NEW`` where it isn't in the database."""
    return connection.execute(_of_maps(task, TASKS.c.id)).scalar() or NEW


def _of_maps(task: Task, wanted: Any) -> sa.Select[Any]:
    return sa.select(wanted).filter_by(
        study=task.study,
        document=names_of(task)[0],
        left_digest=task.left.digest,
        right_digest=task.right.digest,
    )


def opened_task(connection: sa.Connection, task: Task) -> Task:
    """The same; made if it isn't there. Until the transaction ends it can't be deleted.

    Raises:
        ReviewError: it belongs to a study that was deleted.
    """
    check_study(connection, task.study)
    found = found_task(connection, task)
    if found.number != NEW:
        there = sa.select(TASKS.c.id).filter_by(id=found.number)
        if not connection.execute(there.with_for_update(read=True, key_share=True)).first():
            found = replace(found, number=NEW)
    if found.number != NEW:
        return found
    for tree in {each.digest: each for each in (task.left, task.right)}.values():
        _keep_map(connection, tree)
    new: dict[str, Any] = {
        "document": found.document,
        "left_digest": task.left.digest,
        "right_digest": task.right.digest,
        "left_name": found.left_name,
        "right_name": found.right_name,
        "study": task.study,
    }
    if task.fixed is not None:
        new |= {
            "signature": task.fixed.signature,
            "pairs": len(task.fixed.ops),
            "fixed": text_of_fixed(task.fixed),
        }
    connection.execute(insert_new(connection, TASKS).values(**new).on_conflict_do_nothing())
    return opened_task(connection, task)


def check_study(connection: sa.Connection, study: str) -> None:
    """Refuse a study that its lead has deleted; until the transaction ends it can't be.

    Raises:
        ReviewError: there is no such study.
    """
    row = sa.select(STUDIES.c.name).filter_by(name=study).with_for_update(read=True, key_share=True)
    if study and not connection.execute(row).first():
        raise ReviewError(f"the study {study!r} was deleted by its lead, so nothing of it is saved any more")


def task_of_row(row: Any, left: TextTree, right: TextTree) -> Task:
    """The task of a row of ``TASKS``, whose maps these are."""
    fixed = row.fixed and fixed_of(json.loads(row.fixed), left, right, f"task {row.id}")
    return Task(row.id, row.document, left, right, row.left_name, row.right_name, row.study, fixed or None)


def maps_of(connection: sa.Connection, row: Any) -> tuple[TextTree, TextTree]:
    """The maps of a row of ``TASKS``."""
    digests = row.left_digest, row.right_digest
    contents = {
        each.digest: each.content
        for each in connection.execute(sa.select(MAPS).where(MAPS.c.digest.in_(digests)))
    }
    return tree_of(contents[digests[0]]), tree_of(contents[digests[1]])


def names_of(task: Task) -> tuple[str, str, str]:
    """The document's and the maps' names as they are kept.

    Raises:
        ReviewError: one is empty.
        LimitError: one is too long.
    """
    if task.study and task.study != clean_name(task.study, "the study's name"):
        raise ReviewError("the study's name has characters that names can't have; export it again")
    return (
        clean_name(task.document, "the document's name"),
        clean_name(task.left_name, "the left map's name"),
        clean_name(task.right_name, "the right map's name"),
    )


def spelled(connection: sa.Connection, name: str) -> str:
    """A person's name as it is kept, however capitals are typed; the name itself for a new person."""
    return _spelling(connection, name_key(name)) or name


def kept_person(connection: sa.Connection, name: str) -> str:
    """The same; a new person is put into the table, so that two sessions can't begin two spellings at once."""
    key = name_key(name)
    kept = _spelling(connection, key)
    if kept is None:
        people = connection.execute(sa.select(JUDGEMENTS.c.person).distinct()).scalars()  # who was removed
        new = {"name": next((each for each in people if name_key(each) == key), name), "role": REVIEWER}
        statement = insert_new(connection, PEOPLE).values(**new, name_key=key)
        connection.execute(statement.on_conflict_do_nothing())
        kept = _spelling(connection, key)
    return kept or name


def _spelling(connection: sa.Connection, key: str) -> str | None:
    kept: str | None = connection.execute(sa.select(PEOPLE.c.name).filter_by(name_key=key)).scalar()
    return kept


def judgements_in(
    connection: sa.Connection, table: sa.Table, number: int, *, person: str | None = None
) -> tuple[Judgement, ...]:
    """All rows of ``JUDGEMENTS`` or ``HISTORY`` that belong to a task, or one person's; the oldest first."""
    rows = sa.select(*columns_of(table, Judgement)).filter_by(task_id=number).order_by(table.c.id)
    if person is not None:
        rows = rows.filter_by(person=person)
    return tuple(Judgement(*row) for row in connection.execute(rows))


def assignments_in(connection: sa.Connection, tasks: sa.Select[int] | list[int]) -> tuple[Assignment, ...]:
    """Who is to judge these tasks (by their numbers), by person and place."""
    columns = (ASSIGNMENTS.c.task_id, *columns_of(ASSIGNMENTS, Assignment))
    mine = sa.select(*columns).where(ASSIGNMENTS.c.task_id.in_(tasks))
    ordered = mine.order_by(ASSIGNMENTS.c.person, ASSIGNMENTS.c.place)
    return tuple(Assignment(*row) for row in connection.execute(ordered))


def gold_in(connection: sa.Connection, tasks: sa.Select[int] | list[int]) -> tuple[Gold, ...]:
    """The hidden checks of these tasks, by task and pair."""
    mine = sa.select(GOLD.c.task_id, *columns_of(GOLD, Gold)).where(GOLD.c.task_id.in_(tasks))
    ordered = mine.order_by(GOLD.c.task_id, GOLD.c.source, GOLD.c.target)
    return tuple(Gold(*row) for row in connection.execute(ordered))


def tasks_of(study: str) -> sa.Select[int]:
    """The numbers of a study's tasks."""
    return sa.select(TASKS.c.id).where(TASKS.c.study == study)


def columns_of(table: sa.FromClause, record: type) -> list[Any]:
    """The columns of a record's fields, in their order; a column that the table lacks is passed over."""
    return [table.c[each.name] for each in fields(record) if each.name in table.c]


def row_of(task: Task, judgement: Judgement) -> dict[str, Any]:
    """A judgement as a row."""
    return {"task_id": task.number, **vars(judgement)}


def row_for(number: int, record: Assignment | Gold) -> dict[str, Any]:
    """An assignment or hidden check of the task of this number as a row."""
    values = {name: value for name, value in vars(record).items() if name != "task"}
    return {"task_id": number, **values}


def of_pair(task: Task, judgement: Judgement, role: str) -> list[Any]:
    """Conditions on ``JUDGEMENTS``: of this pair in this role, and a reviewer's by the same person."""
    same = [*of_subject(JUDGEMENTS, task.number, judgement.pair), JUDGEMENTS.c.role == role]
    return [*same, JUDGEMENTS.c.person == judgement.person] if role == REVIEWER else same


def of_subject(table: sa.Table, number: int, pair: Subject) -> list[Any]:
    """Conditions on ``JUDGEMENTS`` or ``GOLD``: of this pair of the task of this number."""
    nodes = zip((table.c.source, table.c.target), pair, strict=True)
    # A literal of the column's type, since a comparison with None would ask for NULL.
    return [table.c.task_id == number, *(column == sa.literal(node, column.type) for column, node in nodes)]


def written(connection: sa.Connection, task: Task, new: Judgement) -> bool:
    """Insert a first revision or update the one before; False if somebody else has written it."""
    values = row_of(task, new)
    if new.revision == 1:
        statement: Any = insert_new(connection, JUDGEMENTS).values(**values).on_conflict_do_nothing()
    else:
        there = (*of_pair(task, new, new.role), JUDGEMENTS.c.revision == new.revision - 1)
        statement = sa.update(JUDGEMENTS).where(*there).values(**values)
    if connection.execute(statement.returning(JUDGEMENTS.c.id)).first() is None:
        return False
    connection.execute(sa.insert(HISTORY).values(**values))
    return True


def insert_new(connection: sa.Connection, table: sa.Table) -> Any:
    """An INSERT of the dialect's own, which knows ON CONFLICT."""
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table)


def _keep_map(connection: sa.Connection, tree: TextTree) -> None:
    # ASCII: labels may hold what a database refuses (NUL, lone surrogates).
    content = json.dumps({"labels": tree.labels, "parents": tree.parents}, ensure_ascii=True)
    connection.execute(
        insert_new(connection, MAPS).values(digest=tree.digest, content=content).on_conflict_do_nothing()
    )


def tree_of(content: str) -> TextTree:
    """A map as it is kept."""
    values = json.loads(content)
    return TextTree(tuple(values["labels"]), tuple(values["parents"]))


def wanted(search: str, *, judged: bool, study: str | None) -> list[Any]:
    """Conditions on tasks: part of a name, whether anybody has decided something, and their study."""
    names = (TASKS.c.document, TASKS.c.left_name, TASKS.c.right_name)
    found: list[Any] = (
        [sa.or_(*(name.icontains(search, autoescape=True) for name in names))] if search else []
    )
    if study is not None:
        found.append(TASKS.c.study == study)
    if judged:
        found.append(TASKS.c.id.in_(decided()))
    return found


def decided() -> sa.Select[tuple[int]]:
    """The numbers of tasks of which a reviewer has decided something."""
    mine = JUDGEMENTS.c.role == REVIEWER, JUDGEMENTS.c.decision != UNDECIDED
    return sa.select(JUDGEMENTS.c.task_id).where(*mine)


def progress(
    connection: sa.Connection, mine: list[Any]
) -> tuple[dict[int, dict[str, int]], dict[int, dict[str, str]]]:
    """By task and person: how many pairs are decided, and the verdict."""
    pair = sa.or_(JUDGEMENTS.c.source != NONE, JUDGEMENTS.c.target != NONE)
    task, person = JUDGEMENTS.c.task_id, JUDGEMENTS.c.person
    counted: dict[int, dict[str, int]] = {}
    verdicts: dict[int, dict[str, str]] = {}
    counts = sa.select(task, person, sa.func.count()).where(pair, *mine).group_by(task, person)
    for number, name, count in connection.execute(counts):
        counted.setdefault(number, {})[name] = count
    for number, name, verdict in connection.execute(
        sa.select(task, person, JUDGEMENTS.c.decision).where(~pair, *mine)
    ):
        verdicts.setdefault(number, {})[name] = verdict
    return counted, verdicts


def delete_unused_maps(connection: sa.Connection) -> None:
    """Delete maps that no task has any more."""
    used = sa.union(sa.select(TASKS.c.left_digest), sa.select(TASKS.c.right_digest))
    connection.execute(sa.delete(MAPS).where(MAPS.c.digest.not_in(used)))
