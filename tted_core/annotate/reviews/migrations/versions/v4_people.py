"""The people of a team; names that differ in capitals only become one person's."""

import sqlalchemy as sa
from alembic import op

from tted_core.annotate.reviews.records import name_key

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Make the table of whoever has judged, each under the spelling that was used first."""
    people = op.create_table(
        "people",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("name_key", sa.Text, nullable=False, unique=True),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("email", sa.String(320), unique=True),
        sa.Column("subject", sa.String(255), unique=True),
        sa.Column("token_hash", sa.String(64), unique=True),
    )
    first: dict[str, str] = {}
    for spelling in _spellings():
        name = first.setdefault(name_key(spelling), spelling)
        if name != spelling:
            _rename(spelling, name)
    if first:
        op.bulk_insert(
            people, [{"name": name, "name_key": key, "role": "annotator"} for key, name in first.items()]
        )


def _spellings() -> list[str]:
    """Every name in the history, which has all judgements, the oldest first."""
    query = sa.text("SELECT person FROM history GROUP BY person ORDER BY MIN(id)")
    return list(op.get_bind().execute(query).scalars())


def _rename(spelling: str, name: str) -> None:
    """Make one person's of two; of two judgements of one pair the later one holds, and the history keeps both."""
    connection, both = op.get_bind(), {"spelling": spelling, "name": name}
    same = "b.task_id = a.task_id AND b.source = a.source AND b.target = a.target AND b.role = a.role"
    for goes, stays, when in (("spelling", "name", "<="), ("name", "spelling", "<")):
        connection.execute(
            sa.text(
                "DELETE FROM judgements WHERE id IN (SELECT a.id FROM judgements a JOIN judgements b "  # noqa: S608
                f"ON {same} AND a.saved {when} b.saved "
                f"WHERE a.role = 'annotator' AND a.person = :{goes} AND b.person = :{stays})"
            ),
            both,
        )
    for table in ("judgements", "history"):
        connection.execute(
            sa.text(f"UPDATE {table} SET person = :name WHERE person = :spelling"),  # noqa: S608 - constants
            both,
        )
