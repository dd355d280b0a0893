"""Maps, tasks, and annotators' judgements."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "maps",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("content", sa.Text, nullable=False),
    )
    op.create_table(
        "tasks",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("document", sa.String(200), nullable=False),
        sa.Column("left_digest", sa.String(64), sa.ForeignKey("maps.digest"), nullable=False),
        sa.Column("right_digest", sa.String(64), sa.ForeignKey("maps.digest"), nullable=False),
        sa.Column("left_name", sa.String(200), nullable=False),
        sa.Column("right_name", sa.String(200), nullable=False),
        sa.UniqueConstraint("document", "left_digest", "right_digest", name="one_task"),
    )
    op.create_table(
        "judgements",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("task_id", sa.Integer, sa.ForeignKey("tasks.id"), nullable=False),
        sa.Column("person", sa.String(200), nullable=False),
        sa.Column("source", sa.Integer, nullable=False),
        sa.Column("target", sa.Integer, nullable=False),
        sa.Column("decision", sa.String(20), nullable=False),
        sa.Column("partner", sa.Integer),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("saved", sa.String(40), nullable=False),
    )
    op.create_index("one_per_person", "judgements", ["task_id", "person", "source", "target"], unique=True)
