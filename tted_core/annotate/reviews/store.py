"""Reading and writing reviews. Every write is one transaction: it is on the disk when the call returns."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import sqlalchemy as sa

from tted_core.annotate.reviews.bulk import Counts, save_in_chunks
from tted_core.annotate.reviews.database import database_url, open_database, reading, writing, written_by
from tted_core.annotate.reviews.people import (
    OPERATOR,
    Visitor,
    check_impartial,
    check_judging,
    check_lead,
    check_writing,
)
from tted_core.annotate.reviews.records import (
    NEW,
    REVIEWER,
    UNDECIDED,
    FiledTask,
    Fixed,
    Judgement,
    Task,
    TaskSummary,
    check_pair,
    checked,
)
from tted_core.annotate.reviews.rows import (
    assignments_in,
    columns_of,
    decided,
    delete_unused_maps,
    found_number,
    found_task,
    gold_in,
    judgements_in,
    kept_person,
    maps_of,
    opened_task,
    progress,
    spelled,
    task_of_row,
    tasks_of,
    wanted,
    written,
)
from tted_core.annotate.reviews.schema import (
    ASSIGNMENTS,
    HISTORY,
    JUDGEMENTS,
    NONE,
    STUDIES,
    TASKS,
)
from tted_core.errors import ConflictError, ReviewError
from tted_core.tree import TextTree

DELETED_AT_ONCE = 500


@dataclass(frozen=True)
class Deleted:
    """What a deleted task was called, and how many judgements went with it."""

    document: str
    left_name: str
    right_name: str
    judgements: int


def open_store(setting: str | None = None) -> "ReviewStore":
    """The store in the database that ``setting`` or the environment names (see ``database_url``).

    Raises:
        DatabaseError: it can't be opened.
    """
    return ReviewStore(open_database(database_url(setting)))


@dataclass(frozen=True)
class ReviewStore:
    """All reviews in one database, for one visitor. Every method may raise ``DatabaseError``, after a few seconds.

    Every method that writes asks ``rights`` first, and raises ``NotAllowedError`` where the visitor may not.
    """

    engine: sa.Engine
    visitor: Visitor = OPERATOR

    def of(self, visitor: Visitor) -> "ReviewStore":
        """The same for a visitor of the page; without it, it is whoever works on the server."""
        return replace(self, visitor=visitor)

    def spelled(self, name: str) -> str:
        """A person's name as it is kept: "anna" and "Anna" are one person."""
        with reading(self.engine) as connection:
            return spelled(connection, name)

    def find_task(
        self,
        document: str,
        left: TextTree,
        right: TextTree,
        left_name: str = "left",
        right_name: str = "right",
        *,
        study: str = "",
    ) -> Task:
        """The task of these two maps of a document, numbered ``NEW`` while it isn't in the database; only reads.

        Raises:
            ReviewError: a name is empty.
            LimitError: a name is too long.
        """
        with reading(self.engine) as connection:
            return found_task(connection, Task(NEW, document, left, right, left_name, right_name, study))

    def open_task(
        self,
        document: str,
        left: TextTree,
        right: TextTree,
        left_name: str = "left",
        right_name: str = "right",
        *,
        study: str = "",
        fixed: Fixed | None = None,
    ) -> Task:
        """The same, made at the first time with the mapping that is to be judged.

        Raises:
            ReviewError: a name is empty.
            LimitError: a name is too long.
        """
        task = self.find_task(document, left, right, left_name, right_name, study=study)
        if task.number != NEW:
            return task

        def make(connection: sa.Connection) -> Task:
            check_writing(connection, self.visitor)
            return opened_task(connection, replace(task, fixed=fixed))

        return written_by(self.engine, make)

    def task(self, number: int) -> Task:
        """A task by its number.

        Raises:
            ReviewError: there is none.
        """
        with reading(self.engine) as connection:
            return _task(connection, number)

    def tasks(
        self,
        *,
        study: str | None = None,
        assigned_to: str | None = None,
        search: str = "",
        judged: bool = False,
        offset: int = 0,
        limit: int | None = None,
    ) -> tuple[TaskSummary, ...]:
        """Tasks by document, or in the order in which somebody is to judge them, with each reviewer's progress.

        Args:
            study: only those of this study; "" for those of none.
            assigned_to: only those that this person is to judge, the newest study's first.
            search: only those whose document or maps have this in their names.
            judged: only those of which a reviewer has decided something.
            offset: how many to pass over.
            limit: how many at most; all by default.
        """
        conditions = wanted(search, judged=judged, study=study)
        listed = columns_of(TASKS, TaskSummary)
        chosen = sa.select(TASKS.c.id.label("number"), *listed).where(*conditions)
        if assigned_to is None:
            chosen = chosen.order_by(TASKS.c.document, TASKS.c.id)
        else:
            chosen = chosen.join(ASSIGNMENTS).where(ASSIGNMENTS.c.person == assigned_to)
            chosen = chosen.join(STUDIES, STUDIES.c.name == TASKS.c.study)
            chosen = chosen.order_by(STUDIES.c.made.desc(), STUDIES.c.name, ASSIGNMENTS.c.place)
        with reading(self.engine) as connection:
            rows = connection.execute(chosen.offset(offset).limit(limit)).all()
            mine = [JUDGEMENTS.c.role == REVIEWER, JUDGEMENTS.c.decision != UNDECIDED]
            if limit is not None or assigned_to is not None:
                mine.append(JUDGEMENTS.c.task_id.in_([row.number for row in rows]))
            elif study is not None:
                mine.append(JUDGEMENTS.c.task_id.in_(tasks_of(study)))
            counts, verdicts = progress(connection, mine)
        return tuple(
            TaskSummary(
                **row._mapping,  # noqa: SLF001 - public in spite of its name
                decided=counts.get(row.number, {}),
                verdicts=verdicts.get(row.number, {}),
            )
            for row in rows
        )

    def count_tasks(
        self,
        *,
        study: str | None = None,
        search: str = "",
        judged: bool = False,
        verdict_of: str | None = None,
    ) -> int:
        """How many tasks ``tasks`` would give without a limit; or of how many this person has given a verdict."""
        conditions = wanted(search, judged=judged, study=study)
        if verdict_of is not None:
            whole = JUDGEMENTS.c.source == NONE, JUDGEMENTS.c.target == NONE
            conditions.append(TASKS.c.id.in_(decided().where(*whole, JUDGEMENTS.c.person == verdict_of)))
        counted = sa.select(sa.func.count()).select_from(TASKS).where(*conditions)
        with reading(self.engine) as connection:
            return int(connection.execute(counted).scalar_one())

    def judgements(self, task: Task, *, person: str | None = None) -> tuple[Judgement, ...]:
        """The judgements of a task or, of these, one person's: of pairs and of the whole map, in both roles."""
        with reading(self.engine) as connection:
            return judgements_in(connection, JUDGEMENTS, found_number(connection, task), person=person)

    def history(self, task: Task) -> tuple[Judgement, ...]:
        """Every judgement of a task as it was ever saved, the oldest first."""
        with reading(self.engine) as connection:
            return judgements_in(connection, HISTORY, found_number(connection, task))

    def filed(self, number: int) -> FiledTask:
        """A task with all that a file has of it, of one moment.

        Raises:
            ReviewError: there is none of this number.
        """
        with reading(self.engine) as connection:
            return FiledTask(
                _task(connection, number),
                judgements_in(connection, JUDGEMENTS, number),
                judgements_in(connection, HISTORY, number),
                assignments_in(connection, [number]),
                gold_in(connection, [number]),
            )

    def save(self, task: Task, judgement: Judgement) -> Judgement:
        """Save a judgement; it carries the revision that was read before (0: there was none).

        A task that isn't in the database, or no longer, is made, but for one of a study.

        Returns:
            What is now in the database: the judgement with its new revision and time.

        Raises:
            ReviewError: it is no valid judgement of this task, or of a study that was deleted.
            LimitError: its comment or name is too long.
            ConflictError: another session has saved this judgement since; nothing was written.
            NotAllowedError: it is another person's, a ruling and the visitor no lead, or one person has both voted
                on the pair and settled it.
        """
        new = checked(judgement, task.left, task.right)
        new = replace(new, revision=judgement.revision + 1, saved=now())

        def write(connection: sa.Connection) -> Judgement:
            check_judging(connection, self.visitor, new)
            there = opened_task(connection, task)
            mine = replace(new, person=kept_person(connection, new.person))
            check_pair(mine, there.fixed)
            check_impartial(connection, there, mine)
            if not written(connection, there, mine):
                kept = judgements_in(connection, JUDGEMENTS, there.number)
                raise ConflictError(
                    _conflict(mine), next((each for each in kept if each.key == mine.key), None)
                )
            return mine

        return written_by(self.engine, write)

    def save_all(self, filed: Iterable[FiledTask], *, replacing: bool) -> Counts:
        """Save many, in short transactions between which others write: for an import.

        Args:
            filed: judgements by task, without regard to their revisions; a task that isn't in the database is
                made, with the history that is given for it.
            replacing: whether a judgement that differs from what is there takes its place (the history keeps
                both).

        Raises:
            ReviewError: one of them, or a task's name, is not valid; those before it are written.
            LimitError: a text is too long; likewise.
            DatabaseError: likewise; says how many are written.
            NotAllowedError: the visitor is no lead, or no longer; likewise.
        """
        return save_in_chunks(self.engine, self.visitor, filed, replacing=replacing, saved=now())

    def delete_task(self, number: int, *, seen: int | None = None) -> Deleted:
        """Delete a task for everybody, with its judgements, their history, and maps that no other task has.

        Args:
            number: its number.
            seen: how many judgements whoever deletes it knows of; None to delete however many there are.

        Raises:
            ReviewError: there is none of this number.
            ConflictError: it has another number of judgements; nothing was deleted.
            NotAllowedError: the visitor is no lead.
        """
        with writing(self.engine) as connection:
            check_lead(connection, self.visitor, "deleting")
            # Locked, so that PostgreSQL lets nobody add to it meanwhile; SQLite has one writer at a time.
            row = connection.execute(sa.select(TASKS).filter_by(id=number).with_for_update()).first()
            if row is None:
                raise _unknown(number)
            mine = sa.select(sa.func.count()).select_from(JUDGEMENTS).filter_by(task_id=number)
            count = int(connection.execute(mine).scalar_one())
            if seen is not None and count != seen:
                raise ConflictError(
                    f"not deleted: the review has {count:,} judgements by now, not {seen:,}; look at it again",
                    count,
                )
            connection.execute(sa.delete(TASKS).where(TASKS.c.id == number))
            delete_unused_maps(connection)
        return Deleted(row.document, row.left_name, row.right_name, count)

    def delete_empty(self) -> int:
        """Delete all tasks without any judgement and of no study, in short transactions; returns how many.

        Raises:
            NotAllowedError: the visitor is no lead.
        """
        empty = sa.and_(TASKS.c.id.not_in(sa.select(JUDGEMENTS.c.task_id)), TASKS.c.study == "")
        total = 0
        while True:
            with reading(self.engine) as connection:
                some = sa.select(TASKS.c.id).where(empty).limit(DELETED_AT_ONCE)
                found = connection.execute(some).scalars().all()
            with writing(self.engine) as connection:
                if found or not total:  # once tasks are deleted, a refusal would say that they aren't
                    check_lead(connection, self.visitor, "deleting")
                if not found:
                    delete_unused_maps(connection)
                    return total
                gone = sa.delete(TASKS).where(TASKS.c.id.in_(found), empty).returning(TASKS.c.id)
                total += len(connection.execute(gone).all())


def _task(connection: sa.Connection, number: int) -> Task:
    row = connection.execute(sa.select(TASKS).filter_by(id=number)).first()
    if row is None:
        raise _unknown(number)
    return task_of_row(row, *maps_of(connection, row))


def _unknown(number: int) -> ReviewError:
    return ReviewError(f"there is no task {number} in the database; choose another")


def _conflict(judgement: Judgement) -> str:
    whose = "your" if judgement.role == REVIEWER else "the adjudicator's"
    return (
        f"not saved: {whose} judgement of this pair was changed in another window since it was read here; look at "
        "it and save again if yours shall stand"
    )


def now() -> str:
    """The time as it is kept: UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
