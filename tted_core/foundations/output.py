"""Output: files that are written whole, and users' texts made safe for them: nothing invisible or forbidden."""

import os
import secrets
import shutil
import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tted_core.errors import OptionsError

UNFINISHED_PREFIX = ".tted-"  # beginning of the names of files that are being written

ELLIPSIS = "…"

WHITE_SPACE = " \t\n\v\f\r\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)

# Codes of characters -> those of what is shown for them.
SHOWN = {
    **{code: 0x2400 + code for code in range(0x20)},  # control characters have signs
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
    **dict.fromkeys(range(0xD800, 0xE000), 0xFFFD),  # halves of characters
    **{plane + last: 0xFFFD for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)},
    **dict.fromkeys(map(ord, WHITE_SPACE), 0x20),
}


def ending(file: str | Path) -> str:
    """The extension of a file name, in lower case and without the dot."""
    if not isinstance(file, (str, Path)):
        raise OptionsError(f"give the name of a file, not {file!r:.40}")
    return Path(file).suffix.removeprefix(".").lower()


def write_file(file: str | Path, content: bytes) -> None:
    """Write a file, creating its folder."""
    path = Path(file)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "no file can have this name")
        raise OptionsError(f"{str(file)!r:.200} can't be written ({reason}); name another file") from error


def write_whole(file: Path, content: bytes) -> None:
    """Write a file, or leave what was there: one map of a merge may be the file that it goes into.

    The content is on the disk before the file has its name, so that a crash leaves no part of it.
    """
    if file.is_symlink() or (file.exists() and not file.is_file()):  # standard output or a pipe, say
        file.write_bytes(content)
        return
    unfinished = file.with_name(f"{UNFINISHED_PREFIX}{secrets.token_hex(8)}")
    try:
        with unfinished.open("wb") as target:
            target.write(content)
            target.flush()
            os.fsync(target.fileno())
        if file.exists():
            shutil.copymode(file, unfinished)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def private_database(
    file: Path, begin: str, *setup: str, wait_seconds: float
) -> Iterator[sqlite3.Connection]:
    """A transaction in an SQLite file that only its owner may read: committed at the end, or rolled back.

    A transaction that begins by reading and then writes, or that switches to a write-ahead log, fails at once if
    another process does the same: SQLite waits only before it has a lock. So one that writes begins IMMEDIATE.

    Args:
        file: created with its folder if it isn't there; others are kept from reading an existing one.
        begin: "DEFERRED" to read, "IMMEDIATE" to write.
        setup: statements before that, such as for tables.
        wait_seconds: time to wait for another process that writes.
    """
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not file.exists():
        file.touch(mode=0o600)
    if file.stat().st_mode & 0o077:  # an earlier version made it, or it was copied
        with suppress(PermissionError):  # it is somebody else's
            file.chmod(0o600)  # further files of SQLite get the same permissions
    connection = sqlite3.connect(file, timeout=wait_seconds, isolation_level=None)
    with closing(connection) as database, database:
        for statement in (*setup, f"BEGIN {begin}"):
            database.execute(statement)
        yield database


def printable(text: str) -> str:
    r"""Replace control characters with visible signs, and characters that XML or UTF-8 forbid with U+FFFD.

    White space becomes spaces. Signs that change the direction of writing are kept: they are part of the text, and
    harmless inside one element.

    >>> printable("a\x00b\tc\x1b")
    'a␀b c␛'
    """
    return text.translate(SHOWN)


def is_leftward(text: str) -> bool:
    """Return True if a text is written from right to left, by its first letter (rule P2 of Unicode's annex 9).

    >>> is_leftward("1. مرحبا"), is_leftward("abc"), is_leftward("")
    (True, False, False)
    """
    strong = (unicodedata.bidirectional(sign) for sign in text)
    return next((kind for kind in strong if kind in {"L", "R", "AL"}), "L") != "L"


def shorten(text: str, length: int) -> str:
    """At most ``length`` characters, with an ellipsis if the text is longer."""
    return text if len(text) <= length else f"{text[: length - 1]}{ELLIPSIS}"
