"""The tables of a new database. A change here needs a migration in ``migrations/versions`` too."""

from sqlalchemy import (
    Column,
    Computed,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)

from tted_core.annotate.reviews.records import ADJUDICATOR, REVIEWER

NONE = -1
"""In place of a node that isn't there: a unique index would let NULL be there any number of times."""


class Node(TypeDecorator[int]):
    """The number of a node, None where there is none."""

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: object) -> int:  # noqa: ARG002 - SQLAlchemy's names
        """The number that the database has."""
        return NONE if value is None else value

    def process_result_value(self, value: int | None, dialect: object) -> int | None:  # noqa: ARG002 - as above
        """The node's."""
        return None if value == NONE else value


METADATA = MetaData()

MAPS = Table(
    "maps",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("content", Text, nullable=False),
)

TASKS = Table(
    "tasks",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("document", String(200), nullable=False),
    Column("left_digest", String(64), ForeignKey("maps.digest"), nullable=False),
    Column("right_digest", String(64), ForeignKey("maps.digest"), nullable=False),
    Column("left_name", String(200), nullable=False),
    Column("right_name", String(200), nullable=False),
    Column("study", String(200), nullable=False, server_default=""),
    Column("signature", Text, nullable=False, server_default=""),
    Column("pairs", Integer),
    Column("fixed", Text),
    Column(
        "study_name",
        String(200),
        ForeignKey("studies.name", ondelete="CASCADE"),
        Computed("nullif(study, '')", persisted=True),
    ),
    UniqueConstraint("study", "document", "left_digest", "right_digest", name="one_task"),
)
"""``fixed`` is the mapping that is judged (``fixed.text_of_fixed``); a study of "" is none (``study_name``: NULL).

A study is deleted with its tasks, and a task with its judgements, their history and its assignments.
"""

JUDGEMENTS = Table(
    "judgements",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("task_id", Integer, ForeignKey("tasks.id", ondelete="CASCADE"), nullable=False),
    Column("role", String(20), nullable=False, server_default=REVIEWER),
    Column("person", String(200), nullable=False),
    Column("source", Node, nullable=False),
    Column("target", Node, nullable=False),
    Column("decision", String(20), nullable=False),
    Column("partner", Integer),
    Column("comment", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("saved", String(40), nullable=False),
    Index("judgements_of_task", "task_id"),
)


def _one_per(name: str, role: str, *columns: str) -> None:
    condition = text(f"role = '{role}'")
    chosen = [JUDGEMENTS.c[column] for column in ("task_id", *columns, "source", "target")]
    Index(name, *chosen, unique=True, sqlite_where=condition, postgresql_where=condition)


_one_per("one_per_reviewer", REVIEWER, "person")
_one_per("one_per_adjudicator", ADJUDICATOR)

HISTORY = Table(
    "history",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("task_id", Integer, ForeignKey("tasks.id", ondelete="CASCADE"), nullable=False),
    *(Column(column.name, column.type, nullable=column.nullable) for column in JUDGEMENTS.columns[2:]),
    Index("history_of_task", "task_id"),
)
"""Every judgement as it was saved, also those that were changed since; rows are only added."""

DISMISSALS = Table(
    "dismissals",
    METADATA,
    Column("key", String(16), primary_key=True),
    Column("finding", Text, nullable=False),
    Column("saved", String(40), nullable=False),
)
"""Findings of checks that are not to be shown again: their keys, and what they said."""

PEOPLE = Table(
    "people",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False),
    Column("name_key", Text, nullable=False, unique=True),
    Column("role", String(20), nullable=False),
    Column("email", String(320), unique=True),
    Column("subject", String(255), unique=True),
    Column("token_hash", String(64), unique=True),
)
"""Who is in the team, or has judged under a name: one row a person, by ``records.name_key``.

A log-in finds them by e-mail or by the provider's subject, a personal link by the SHA-256 of its token.
"""

STUDIES = Table(
    "studies",
    METADATA,
    Column("name", String(200), primary_key=True),
    Column("guidelines", Text, nullable=False),
    Column("deadline", String(10), nullable=False),
    Column("seed", Integer, nullable=False),
    Column("made", String(40), nullable=False),
)

ASSIGNMENTS = Table(
    "assignments",
    METADATA,
    Column("task_id", Integer, ForeignKey("tasks.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(200), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("opened", String(40), nullable=False),
)
"""Who is to judge which task, at which position of their order; ``opened`` is when they first did so, or ""."""

GOLD = Table(
    "gold",
    METADATA,
    Column("task_id", Integer, ForeignKey("tasks.id", ondelete="CASCADE"), primary_key=True),
    Column("source", Node, primary_key=True),
    Column("target", Node, primary_key=True),
    Column("decision", String(20), nullable=False),
    Column("partner", Integer),
    Column("person", String(200), nullable=False),
    Column("saved", String(40), nullable=False),
)
"""Settled pairs that a lead has marked as hidden checks, with the decision that held then."""
