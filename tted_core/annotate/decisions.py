"""Decisions about findings and changes, in one SQLite file, by their maps."""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import platformdirs

from tted_core.errors import DatabaseError
from tted_core.foundations.files import make_private

TABLE = (
    "CREATE TABLE IF NOT EXISTS marks (scope TEXT, key TEXT, value TEXT NOT NULL, note TEXT NOT NULL, "
    "PRIMARY KEY (scope, key)) WITHOUT ROWID"
)


class Mark(NamedTuple):
    """A status of a finding, or a choice for a change, with a note."""

    value: str
    note: str = ""


def marks(scope: str) -> dict[str, Mark]:
    """Return the marks of a map (``TextTree.digest``) or of a pair of maps, by the keys of findings or changes."""
    if not _file().exists():  # made by the first mark
        return {}
    with _transaction() as connection:
        rows = connection.execute("SELECT key, value, note FROM marks WHERE scope = ?", (scope,))
        return {key: Mark(value, note) for key, value, note in rows}


def mark(scope: str, given: Mapping[str, Mark | None]) -> None:
    """Set these marks and leave the others, all or none; None removes one."""
    with _transaction() as connection:
        for key, each in given.items():
            if each is None:
                connection.execute("DELETE FROM marks WHERE scope = ? AND key = ?", (scope, key))
            else:
                connection.execute("INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?)", (scope, key, *each))


def _file() -> Path:
    chosen = os.environ.get("TTED_DECISIONS")
    return (
        Path(chosen) if chosen else platformdirs.user_data_path("tted", appauthor=False) / "decisions.sqlite"
    )


@contextmanager
def _transaction() -> Iterator[sqlite3.Connection]:
    """Open the file, and commit at the end, or roll back."""
    file = _file()
    try:
        make_private(file)
        with closing(sqlite3.connect(file, timeout=60, isolation_level=None)) as connection, connection:
            # a transaction that begins by reading can't wait for others
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(TABLE)
            yield connection
    except (OSError, sqlite3.Error) as error:
        raise DatabaseError(
            f"the file of decisions {str(file)!r} can't be used ({error}); let TTED_DECISIONS name another"
        ) from error
