"""Studies in the database: what is to be judged, by whom and in which order, by what guidelines and until when."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

import sqlalchemy as sa

from tted_core.annotate.reviews.deletion import delete_maps
from tted_core.annotate.reviews.records import NEW, Judgement, Task, clean_name, storable
from tted_core.annotate.reviews.rows import (
    found_task,
    insert_new,
    judgement_of_row,
    kept_person,
    opened_task,
)
from tted_core.annotate.reviews.schema import ASSIGNMENTS, HISTORY, JUDGEMENTS, STUDIES, TASKS
from tted_core.errors import ConflictError, ReviewError
from tted_core.limits import MAX_GUIDELINE_CHARACTERS, MAX_STUDY_MAPPINGS, check_limit


@dataclass(frozen=True)
class Study:
    """A study as a whole.

    Attributes:
        name: what it is called; there is one of each name.
        guidelines: Markdown that stands beside the work.
        deadline: the last day (ISO 8601); "" for none.
        seed: of every annotator's own order.
        made: when, in UTC.
    """

    name: str
    guidelines: str = ""
    deadline: str = ""
    seed: int = 0
    made: str = ""


@dataclass(frozen=True)
class Assignment:
    """Who is to judge a task.

    Attributes:
        task: its number.
        person: who.
        place: as the how-manieth of theirs in the study, from 0.
        opened: when they first looked at it, in UTC; "" for not yet.
    """

    task: int
    person: str
    place: int
    opened: str = ""


def checked_study(study: Study) -> Study:
    """The study with its texts cleaned.

    Raises:
        ReviewError: no name, or the deadline is no day.
        LimitError: a text is too long.
    """
    guidelines = storable(study.guidelines).strip()
    check_limit(len(guidelines), MAX_GUIDELINE_CHARACTERS, "characters in the guidelines", "shorten them")
    try:
        deadline = study.deadline and date.fromisoformat(study.deadline).isoformat()
    except ValueError as error:
        raise ReviewError(
            f"the deadline {study.deadline[:40]!r} is no day; write it as 2030-12-31"
        ) from error
    return replace(
        study, name=clean_name(study.name, "the study's name"), guidelines=guidelines, deadline=deadline
    )


def studies_in(connection: sa.Connection) -> tuple[Study, ...]:
    """All, the newest first."""
    rows = connection.execute(sa.select(STUDIES).order_by(STUDIES.c.made.desc(), STUDIES.c.name))
    return tuple(Study(row.name, row.guidelines, row.deadline, row.seed, row.made) for row in rows)


def make_study(connection: sa.Connection, study: Study, tasks: Sequence[Task]) -> None:
    """Put a new study and its tasks into the database.

    Raises:
        ReviewError: there is one of this name, or no task.
        LimitError: too many tasks.
    """
    if not tasks:
        raise ReviewError("a study needs mappings to judge; give a document with two maps")
    check_limit(len(tasks), MAX_STUDY_MAPPINGS, "mappings in the study", "make two studies of them")
    keep_study(connection, study)
    for task in tasks:
        opened_task(connection, replace(task, number=NEW, study=study.name))


def keep_study(connection: sa.Connection, study: Study) -> None:
    """Put a new study's row into the database.

    Raises:
        ReviewError: there is one of this name.
    """
    new = insert_new(connection, STUDIES).values(**vars(study)).on_conflict_do_nothing()
    if connection.execute(new.returning(STUDIES.c.name)).first() is None:
        raise ReviewError(f"there is a study called {study.name!r} already; choose another name")


def change_study(connection: sa.Connection, study: Study) -> None:
    """Write its guidelines and deadline.

    Raises:
        ReviewError: there is none of this name.
    """
    values = {"guidelines": study.guidelines, "deadline": study.deadline}
    changed = sa.update(STUDIES).filter_by(name=study.name).values(**values).returning(STUDIES.c.name)
    if connection.execute(changed).first() is None:
        raise ReviewError(f"there is no study called {study.name!r}; choose another")


def assignments_in(connection: sa.Connection, study: str) -> tuple[Assignment, ...]:
    """All of a study, by person and place."""
    of_study = sa.select(TASKS.c.id).where(TASKS.c.study == study)
    rows = connection.execute(
        sa.select(ASSIGNMENTS)
        .where(ASSIGNMENTS.c.task_id.in_(of_study))
        .order_by(ASSIGNMENTS.c.person, ASSIGNMENTS.c.place)
    )
    return tuple(Assignment(row.task_id, row.person, row.place, row.opened) for row in rows)


def assign(connection: sa.Connection, study: str, assignments: Iterable[Assignment]) -> None:
    """Let these be all assignments of a study.

    Raises:
        ReviewError: one is of no task of this study, or there is no such study.
    """
    _lock_study(connection, study)
    known = set(connection.execute(sa.select(TASKS.c.id).where(TASKS.c.study == study)).scalars())
    rows = []
    names: dict[str, str] = {}
    for each in assignments:
        if each.task not in known:
            raise ReviewError(f"task {each.task} is none of the study {study!r}; look at it again")
        if each.person not in names:
            names[each.person] = kept_person(connection, clean_name(each.person, "the annotator's name"))
        rows.append(
            {
                "task_id": each.task,
                "person": names[each.person],
                "place": each.place,
                "opened": each.opened,
            }
        )
    if len({(row["task_id"], row["person"]) for row in rows}) < len(rows):
        raise ReviewError("two of the annotators' names are one person's; give each once")
    connection.execute(
        sa.delete(ASSIGNMENTS).where(
            ASSIGNMENTS.c.task_id.in_(sa.select(TASKS.c.id).where(TASKS.c.study == study))
        )
    )
    if rows:
        connection.execute(sa.insert(ASSIGNMENTS), rows)


def mark_opened(connection: sa.Connection, task: Task, person: str, when: str) -> None:
    """Remember when somebody first looked at a task of theirs."""
    mine = ASSIGNMENTS.c.task_id == task.number, ASSIGNMENTS.c.person == person
    connection.execute(sa.update(ASSIGNMENTS).where(*mine, ASSIGNMENTS.c.opened == "").values(opened=when))


def judgements_of_study(connection: sa.Connection, table: sa.Table, study: str) -> dict[int, list[Judgement]]:
    """All rows of ``JUDGEMENTS`` or ``HISTORY`` of a study, by the task's number, the oldest first."""
    of_study = sa.select(TASKS.c.id).where(TASKS.c.study == study)
    rows = connection.execute(sa.select(table).where(table.c.task_id.in_(of_study)).order_by(table.c.id))
    found: dict[int, list[Judgement]] = {}
    for row in rows:
        found.setdefault(row.task_id, []).append(judgement_of_row(row))
    return found


def delete_study(connection: sa.Connection, study: str, seen: int) -> None:
    """Delete a study with all that belongs to it.

    Raises:
        ReviewError: there is none of this name.
        ConflictError: it has another number of judgements than were seen.
    """
    _lock_study(connection, study)
    of_study = sa.select(TASKS.c.id).where(TASKS.c.study == study)
    counted = sa.select(sa.func.count()).select_from(JUDGEMENTS).where(JUDGEMENTS.c.task_id.in_(of_study))
    judgements = int(connection.execute(counted).scalar_one())
    if judgements != seen:
        raise ConflictError(
            f"not deleted: the study has {judgements:,} judgements by now, not {seen:,}; look at it again",
            judgements,
        )
    connection.execute(sa.delete(STUDIES).where(STUDIES.c.name == study))
    delete_maps(connection)


def _lock_study(connection: sa.Connection, study: str) -> None:
    """Let nobody else write anything of a study until the transaction ends.

    Raises:
        ReviewError: there is none of this name.
    """
    if connection.execute(sa.select(STUDIES.c.name).filter_by(name=study).with_for_update()).first() is None:
        raise ReviewError(f"there is no study called {study!r}; choose another")


def saved_times(connection: sa.Connection, study: str, role: str) -> dict[str, list[str]]:
    """By person, when each judgement of a study's tasks was saved, the oldest first, changed ones too."""
    of_study = sa.select(TASKS.c.id).where(TASKS.c.study == study)
    chosen = (HISTORY.c.task_id.in_(of_study), HISTORY.c.role == role)
    times: dict[str, list[str]] = {}
    query = sa.select(HISTORY.c.person, HISTORY.c.saved).where(*chosen).order_by(HISTORY.c.saved)
    for person, saved in connection.execute(query):
        times.setdefault(person, []).append(saved)
    return times


def restore_study(connection: sa.Connection, study: Study) -> None:
    """Put a study of a file into the database, unless there is one of its name."""
    connection.execute(insert_new(connection, STUDIES).values(**vars(study)).on_conflict_do_nothing())


def restore_assignments(
    connection: sa.Connection, study: Study, assigned: Iterable[tuple[Task, Assignment]]
) -> None:
    """Put the assignments of a study in a file, whose tasks are there, into the database, unless it has some."""
    if not assignments_in(connection, study.name):
        assign(
            connection,
            study.name,
            [replace(each, task=found_task(connection, task).number) for task, each in assigned],
        )
