"""Writing files, for the library's caller or for the library itself."""

import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from tted_core.errors import OptionsError

UNFINISHED = ".tted-"
"""Beginning of the names of files that are being written."""


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
    unfinished = file.with_name(f"{UNFINISHED}{secrets.token_hex(8)}")
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


def make_private(file: Path) -> None:
    """Create a file that only its owner may read, or restrict an existing one to its owner.

    Further files of SQLite get the same permissions.
    """
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not file.exists():
        file.touch(mode=0o600)
    if file.stat().st_mode & 0o077:  # an earlier version made it, or it was copied
        with suppress(PermissionError):  # it is somebody else's
            file.chmod(0o600)
