"""Deleting tasks, with all that belongs to them."""

from dataclasses import dataclass

import sqlalchemy as sa

from tted_core.annotate.reviews.database import reading, writing
from tted_core.annotate.reviews.rights import Visitor, check_lead
from tted_core.annotate.reviews.schema import JUDGEMENTS, MAPS, TASKS
from tted_core.errors import ConflictError, ReviewError

CHUNK = 500


@dataclass(frozen=True)
class Deleted:
    """What a deleted task was called, and how many judgements went with it."""

    document: str
    left_name: str
    right_name: str
    judgements: int


def delete_task(engine: sa.Engine, visitor: Visitor, number: int, seen: int | None) -> Deleted:
    """Delete one (see ``ReviewStore.delete_task``)."""
    with writing(engine) as connection:
        check_lead(connection, visitor, "deleting")
        # Locked, so that PostgreSQL lets nobody add to it meanwhile; SQLite has one writer at a time.
        row = connection.execute(sa.select(TASKS).filter_by(id=number).with_for_update()).first()
        if row is None:
            raise ReviewError(f"there is no task {number} in the database; choose another")
        mine = sa.select(sa.func.count()).select_from(JUDGEMENTS).filter_by(task_id=number)
        judgements = int(connection.execute(mine).scalar_one())
        if seen is not None and judgements != seen:
            raise ConflictError(
                f"not deleted: the review has {judgements:,} judgements by now, not {seen:,}; look at it again",
                judgements,
            )
        connection.execute(sa.delete(TASKS).where(TASKS.c.id == number))
        delete_maps(connection)
    return Deleted(row.document, row.left_name, row.right_name, judgements)


def delete_empty(engine: sa.Engine, visitor: Visitor) -> int:
    """Delete all of no study that have no judgement (see ``ReviewStore.delete_empty``)."""
    judged = TASKS.c.id.in_(sa.select(JUDGEMENTS.c.task_id))
    empty = sa.and_(~judged, TASKS.c.study == "")
    total = 0
    while True:
        with reading(engine) as connection:
            found = connection.execute(sa.select(TASKS.c.id).where(empty).limit(CHUNK)).scalars().all()
        with writing(engine) as connection:
            check_lead(connection, visitor, "deleting")
            if not found:
                delete_maps(connection)
                return total
            gone = sa.delete(TASKS).where(TASKS.c.id.in_(found), empty).returning(TASKS.c.id)
            total += len(connection.execute(gone).all())


def delete_maps(connection: sa.Connection) -> None:
    """Delete maps that no task has any more."""
    used = sa.union(sa.select(TASKS.c.left_digest), sa.select(TASKS.c.right_digest))
    connection.execute(sa.delete(MAPS).where(MAPS.c.digest.not_in(used)))
