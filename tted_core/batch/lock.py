"""A lock between runs: a database that one of them holds; whatever ends a process sets free what it held."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tted_core.errors import OptionsError

LOCK = "lock.sqlite"
"""The file in a folder of results that a run holds."""

BUSY = (
    "this batch is being computed already, perhaps in a tab that was closed a moment ago; go on with it in half a "
    "minute"
)


@contextmanager
def held(file: Path, busy: str, *, wait_seconds: float = 0.0) -> Iterator[None]:
    """Hold a lock for a while.

    Args:
        file: the lock's file, which is made.
        busy: the sentence for whoever finds it held.
        wait_seconds: for so long another one is waited for.

    Raises:
        OptionsError: somebody else holds it, or the file can't be made.
    """
    try:
        # Waited for in short turns, between which Ctrl+C is heard.
        connection = sqlite3.connect(file, timeout=min(wait_seconds, 0.5), isolation_level=None)
    except sqlite3.OperationalError as error:
        raise OptionsError(_gone(file, error)) from error
    until = time.monotonic() + wait_seconds
    with closing(connection):
        while not connection.in_transaction:
            try:
                connection.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise OptionsError(_gone(file, error)) from error
                if time.monotonic() >= until:
                    raise OptionsError(busy) from error
        yield


def _gone(file: Path, error: Exception) -> str:
    return f"the folder {file.parent.name} is gone or can't be written ({error})"
