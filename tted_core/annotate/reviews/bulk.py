"""Many judgements at once: an import writes in chunks, and lets others write in between."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from tted_core.annotate.reviews.database import written_by
from tted_core.annotate.reviews.people import Visitor, check_lead
from tted_core.annotate.reviews.records import (
    NEW,
    Assignment,
    FiledTask,
    Judgement,
    Task,
    check_fixed,
    check_pair,
    checked,
    clean_name,
)
from tted_core.annotate.reviews.rows import (
    found_task,
    judgements_in,
    kept_person,
    opened_task,
    row_for,
    row_of,
    written,
)
from tted_core.annotate.reviews.schema import ASSIGNMENTS, GOLD, HISTORY, JUDGEMENTS
from tted_core.errors import DatabaseError

CHUNK = 500
"""Judgements in one transaction: some hundredths of a second, of the seconds that others wait."""

LONGEST_PAUSE = 0.5
"""Seconds between two chunks in SQLite, at most; otherwise as long as the chunk took."""


@dataclass(frozen=True)
class Counts:
    """Judgements that were added, that were there already, and that differ from what is there."""

    added: int = 0
    same: int = 0
    different: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        """The sum of each."""
        return Counts(self.added + other.added, self.same + other.same, self.different + other.different)


def save_in_chunks(
    engine: sa.Engine, visitor: Visitor, filed: Iterable[FiledTask], *, replacing: bool, saved: str
) -> Counts:
    """Save judgements by task; ``saved`` is the time of those that have none (see ``ReviewStore.save_all``)."""
    total = Counts()
    for chunk in _chunks(filed):
        start = time.monotonic()
        try:
            total += _save_chunk(engine, visitor, chunk, replacing=replacing, saved=saved)
        except DatabaseError as error:
            done = total.added + total.different * replacing
            raise DatabaseError(
                f"{error}; {done:,} judgements are in it already, and the others follow then"
            ) from error
        if engine.dialect.name == "sqlite":  # where who waits only looks from time to time whether it's free
            time.sleep(min(time.monotonic() - start, LONGEST_PAUSE))
    return total


def _chunks(filed: Iterable[FiledTask]) -> Iterator[list[FiledTask]]:
    """Tasks in groups of about ``CHUNK`` judgements; one with a history stays whole, for it is new or not."""
    chunk: list[FiledTask] = []
    size = 0
    for each in filed:
        for piece in [each] if each.history else _pieces(each):
            chunk.append(piece)
            size += 1 + len(piece.judgements) + len(piece.history)
            if size >= CHUNK:
                yield chunk
                chunk, size = [], 0
    if chunk:
        yield chunk


def _pieces(filed: FiledTask) -> Iterator[FiledTask]:
    for start in range(0, max(len(filed.judgements), 1), CHUNK):  # a study's task may have none
        yield replace(filed, judgements=filed.judgements[start : start + CHUNK])


def _save_chunk(
    engine: sa.Engine, visitor: Visitor, chunk: Sequence[FiledTask], *, replacing: bool, saved: str
) -> Counts:
    def save(connection: sa.Connection) -> Counts:
        check_lead(connection, visitor, "importing")
        each_of_them = (_save_task(connection, each, replacing=replacing, saved=saved) for each in chunk)
        return sum(each_of_them, Counts())

    return written_by(engine, save)


def _save_task(connection: sa.Connection, filed: FiledTask, *, replacing: bool, saved: str) -> Counts:
    known = found_task(connection, filed.task)
    filed = _with_kept_people(connection, filed)
    check_fixed(filed.task, known)
    task = opened_task(connection, known)
    if known.number == NEW:
        people = {each.person: row_for(task.number, each) for each in filed.assignments}
        _insert(connection, list(people.values()), ASSIGNMENTS)
        pairs = {each.pair: row_for(task.number, each) for each in filed.gold}
        _insert(connection, list(pairs.values()), GOLD)
        if filed.history and filed.judgements:
            return _restore(connection, task, filed)
    there = {each.key: each for each in judgements_in(connection, JUDGEMENTS, task.number)}
    added = same = different = 0
    fresh: list[dict[str, Any]] = []
    for judgement in filed.judgements:
        new = checked(judgement, task.left, task.right)
        check_pair(new, task.fixed)
        old = there.get(new.key)
        if old is not None and old.content == new.content:
            same += 1
            continue
        added += old is None
        different += old is not None
        if old is None:
            there[new.key] = new = replace(new, revision=1, saved=new.saved or saved)
            fresh.append(row_of(task, new))
        elif replacing:
            _insert(connection, fresh, JUDGEMENTS, HISTORY)
            fresh = []
            new = replace(new, revision=old.revision + 1, saved=new.saved or saved)
            if written(connection, task, new):
                there[new.key] = new
    _insert(connection, fresh, JUDGEMENTS, HISTORY)
    return Counts(added, same, different)


def _restore(connection: sa.Connection, task: Task, filed: FiledTask) -> Counts:
    """Write the judgements of a new task with their revisions, and their history, as they are."""
    rows = {each.key: each for each in (checked(each, task.left, task.right) for each in filed.judgements)}
    history = [checked(each, task.left, task.right) for each in filed.history]
    connection.execute(sa.insert(JUDGEMENTS), [row_of(task, each) for each in rows.values()])
    connection.execute(sa.insert(HISTORY), [row_of(task, each) for each in history])
    return Counts(added=len(rows), same=len(filed.judgements) - len(rows))


def _with_kept_people(connection: sa.Connection, filed: FiledTask) -> FiledTask:
    """The same with every name as it is kept: in a file too, "anna" and "Anna" are one person."""
    said: tuple[Judgement | Assignment, ...] = (*filed.judgements, *filed.history, *filed.assignments)
    typed = {each.person: clean_name(each.person, "the reviewer's name") for each in said}
    names = {name: kept_person(connection, clean) for name, clean in typed.items()}
    return replace(
        filed,
        judgements=tuple(replace(each, person=names[each.person]) for each in filed.judgements),
        history=tuple(replace(each, person=names[each.person]) for each in filed.history),
        assignments=tuple(replace(each, person=names[each.person]) for each in filed.assignments),
    )


def _insert(connection: sa.Connection, rows: list[dict[str, Any]], *tables: sa.Table) -> None:
    for table in tables if rows else ():
        connection.execute(sa.insert(table), rows)
