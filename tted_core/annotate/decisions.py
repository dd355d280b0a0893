"""Findings that an annotator has dismissed, in one SQLite file, by the digest of the map that they are in."""

import os
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import platformdirs

from tted_core.errors import DatabaseError

TABLE = (
    "CREATE TABLE IF NOT EXISTS dismissed (map TEXT, finding TEXT, PRIMARY KEY (map, finding)) WITHOUT ROWID"
)


def dismissed(digest: str) -> frozenset[str]:
    """Return the keys of the dismissed findings of a map (``TextTree.digest``)."""
    if not _file().exists():  # made by the first finding that is dismissed
        return frozenset()
    with _transaction() as connection:
        rows = connection.execute("SELECT finding FROM dismissed WHERE map = ?", (digest,))
        return frozenset(finding for (finding,) in rows)


def dismiss(digest: str, finding: str) -> None:
    """Dismiss the finding with this key; dismissing it again changes nothing."""
    with _transaction() as connection:
        connection.execute("INSERT OR IGNORE INTO dismissed VALUES (?, ?)", (digest, finding))


def restore(digest: str, findings: Collection[str]) -> None:
    """Show the findings with these keys again."""
    with _transaction() as connection:
        connection.executemany(
            "DELETE FROM dismissed WHERE map = ? AND finding = ?", ((digest, finding) for finding in findings)
        )


def _file() -> Path:
    chosen = os.environ.get("TTED_DECISIONS")
    return (
        Path(chosen) if chosen else platformdirs.user_data_path("tted", appauthor=False) / "decisions.sqlite"
    )


@contextmanager
def _transaction() -> Iterator[sqlite3.Connection]:
    """Open the file, made for its owner's eyes alone, and commit at the end, or roll back."""
    file = _file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            with connection:
                connection.execute(TABLE)
                yield connection
    except (OSError, sqlite3.Error) as error:
        raise DatabaseError(
            f"the file of decisions {str(file)!r} can't be used ({error}); let TTED_DECISIONS name another"
        ) from error
