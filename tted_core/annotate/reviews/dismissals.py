"""Findings of the checks that are not to be shown again, kept in the database of the reviews."""

from datetime import UTC, datetime

import sqlalchemy as sa

from tted_core.annotate.checks import Finding
from tted_core.annotate.reviews.database import reading, writing
from tted_core.annotate.reviews.people import check_writing
from tted_core.annotate.reviews.rows import insert_new
from tted_core.annotate.reviews.schema import DISMISSALS
from tted_core.annotate.reviews.store import ReviewStore


def dismissed(store: ReviewStore) -> frozenset[str]:
    """The keys of all dismissed findings."""
    with reading(store.engine) as connection:
        return frozenset(connection.execute(sa.select(DISMISSALS.c.key)).scalars())


def dismiss(store: ReviewStore, finding: Finding) -> None:
    """Let a finding be, for everybody and in every map that has it; once is enough.

    Raises:
        NotAllowedError: the store's visitor is a reader.
    """
    row = {
        "key": finding.key,
        "finding": f"{finding.check}: {finding.text}",
        "saved": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    with writing(store.engine) as connection:
        check_writing(connection, store.visitor)
        connection.execute(insert_new(connection, DISMISSALS).values(row).on_conflict_do_nothing())


def restore(store: ReviewStore, keys: frozenset[str]) -> None:
    """Show these findings again.

    Raises:
        NotAllowedError: the store's visitor is a reader.
    """
    with writing(store.engine) as connection:
        check_writing(connection, store.visitor)
        connection.execute(sa.delete(DISMISSALS).where(DISMISSALS.c.key.in_(keys)))
