"""Which findings of the checks are not to be shown again, in the same database as the reviews."""

from datetime import UTC, datetime

import sqlalchemy as sa

from tted_core.annotate.checks import Finding
from tted_core.annotate.reviews.database import reading, writing
from tted_core.annotate.reviews.schema import DISMISSALS


def dismissed(engine: sa.Engine) -> frozenset[str]:
    """The keys of all dismissed findings."""
    with reading(engine) as connection:
        return frozenset(connection.execute(sa.select(DISMISSALS.c.key)).scalars())


def dismiss(engine: sa.Engine, finding: Finding) -> None:
    """Let a finding be, in every map that has it; once is enough."""
    row = {
        "key": finding.key,
        "finding": f"{finding.check}: {finding.text}",
        "saved": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    with writing(engine) as connection:
        if not connection.execute(sa.select(DISMISSALS.c.key).filter_by(key=finding.key)).first():
            connection.execute(sa.insert(DISMISSALS).values(row))


def restore(engine: sa.Engine, keys: frozenset[str]) -> None:
    """Show these findings again."""
    with writing(engine) as connection:
        connection.execute(sa.delete(DISMISSALS).where(DISMISSALS.c.key.in_(keys)))
