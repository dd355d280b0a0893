"""Studies in the database: what is to be judged, by whom and in which order, by what guidelines and until when."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace

import sqlalchemy as sa

from tted_core.annotate.agreement import AnnotatedDocument
from tted_core.annotate.reviews.adjudication import Judged, blind_votes, outcomes
from tted_core.annotate.reviews.database import reading, writing
from tted_core.annotate.reviews.people import OPERATOR, Visitor, check_lead, check_writing
from tted_core.annotate.reviews.records import (
    ADJUDICATOR,
    NEW,
    REVIEWER,
    UNDECIDED,
    Assignment,
    Gold,
    Judgement,
    Study,
    Subject,
    Task,
    checked_study,
    clean_name,
)
from tted_core.annotate.reviews.rows import (
    assignments_in,
    columns_of,
    delete_unused_maps,
    gold_in,
    insert_new,
    judgements_in,
    kept_person,
    of_subject,
    opened_task,
    row_for,
    tasks_of,
)
from tted_core.annotate.reviews.schema import ASSIGNMENTS, GOLD, HISTORY, JUDGEMENTS, STUDIES
from tted_core.annotate.reviews.store import ReviewStore, now
from tted_core.errors import ConflictError, ReviewError
from tted_core.formats import MindMap
from tted_core.foundations.limits import MAX_STUDY_MAPPINGS, check_limit


@dataclass(frozen=True)
class Overruled:
    """A vote, in the task of this number, that a lead's ruling differs from."""

    task: int
    vote: Judgement
    ruling: Judgement


@dataclass(frozen=True)
class Studies:
    """All studies in one database, for one visitor. Every method may raise ``DatabaseError``.

    Every method that writes, but ``look_at``, raises ``NotAllowedError`` where the visitor is no lead.
    """

    engine: sa.Engine
    visitor: Visitor = OPERATOR

    def all(self) -> tuple[Study, ...]:
        """All of them, the newest first."""
        with reading(self.engine) as connection:
            return studies_in(connection)

    def make(self, study: Study, tasks: Sequence[Task]) -> Study:
        """Put a new study and all its tasks into the database, or none of it.

        Raises:
            ReviewError: there is one of this name, no task, or the study isn't valid.
            LimitError: a text is too long, or there are too many tasks.
        """
        new = replace(checked_study(study), made=now())
        if not tasks:
            raise ReviewError("a study needs mappings to judge; give a document with two maps")
        check_limit(len(tasks), MAX_STUDY_MAPPINGS, "mappings in the study", "make two studies of them")
        with writing(self.engine) as connection:
            check_lead(connection, self.visitor, "making a study")
            if not restore_study(connection, new):
                raise ReviewError(f"there is a study called {new.name!r} already; choose another name")
            for task in tasks:
                opened_task(connection, replace(task, number=NEW, study=new.name))
        return new

    def change(self, study: Study) -> None:
        """Give a study other guidelines and another deadline.

        Raises:
            ReviewError: there is none of this name, or it isn't valid.
            LimitError: a text is too long.
        """
        new = checked_study(study)
        with writing(self.engine) as connection:
            check_lead(connection, self.visitor, "changing a study")
            _lock_study(connection, new.name)
            values = {"guidelines": new.guidelines, "deadline": new.deadline}
            connection.execute(sa.update(STUDIES).filter_by(name=new.name).values(**values))

    def delete(self, study: str, *, seen: int) -> None:
        """Delete a study with its tasks, judgements and their history.

        Raises:
            ReviewError: there is none of this name.
            ConflictError: it has another number of judgements than were ``seen``; nothing was deleted.
        """
        with writing(self.engine) as connection:
            check_lead(connection, self.visitor, "deleting a study")
            _lock_study(connection, study)
            mine = JUDGEMENTS.c.task_id.in_(tasks_of(study))
            count = int(connection.execute(sa.select(sa.func.count()).where(mine)).scalar_one())
            if count != seen:
                raise ConflictError(
                    f"not deleted: the study has {count:,} judgements by now, not {seen:,}; look at it again",
                    count,
                )
            connection.execute(sa.delete(STUDIES).filter_by(name=study))
            delete_unused_maps(connection)

    def assignments(self, study: str) -> tuple[Assignment, ...]:
        """All of a study, by person and place."""
        with reading(self.engine) as connection:
            return assignments_in(connection, tasks_of(study))

    def assign(self, study: str, assignments: Iterable[Assignment]) -> None:
        """Let these be all assignments of a study; what was judged stays, whoever has judged it.

        Raises:
            ReviewError: one is of no task of this study, a name is there twice, or there is no such study.
        """
        with writing(self.engine) as connection:
            check_lead(connection, self.visitor, "assigning")
            _lock_study(connection, study)
            known = list(connection.execute(tasks_of(study)).scalars())
            rows, names = [], {}
            for each in assignments:
                if each.task not in known:
                    raise ReviewError(f"task {each.task} is none of the study {study!r}; look at it again")
                if each.person not in names:
                    typed = clean_name(each.person, "the reviewer's name")
                    names[each.person] = kept_person(connection, typed)
                rows.append({**row_for(each.task, each), "person": names[each.person]})
            if len({(row["task_id"], row["person"]) for row in rows}) < len(rows):
                raise ReviewError("two of the reviewers' names are one person's; give each once")
            connection.execute(sa.delete(ASSIGNMENTS).where(ASSIGNMENTS.c.task_id.in_(known)))
            if rows:
                connection.execute(sa.insert(ASSIGNMENTS), rows)

    def gold(self, study: str) -> tuple[Gold, ...]:
        """The hidden checks of a study."""
        with reading(self.engine) as connection:
            return gold_in(connection, tasks_of(study))

    def mark_gold(self, task: Task, pair: Subject, *, gold: bool = True) -> None:
        """Make a settled pair a hidden check with what holds of it now, or an ordinary pair again.

        Raises:
            ReviewError: it is the mapping as a whole, or nothing holds of it yet.
        """
        if pair == (None, None):
            raise ReviewError("the verdict on a whole mapping can't be a hidden check; mark pairs of nodes")
        with writing(self.engine) as connection:
            check_lead(connection, self.visitor, "marking hidden checks")
            found = {each.pair: each for each in outcomes(judgements_in(connection, JUDGEMENTS, task.number))}
            final = found[pair].final if pair in found else None
            if gold and final is None:
                raise ReviewError("nothing holds of this pair yet; settle it, and mark it then")
            connection.execute(sa.delete(GOLD).where(*of_subject(GOLD, task.number, pair)))
            if gold and final is not None:
                marked = Gold(
                    task.number, *pair, final.decision, final.partner, self.visitor.name or "", now()
                )
                connection.execute(sa.insert(GOLD).values(row_for(task.number, marked)))

    def overruled(self, person: str) -> tuple[Overruled, ...]:
        """Rulings that differ from a person's votes, in mappings of which all of their votes are in."""
        tasks = ReviewStore(self.engine).tasks(assigned_to=person)
        open_to_them = {each.number for each in tasks if each.decided.get(person, 0) >= (each.pairs or 0)}
        vote, ruling = JUDGEMENTS.alias("vote"), JUDGEMENTS.alias("ruling")
        same = [vote.c[name] == ruling.c[name] for name in ("task_id", "source", "target")]
        chosen = (
            sa.select(vote.c.task_id, *columns_of(vote, Judgement), *columns_of(ruling, Judgement))
            .select_from(vote.join(ruling, sa.and_(*same)))
            .where(
                vote.c.role == REVIEWER,
                vote.c.person == person,
                vote.c.decision != UNDECIDED,
                vote.c.task_id.in_(open_to_them),
                ruling.c.role == ADJUDICATOR,
                ruling.c.decision != UNDECIDED,
            )
        )
        with reading(self.engine) as connection:
            rows = [tuple(row) for row in connection.execute(chosen.order_by(vote.c.task_id, vote.c.id))]
        width = len(fields(Judgement))
        found = [(row[0], Judgement(*row[1 : width + 1]), Judgement(*row[width + 1 :])) for row in rows]
        return tuple(Overruled(*each) for each in found if each[1].content[:2] != each[2].content[:2])

    def look_at(self, task: Task, person: str) -> None:
        """Remember that somebody has opened a task of theirs; the first time counts."""
        mine = (
            ASSIGNMENTS.c.task_id == task.number,
            ASSIGNMENTS.c.person == person,
            ASSIGNMENTS.c.opened == "",
        )
        with writing(self.engine) as connection:
            check_writing(connection, self.visitor)
            connection.execute(sa.update(ASSIGNMENTS).where(*mine).values(opened=now()))

    def judged(self, study: str) -> tuple[Judged, ...]:
        """All tasks of a study with their judgements."""
        tasks = ReviewStore(self.engine).tasks(study=study)
        with reading(self.engine) as connection:
            said, ever = (_judgements(connection, table, study) for table in (JUDGEMENTS, HISTORY))
        return tuple(
            Judged(task, tuple(said.get(task.number, ())), blind_votes(ever.get(task.number, ()), task.pairs))
            for task in tasks
        )

    def documents(self, study: str) -> tuple[AnnotatedDocument, ...]:
        """The maps of a study, by document and by the names that they were given with."""
        reviews = ReviewStore(self.engine)
        maps: dict[str, dict[str, MindMap]] = {}
        for each in reviews.tasks(study=study):
            task = reviews.task(each.number)
            there = maps.setdefault(task.document, {})
            for name, tree in ((task.left_name, task.left), (task.right_name, task.right)):
                there[name] = MindMap(tree, "tree")
        return tuple(AnnotatedDocument(document, there) for document, there in maps.items())

    def times(self, study: str) -> dict[str, list[str]]:
        """By person, when each judgement was saved, the oldest first; changed ones count too."""
        chosen = (HISTORY.c.task_id.in_(tasks_of(study)), HISTORY.c.role == REVIEWER)
        query = sa.select(HISTORY.c.person, HISTORY.c.saved).where(*chosen).order_by(HISTORY.c.saved)
        times: dict[str, list[str]] = {}
        with reading(self.engine) as connection:
            for person, saved in connection.execute(query):
                times.setdefault(person, []).append(saved)
        return times


def studies_in(connection: sa.Connection) -> tuple[Study, ...]:
    """All, the newest first."""
    rows = sa.select(*columns_of(STUDIES, Study)).order_by(STUDIES.c.made.desc(), STUDIES.c.name)
    return tuple(Study(*row) for row in connection.execute(rows))


def restore_study(connection: sa.Connection, study: Study) -> bool:
    """Put a study into the database; False if there is one of its name."""
    new = insert_new(connection, STUDIES).values(**vars(study)).on_conflict_do_nothing()
    return connection.execute(new.returning(STUDIES.c.name)).first() is not None


def _lock_study(connection: sa.Connection, study: str) -> None:
    """Let nobody else write anything of a study until the transaction ends.

    Raises:
        ReviewError: there is none of this name.
    """
    if connection.execute(sa.select(STUDIES.c.name).filter_by(name=study).with_for_update()).first() is None:
        raise ReviewError(f"there is no study called {study!r}; choose another")


def _judgements(connection: sa.Connection, table: sa.Table, study: str) -> dict[int, list[Judgement]]:
    """All rows of ``JUDGEMENTS`` or ``HISTORY`` of a study, by the task's number, the oldest first."""
    mine = sa.select(table.c.task_id, *columns_of(table, Judgement)).where(
        table.c.task_id.in_(tasks_of(study))
    )
    found: dict[int, list[Judgement]] = {}
    for number, *values in connection.execute(mine.order_by(table.c.id)):
        found.setdefault(number, []).append(Judgement(*values))
    return found
