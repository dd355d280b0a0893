"""Studies, who is to judge what in them, and the mapping that a task fixes."""

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"

TASKS = "id, document, left_digest, right_digest, left_name, right_name"


def upgrade() -> None:
    """Make the tables; a task is now one in its study, of which the old tasks have none."""
    if op.get_bind().dialect.name == "sqlite":
        _rebuild()
    else:
        for column in _added():
            op.add_column("tasks", column)
        op.drop_constraint("one_task", "tasks")
        op.create_unique_constraint("one_task", "tasks", _identity())
    op.create_table(
        "studies",
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("guidelines", sa.Text, nullable=False),
        sa.Column("deadline", sa.String(10), nullable=False),
        sa.Column("seed", sa.Integer, nullable=False),
        sa.Column("made", sa.String(40), nullable=False),
    )
    op.create_table(
        "assignments",
        sa.Column("task_id", sa.Integer, sa.ForeignKey("tasks.id"), primary_key=True),
        sa.Column("person", sa.String(200), primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("opened", sa.String(40), nullable=False),
    )


def _rebuild() -> None:
    """SQLite changes no constraint of a table that is there, and drops none that another one refers to.

    So the judgements, which refer to the tasks, lie in a table without references meanwhile.
    """
    bind = op.get_bind()
    indexes = bind.execute(
        sa.text(
            "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'judgements' AND sql <> ''"
        )
    ).scalars()
    made = [*indexes]
    judgements = bind.execute(
        sa.text("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'judgements'")
    ).scalar_one()
    for statement in (
        "CREATE TABLE old_judgements AS SELECT * FROM judgements",
        "DROP TABLE judgements",
        f"CREATE TABLE old_tasks AS SELECT {TASKS} FROM tasks",  # noqa: S608 - constants
        "DROP TABLE tasks",
    ):
        bind.execute(sa.text(statement))
    op.create_table(
        "tasks",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("document", sa.String(200), nullable=False),
        *(
            sa.Column(name, sa.String(64), sa.ForeignKey("maps.digest"), nullable=False)
            for name in ("left_digest", "right_digest")
        ),
        sa.Column("left_name", sa.String(200), nullable=False),
        sa.Column("right_name", sa.String(200), nullable=False),
        *_added(),
        sa.UniqueConstraint(*_identity(), name="one_task"),
    )
    for statement in (
        f"INSERT INTO tasks ({TASKS}) SELECT {TASKS} FROM old_tasks",  # noqa: S608 - constants
        judgements,
        "INSERT INTO judgements SELECT * FROM old_judgements",
        "DROP TABLE old_judgements",
        "DROP TABLE old_tasks",
        *made,
    ):
        bind.execute(sa.text(statement))


def _added() -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("study", sa.String(200), nullable=False, server_default=""),
        sa.Column("signature", sa.Text, nullable=False, server_default=""),
        sa.Column("pairs", sa.Integer),
        sa.Column("fixed", sa.Text),
    )


def _identity() -> list[str]:
    return ["study", "document", "left_digest", "right_digest"]
