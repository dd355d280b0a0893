"""Findings of the checks that somebody looked at and let be."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Add the table of dismissed findings."""
    op.create_table(
        "dismissals",
        sa.Column("key", sa.String(16), primary_key=True),
        sa.Column("finding", sa.Text, nullable=False),
        sa.Column("saved", sa.String(40), nullable=False),
    )
