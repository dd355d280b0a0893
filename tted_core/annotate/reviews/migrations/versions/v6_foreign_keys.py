"""Foreign keys that delete what belongs to a study or a task along with it, so that nothing can outlive them."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision = "6"
down_revision = "5"

PARTS = ("judgements", "history", "assignments")
OLD = ("tasks", *PARTS)


def upgrade() -> None:
    """Give a task whose study is gone its study back, by name alone, and then make the keys."""
    op.execute("DELETE FROM history WHERE task_id NOT IN (SELECT id FROM tasks)")
    op.execute(
        "INSERT INTO studies (name, guidelines, deadline, seed, made) SELECT DISTINCT study, '', '', 0, '' "
        "FROM tasks WHERE study <> '' AND study NOT IN (SELECT name FROM studies)"
    )
    if op.get_bind().dialect.name == "sqlite":
        _rebuild()
    else:
        op.add_column("tasks", _study_name())
        for table in PARTS:
            if table != "history":  # which had none
                op.drop_constraint(f"{table}_task_id_fkey", table)
            op.create_foreign_key(None, table, "tasks", ["task_id"], ["id"], ondelete="CASCADE")
    op.create_index("judgements_of_task", "judgements", ["task_id"])


def _rebuild() -> None:
    """SQLite changes no key of a table that is there: copy the rows out, make the tables anew, copy them in."""
    bind = op.get_bind()
    names = {table: [each["name"] for each in sa.inspect(bind).get_columns(table)] for table in OLD}
    made = bind.execute(
        sa.text(
            "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql <> '' "
            "AND tbl_name IN ('tasks', 'judgements', 'history', 'assignments')"
        )
    )
    indexes = list(made.scalars())
    for table in reversed(OLD):
        op.execute(f"CREATE TABLE old_{table} AS SELECT * FROM {table}")  # noqa: S608 - constants
        op.drop_table(table)
    op.create_table(
        "tasks",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("document", sa.String(200), nullable=False),
        sa.Column("left_digest", sa.String(64), sa.ForeignKey("maps.digest"), nullable=False),
        sa.Column("right_digest", sa.String(64), sa.ForeignKey("maps.digest"), nullable=False),
        sa.Column("left_name", sa.String(200), nullable=False),
        sa.Column("right_name", sa.String(200), nullable=False),
        sa.Column("study", sa.String(200), nullable=False, server_default=""),
        sa.Column("signature", sa.Text, nullable=False, server_default=""),
        sa.Column("pairs", sa.Integer),
        sa.Column("fixed", sa.Text),
        _study_name(),
        sa.UniqueConstraint("study", "document", "left_digest", "right_digest", name="one_task"),
    )
    op.create_table("judgements", *_judgement(role_by_default="annotator"))
    op.create_table("history", *_judgement())
    op.create_table(
        "assignments",
        sa.Column("task_id", sa.Integer, _task(), primary_key=True),
        sa.Column("person", sa.String(200), primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("opened", sa.String(40), nullable=False),
    )
    for table in OLD:
        columns = ", ".join(names[table])
        op.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM old_{table}")  # noqa: S608 - constants
        op.drop_table(f"old_{table}")
    for statement in indexes:
        op.execute(statement)


def _judgement(role_by_default: str | None = None) -> Sequence[sa.Column[object]]:
    return (
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("task_id", sa.Integer, _task(), nullable=False),
        sa.Column("role", sa.String(20), nullable=False, server_default=role_by_default),
        sa.Column("person", sa.String(200), nullable=False),
        sa.Column("source", sa.Integer, nullable=False),
        sa.Column("target", sa.Integer, nullable=False),
        sa.Column("decision", sa.String(20), nullable=False),
        sa.Column("partner", sa.Integer),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("saved", sa.String(40), nullable=False),
    )


def _task() -> sa.ForeignKey:
    return sa.ForeignKey("tasks.id", ondelete="CASCADE")


def _study_name() -> sa.Column[object]:
    """The study where there is one: a key may be NULL, and the name of no study is the empty one."""
    study = sa.ForeignKey("studies.name", ondelete="CASCADE")
    return sa.Column("study_name", sa.String(200), sa.Computed("nullif(study, '')", persisted=True), study)
