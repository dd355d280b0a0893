"""Whoever judges a mapping is a "reviewer", no longer an "annotator"; and settled pairs that are hidden checks."""

import sqlalchemy as sa
from alembic import op

revision = "7"
down_revision = "6"


def upgrade() -> None:
    """Rename the role wherever it is kept, and make the table of hidden checks."""
    op.drop_index("one_per_annotator", "judgements")
    for table in ("people", "judgements", "history"):
        op.execute(f"UPDATE {table} SET role = 'reviewer' WHERE role = 'annotator'")  # noqa: S608 - constants
    with op.batch_alter_table("judgements") as judgements:
        judgements.alter_column(
            "role", existing_type=sa.String(20), existing_nullable=False, server_default="reviewer"
        )
    condition = sa.text("role = 'reviewer'")
    op.create_index(
        "one_per_reviewer",
        "judgements",
        ["task_id", "person", "source", "target"],
        unique=True,
        sqlite_where=condition,
        postgresql_where=condition,
    )
    op.create_table(
        "gold",
        sa.Column("task_id", sa.Integer, sa.ForeignKey("tasks.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("source", sa.Integer, primary_key=True),
        sa.Column("target", sa.Integer, primary_key=True),
        sa.Column("decision", sa.String(20), nullable=False),
        sa.Column("partner", sa.Integer),
        sa.Column("person", sa.String(200), nullable=False),
        sa.Column("saved", sa.String(40), nullable=False),
    )
