"""Adjudicators, of whom there is one judgement a pair, and the history of all judgements."""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"

COLUMNS = "task_id, role, person, source, target, decision, partner, comment, revision, saved"


def upgrade() -> None:
    """Add roles and the history, which begins with the judgements that are there."""
    op.add_column("judgements", sa.Column("role", sa.String(20), nullable=False, server_default="annotator"))
    op.drop_index("one_per_person", "judgements")
    for name, role, columns in (
        ("one_per_annotator", "annotator", ["task_id", "person", "source", "target"]),
        ("one_per_adjudicator", "adjudicator", ["task_id", "source", "target"]),
    ):
        condition = sa.text(f"role = '{role}'")
        op.create_index(
            name, "judgements", columns, unique=True, sqlite_where=condition, postgresql_where=condition
        )
    op.create_table(
        "history",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("task_id", sa.Integer, nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("person", sa.String(200), nullable=False),
        sa.Column("source", sa.Integer, nullable=False),
        sa.Column("target", sa.Integer, nullable=False),
        sa.Column("decision", sa.String(20), nullable=False),
        sa.Column("partner", sa.Integer),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("saved", sa.String(40), nullable=False),
    )
    op.create_index("history_of_task", "history", ["task_id"])
    op.execute(f"INSERT INTO history ({COLUMNS}) SELECT {COLUMNS} FROM judgements")  # noqa: S608 - constants
