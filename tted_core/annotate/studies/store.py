"""Studies in the database of the reviews: made once by a lead, and read by all who work on them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sa

from tted_core.annotate.agreement import AnnotatedDocument
from tted_core.annotate.reviews import ANNOTATOR, Assignment, ReviewStore, Study, Task, blind_votes
from tted_core.annotate.reviews.database import reading, writing
from tted_core.annotate.reviews.rights import OPERATOR, Visitor, check_lead, check_writing
from tted_core.annotate.reviews.schema import HISTORY, JUDGEMENTS
from tted_core.annotate.reviews.store import now
from tted_core.annotate.reviews.study_rows import (
    assign,
    assignments_in,
    change_study,
    checked_study,
    delete_study,
    judgements_of_study,
    make_study,
    mark_opened,
    saved_times,
    studies_in,
)
from tted_core.annotate.studies.votes import Judged
from tted_core.formats import MindMap


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
        with writing(self.engine) as connection:
            check_lead(connection, self.visitor, "making a study")
            make_study(connection, new, tasks)
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
            change_study(connection, new)

    def assignments(self, study: str) -> tuple[Assignment, ...]:
        """All of a study, by person and place."""
        with reading(self.engine) as connection:
            return assignments_in(connection, study)

    def assign(self, study: str, assignments: Iterable[Assignment]) -> None:
        """Let these be all assignments of a study; what was judged stays, whoever has judged it.

        Raises:
            ReviewError: one is of no task of this study, or a name is there twice.
        """
        with writing(self.engine) as connection:
            check_lead(connection, self.visitor, "assigning")
            assign(connection, study, assignments)

    def look_at(self, task: Task, person: str) -> None:
        """Remember that somebody has opened a task of theirs; the first time counts."""
        with writing(self.engine) as connection:
            check_writing(connection, self.visitor)
            mark_opened(connection, task, person, now())

    def judged(self, study: str) -> tuple[Judged, ...]:
        """All tasks of a study with their judgements."""
        tasks = ReviewStore(self.engine).tasks(study=study)
        with reading(self.engine) as connection:
            said, ever = (judgements_of_study(connection, table, study) for table in (JUDGEMENTS, HISTORY))
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
        with reading(self.engine) as connection:
            return saved_times(connection, study, ANNOTATOR)

    def delete(self, study: str, *, seen: int) -> None:
        """Delete a study with its tasks, judgements and their history.

        Raises:
            ReviewError: there is none of this name.
            ConflictError: it has another number of judgements than were ``seen``; nothing was deleted.
        """
        with writing(self.engine) as connection:
            check_lead(connection, self.visitor, "deleting a study")
            delete_study(connection, study, seen)
