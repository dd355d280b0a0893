"""Tasks and judgements as rows: the statements that find and write them, within a transaction of the caller's."""

import json
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from tted_core.annotate.reviews.fixed import fixed_of, text_of_fixed
from tted_core.annotate.reviews.records import (
    ANNOTATOR,
    NEW,
    Judgement,
    Task,
    clean_name,
    name_key,
)
from tted_core.annotate.reviews.schema import HISTORY, JUDGEMENTS, MAPS, NONE, PEOPLE, STUDIES, TASKS
from tted_core.errors import ReviewError
from tted_core.tree import TextTree


def found_task(connection: sa.Connection, task: Task) -> Task:
    """The task as it is in the database, or else numbered ``NEW``.

    There is one of a study, a document and two maps; what the database has fixed of it holds, whatever is given.

    Its number alone is not enough: it may have been deleted since it was read, and the number be another's.
    """
    document, left_name, right_name = names_of(task)
    values = {
        "study": task.study,
        "document": document,
        "left_digest": task.left.digest,
        "right_digest": task.right.digest,
    }
    row = connection.execute(sa.select(TASKS).filter_by(**values)).first()
    if row is None and task.number != NEW:
        row = connection.execute(
            sa.select(TASKS).filter_by(id=task.number, document=document, study=task.study)
        ).first()
        if row is not None and maps_of(connection, row) != (task.left, task.right):
            row = None
    if row is None:
        return replace(task, number=NEW, document=document, left_name=left_name, right_name=right_name)
    return task_of_row(row, task.left, task.right)


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
        new = {"name": next((each for each in people if name_key(each) == key), name), "role": ANNOTATOR}
        statement = insert_new(connection, PEOPLE).values(**new, name_key=key)
        connection.execute(statement.on_conflict_do_nothing())
        kept = _spelling(connection, key)
    return kept or name


def _spelling(connection: sa.Connection, key: str) -> str | None:
    kept: str | None = connection.execute(sa.select(PEOPLE.c.name).filter_by(name_key=key)).scalar()
    return kept


def judgements_in(connection: sa.Connection, table: sa.Table, task: Task) -> tuple[Judgement, ...]:
    """All rows of ``JUDGEMENTS`` or ``HISTORY`` that belong to the task, the oldest first."""
    rows = connection.execute(sa.select(table).filter_by(task_id=task.number).order_by(table.c.id))
    return tuple(map(judgement_of_row, rows))


def written(connection: sa.Connection, task: Task, new: Judgement) -> bool:
    """Insert a first revision or update the one before; False if somebody else has written it."""
    values = values_of(task, new)
    if new.revision == 1:
        statement: Any = insert_new(connection, JUDGEMENTS).values(**values).on_conflict_do_nothing()
    else:
        statement = (
            sa.update(JUDGEMENTS)
            .where(*(JUDGEMENTS.c[name] == value for name, value in _key(task, new).items()))
            .where(JUDGEMENTS.c.revision == new.revision - 1)
            .values(**values)
        )
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


def _key(task: Task, judgement: Judgement) -> dict[str, Any]:
    """The columns that a judgement is found by."""
    names = ["task_id", "role", "source", "target"]
    names += ["person"] if judgement.role == ANNOTATOR else []
    values = values_of(task, judgement)
    return {name: values[name] for name in names}


def values_of(task: Task, judgement: Judgement) -> dict[str, Any]:
    """A judgement as a row."""
    return {
        "task_id": task.number,
        "role": judgement.role,
        "person": judgement.person,
        "source": NONE if judgement.source is None else judgement.source,
        "target": NONE if judgement.target is None else judgement.target,
        "decision": judgement.decision,
        "partner": judgement.partner,
        "comment": judgement.comment,
        "revision": judgement.revision,
        "saved": judgement.saved,
    }


def judgement_of_row(row: Any) -> Judgement:
    """The judgement of a row of ``JUDGEMENTS`` or ``HISTORY``."""
    return Judgement(
        row.person,
        None if row.source == NONE else row.source,
        None if row.target == NONE else row.target,
        row.decision,
        row.partner,
        row.comment,
        row.role,
        row.revision,
        row.saved,
    )


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
