"""Reading and writing reviews. Every write is one transaction: it is on the disk when the call returns."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from tted_core.annotate.reviews.database import database_url, open_database, reading, writing
from tted_core.annotate.reviews.records import (
    ANNOTATOR,
    NEW,
    UNDECIDED,
    Judgement,
    Task,
    TaskSummary,
    checked,
    clean_name,
)
from tted_core.annotate.reviews.schema import HISTORY, JUDGEMENTS, MAPS, NONE, TASKS
from tted_core.errors import ConflictError, ReviewError
from tted_core.tree import TextTree


def open_store(setting: str | None = None) -> "ReviewStore":
    """The store in the database that ``setting`` or the environment names (see ``database_url``).

    Raises:
        DatabaseError: it can't be opened.
    """
    return ReviewStore(open_database(database_url(setting)))


@dataclass(frozen=True)
class ReviewStore:
    """All reviews in one database. Every method may raise ``DatabaseError``."""

    engine: sa.Engine

    def open_task(
        self,
        document: str,
        left: TextTree,
        right: TextTree,
        left_name: str = "left",
        right_name: str = "right",
    ) -> Task:
        """The task of these two maps of a document; made at the first time.

        Raises:
            ReviewError: a name is empty.
            LimitError: a name is too long.
        """
        with writing(self.engine) as connection:
            return _open_task(connection, Task(NEW, document, left, right, left_name, right_name))

    def task(self, number: int) -> Task:
        """A task by its number.

        Raises:
            ReviewError: there is none.
        """
        with reading(self.engine) as connection:
            row = connection.execute(sa.select(TASKS).filter_by(id=number)).first()
            if row is None:
                raise ReviewError(f"there is no task {number} in the database; choose another")
            digests = [row.left_digest, row.right_digest]
            maps = connection.execute(sa.select(MAPS).where(MAPS.c.digest.in_(digests)))
            contents = {each.digest: each.content for each in maps}
        left, right = (_tree(contents[digest]) for digest in (row.left_digest, row.right_digest))
        return Task(row.id, row.document, left, right, row.left_name, row.right_name)

    def tasks(self) -> tuple[TaskSummary, ...]:
        """All tasks by document, with each annotator's progress."""
        pair = sa.or_(JUDGEMENTS.c.source != NONE, JUDGEMENTS.c.target != NONE)
        mine = sa.and_(JUDGEMENTS.c.role == ANNOTATOR, JUDGEMENTS.c.decision != UNDECIDED)
        counts = (
            sa.select(JUDGEMENTS.c.task_id, JUDGEMENTS.c.person, sa.func.count())
            .where(pair, mine)
            .group_by(JUDGEMENTS.c.task_id, JUDGEMENTS.c.person)
        )
        whole = sa.select(JUDGEMENTS.c.task_id, JUDGEMENTS.c.person, JUDGEMENTS.c.decision).where(~pair, mine)
        decided: dict[int, dict[str, int]] = {}
        verdicts: dict[int, dict[str, str]] = {}
        with reading(self.engine) as connection:
            rows = connection.execute(sa.select(TASKS).order_by(TASKS.c.document, TASKS.c.id)).all()
            for number, person, count in connection.execute(counts):
                decided.setdefault(number, {})[person] = count
            for number, person, verdict in connection.execute(whole):
                verdicts.setdefault(number, {})[person] = verdict
        return tuple(
            TaskSummary(
                row.id,
                row.document,
                row.left_digest,
                row.right_digest,
                row.left_name,
                row.right_name,
                decided.get(row.id, {}),
                verdicts.get(row.id, {}),
            )
            for row in rows
        )

    def judgements(self, task: Task) -> tuple[Judgement, ...]:
        """All judgements of a task, of pairs and of the whole map, by annotators and adjudicators."""
        return self._read(JUDGEMENTS, task)

    def history(self, task: Task) -> tuple[Judgement, ...]:
        """Every judgement of a task as it was ever saved, the oldest first."""
        return self._read(HISTORY, task)

    def save(self, task: Task, judgement: Judgement) -> Judgement:
        """Save a judgement; it carries the revision that was read before (0: there was none).

        Returns:
            What is now in the database: the judgement with its new revision and time.

        Raises:
            ReviewError: it is no valid judgement of this task.
            LimitError: its comment or name is too long.
            ConflictError: another session has saved this judgement since; nothing was written.
        """
        new = checked(judgement, task.left, task.right)
        new = replace(new, revision=judgement.revision + 1, saved=_now())
        with writing(self.engine) as connection:
            if not _write(connection, task, new):
                raise ConflictError(_conflict(new), self._current(connection, task, new))
        return new

    def save_all(
        self, judgements: Mapping[Task, Iterable[Judgement]], *, replacing: bool
    ) -> tuple[int, int, int]:
        """Save many in one transaction, all or none: for an import.

        Args:
            judgements: by task, without regard to their revisions; a task that isn't in the database is made.
            replacing: whether one that differs from what is there takes its place (the history keeps both).

        Returns:
            How many were added, how many are there already, and how many differ from what is there.

        Raises:
            ReviewError: one of them, or a task's name, is not valid; nothing is written.
            LimitError: a text is too long.
            ConflictError: another session wrote at the same time; nothing was written.
        """
        added = same = different = 0
        with writing(self.engine) as connection:
            for given, several in judgements.items():
                task = _open_task(connection, given)
                there = {each.key: each for each in self._rows(connection, JUDGEMENTS, task)}
                for judgement in several:
                    new = checked(judgement, task.left, task.right)
                    old = there.get(new.key)
                    if old is not None and old.content == new.content:
                        same += 1
                        continue
                    added += old is None
                    different += old is not None
                    if old is None or replacing:
                        revision = old.revision + 1 if old else 1
                        new = replace(new, revision=revision, saved=new.saved or _now())
                        if not _write(connection, task, new):
                            raise ConflictError(_conflict(new), old)
                        there[new.key] = new
        return added, same, different

    def _read(self, table: sa.Table, task: Task) -> tuple[Judgement, ...]:
        with reading(self.engine) as connection:
            return self._rows(connection, table, task)

    def _rows(self, connection: sa.Connection, table: sa.Table, task: Task) -> tuple[Judgement, ...]:
        rows = connection.execute(sa.select(table).filter_by(task_id=task.number).order_by(table.c.id))
        return tuple(map(_judgement, rows))

    def _current(self, connection: sa.Connection, task: Task, judgement: Judgement) -> Judgement | None:
        rows = self._rows(connection, JUDGEMENTS, task)
        return next((each for each in rows if each.key == judgement.key), None)


def _open_task(connection: sa.Connection, task: Task) -> Task:
    """The task as it is in the database, which has one for a document and two maps; made if it isn't there."""
    document = clean_name(task.document, "the document's name")
    names = (
        clean_name(task.left_name, "the left map's name"),
        clean_name(task.right_name, "the right map's name"),
    )
    values = {"document": document, "left_digest": task.left.digest, "right_digest": task.right.digest}
    found = sa.select(TASKS).filter_by(**values)
    row = connection.execute(found).first()
    if row is None:
        for tree in {each.digest: each for each in (task.left, task.right)}.values():
            _keep_map(connection, tree)
        new = {**values, "left_name": names[0], "right_name": names[1]}
        connection.execute(_insert(connection, TASKS).values(**new).on_conflict_do_nothing())
        row = connection.execute(found).one()
    return Task(row.id, row.document, task.left, task.right, row.left_name, row.right_name)


def _write(connection: sa.Connection, task: Task, new: Judgement) -> bool:
    """Insert a first revision or update the one before; False if somebody else has written it."""
    values = _values(task, new)
    if new.revision == 1:
        statement: Any = _insert(connection, JUDGEMENTS).values(**values).on_conflict_do_nothing()
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


def _insert(connection: sa.Connection, table: sa.Table) -> Any:
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
    values = _values(task, judgement)
    return {name: values[name] for name in names}


def _values(task: Task, judgement: Judgement) -> dict[str, Any]:
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


def _judgement(row: Any) -> Judgement:
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
        _insert(connection, MAPS).values(digest=tree.digest, content=content).on_conflict_do_nothing()
    )


def _tree(content: str) -> TextTree:
    values = json.loads(content)
    return TextTree(tuple(values["labels"]), tuple(values["parents"]))


def _conflict(judgement: Judgement) -> str:
    whose = "your" if judgement.role == ANNOTATOR else "the adjudicator's"
    return (
        f"not saved: {whose} judgement of this pair was changed in another window since it was read here; look at "
        "it and save again if yours shall stand"
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
