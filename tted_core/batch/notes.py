"""Notes on pairs of a batch, a mark and a comment each, in an SQLite database beside the results.

Several people may look at the same results. Each note is a row of its own with a revision, so that nobody
replaces a note that they have not seen. Notes that an older version kept in ``notes.json`` are imported when the
database is made; a file that can't be read is renamed (``unreadable_notes``).
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tted_core.batch.parts import open_unlinked, read_parts
from tted_core.errors import ConflictError, OptionsError
from tted_core.foundations.limits import MAX_COMMENT_CHARACTERS, check_limit
from tted_core.foundations.registry import lookup
from tted_core.words.splitting import without_surrogates

if TYPE_CHECKING:
    import pyarrow as pa

DATABASE = "notes.sqlite"
OLDER = "notes.json"
UNREADABLE = "notes-unreadable.json"

WAIT_SECONDS = 10.0
"""For so long a writer waits for another one."""

SCHEMA = """
CREATE TABLE notes (
    revision INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL, left_map TEXT NOT NULL, right_map TEXT NOT NULL,
    mark TEXT NOT NULL, comment TEXT NOT NULL,
    UNIQUE (id, left_map, right_map)
)
"""
"""A note that is written anew gets a revision that no note has had before."""

MARKS = {"right": "✓", "wrong": "✗", "unsure": "?"}
"""What may be said of a pair, with its sign."""

COLUMNS = ("mark", "comment")

Pair: TypeAlias = tuple[str, str, str]
"""A pair's id and the names of its maps: what stands in its rows, whatever the setting."""


@dataclass(frozen=True)
class Note:
    """A mark and a comment on one pair, both empty for none.

    ``revision`` tells whether somebody has changed the note since it was read; 0 where there is none.
    """

    mark: str = ""
    comment: str = ""
    revision: int = field(default=0, compare=False)


def read_notes(folder: Path) -> dict[Pair, Note]:
    """All notes in a folder of results.

    Raises:
        OptionsError: the notes can't be read.
    """
    if not (folder / DATABASE).exists() and not (folder / OLDER).exists():
        return {}
    try:
        with _transaction(folder, "DEFERRED") as database:
            rows = database.execute("SELECT id, left_map, right_map, mark, comment, revision FROM notes")
            return {(name, left, right): Note(*note) for name, left, right, *note in rows}
    except sqlite3.Error as error:
        if not (folder / DATABASE).exists():  # nothing can be written there
            return _older_notes(folder)
        raise OptionsError(
            f"the notes in {DATABASE} can't be read ({error}); mend or remove the file"
        ) from error


def write_note(folder: Path, pair: Pair, note: Note, *, seen: Note | None = None) -> Note:
    """Write a note on a pair, in place of the one before; an empty one removes it.

    Args:
        folder: the folder of results.
        pair: the pair.
        note: the mark and the comment to keep.
        seen: the note that it takes the place of; None replaces any.

    Returns:
        The note with its new revision.

    Raises:
        ConflictError: the pair's note isn't ``seen`` any more; knows the one that is there.
        UnknownNameError: no such mark.
        LimitError: the comment is too long.
        OptionsError: the note can't be written.
    """
    if note.mark:
        lookup(MARKS, note.mark, "mark")
    check_limit(len(note.comment), MAX_COMMENT_CHARACTERS, "characters in the comment", "shorten it")
    note = Note(note.mark, without_surrogates(note.comment))
    try:
        with _transaction(folder, "IMMEDIATE") as database:
            now = _note(database, pair)
            if now == note:
                return now
            if seen is not None and seen.revision != now.revision:
                raise ConflictError(_conflict(now), now)
            database.execute("DELETE FROM notes WHERE id = ? AND left_map = ? AND right_map = ?", pair)
            return note if note == Note() else _inserted(database, pair, note)
    except sqlite3.Error as error:
        raise OptionsError(
            f"the note can't be kept with the results ({error}); make their folder writable, or copy it to one "
            "that is"
        ) from error


def unreadable_notes(folder: Path) -> str:
    """The name of a file of older notes that could not be read and was set aside; empty if there is none."""
    return UNREADABLE if (folder / UNREADABLE).exists() else ""


def noted_parts(folder: Path) -> Iterator["pa.Table"]:
    """All parts of a folder of results, with two further columns where something is noted, mark and comment.

    Raises:
        OptionsError: the notes can't be read.
    """
    import pyarrow as pa

    notes = read_notes(folder)
    for table in read_parts(folder):
        if not notes:
            yield table
            continue
        found = [notes.get(pair, Note()) for pair in pairs_in(table)]
        noted = {"mark": [each.mark for each in found], "comment": [each.comment for each in found]}
        for name in COLUMNS:
            table = table.append_column(  # noqa: PLW2901
                _free(name, table.column_names), pa.array(noted[name], pa.string())
            )
        yield table


def pairs_in(table: "pa.Table") -> list[Pair]:
    """The pair of each row."""
    columns: list[list[Any]] = [table[name].to_pylist() for name in ("id", "left", "right")]
    return list(zip(*columns, strict=True))


@contextmanager
def _transaction(folder: Path, kind: Literal["DEFERRED", "IMMEDIATE"]) -> Iterator[sqlite3.Connection]:
    """A transaction to read (deferred) or to write in (immediate); makes the database where there is none."""
    if (folder / DATABASE).is_symlink():
        raise OptionsError(f"{DATABASE} is a link, which is not followed; copy the file in its place")
    with closing(sqlite3.connect(folder / DATABASE, timeout=WAIT_SECONDS, isolation_level=None)) as database:
        if not _is_made(database):
            with database:
                database.execute("BEGIN IMMEDIATE")
                if not _is_made(database):  # by another session meanwhile
                    _make(database, folder)
        with database:
            database.execute(f"BEGIN {kind}")
            yield database


def _is_made(database: sqlite3.Connection) -> bool:
    return bool(database.execute("PRAGMA user_version").fetchone()[0])


def _make(database: sqlite3.Connection, folder: Path) -> None:
    """Make the table, and import what an older version has kept: in one transaction, so once."""
    database.execute(SCHEMA)
    try:
        older = _older_notes(folder)
    except OptionsError:
        (folder / OLDER).replace(folder / UNREADABLE)
        older = {}
    for pair, note in older.items():
        _inserted(database, pair, note)
    database.execute("PRAGMA user_version = 1")


def _older_notes(folder: Path) -> dict[Pair, Note]:
    """The notes of ``notes.json``.

    Raises:
        OptionsError: the file can't be read.
    """

    def clean(value: object) -> str:
        return without_surrogates(str(value))

    try:
        with open_unlinked(folder / OLDER) as file:
            told = json.loads(file.read())["notes"]
        return {
            (clean(each["id"]), clean(each["left"]), clean(each["right"])): Note(
                clean(each["mark"]), clean(each["comment"])
            )
            for each in told
        }
    except FileNotFoundError:
        return {}
    except (OptionsError, OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise OptionsError(
            f"the notes in {OLDER} can't be read ({error}); mend or remove the file"
        ) from error


def _note(database: sqlite3.Connection, pair: Pair) -> Note:
    row = database.execute(
        "SELECT mark, comment, revision FROM notes WHERE id = ? AND left_map = ? AND right_map = ?", pair
    ).fetchone()
    return Note(*row) if row else Note()


def _inserted(database: sqlite3.Connection, pair: Pair, note: Note) -> Note:
    row = database.execute(
        "INSERT INTO notes (id, left_map, right_map, mark, comment) VALUES (?, ?, ?, ?, ?)",
        (*pair, note.mark, note.comment),
    )
    assert row.lastrowid is not None
    return Note(note.mark, note.comment, row.lastrowid)


def _conflict(now: Note) -> str:
    if now == Note():
        what = "removed the note on this pair"
    else:
        mark = f"marked this pair {now.mark}" if now.mark else "left this pair without a mark"
        what = mark + (f' with the comment "{now.comment}"' if now.comment else " without a comment")
    return f"somebody else has {what} since you opened it; nothing was saved, repeat your change if it still holds"


def _free(name: str, taken: Sequence[str]) -> str:
    """The name, or where the input has a column of that name, another."""
    while name in taken:
        name += "_noted"
    return name
