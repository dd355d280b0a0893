"""Visitors' own maps, kept on the server for a while: a reload, a restart and a link find them again.

Each lies in a file of its own below the cache's folder (TTED_CACHE), under a name that nobody can guess and only
the address of its visitor's page says. One that nobody opened for TTED_KEPT_DAYS goes (7 by default; 0 keeps
none), and the oldest go where there are too many. If the folder can't be written, that is logged, and the page
says that maps aren't kept.
"""

import json
import logging
import os
import re
import secrets
import time
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from tted_core import TTEDError, UnknownNameError
from tted_core.encoders.embedding_cache import default_cache
from tted_core.limits import MAX_BYTES, MAX_KEPT_BYTES

DAYS = 7.0
DAY_SECONDS = 86_400
HOUR_SECONDS = 3600

TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
"""128 random bits."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class KeptMap:
    """What a side was given: a text (pasted) or bytes (uploaded), read again by its token.

    It stands for an uploaded file where it was one: ``name``, ``file_id`` and ``getvalue`` are as there.
    """

    name: str
    content: bytes | str
    file_id: str

    def getvalue(self) -> bytes:
        """The file's bytes."""
        return (
            self.content.encode("utf-8", "surrogatepass") if isinstance(self.content, str) else self.content
        )


def kept_days() -> float:
    """For how many days without a visit maps are kept; 0 if none are.

    Raises:
        TTEDError: TTED_KEPT_DAYS is no number of days.
    """
    text = os.environ.get("TTED_KEPT_DAYS", "") or str(DAYS)
    try:
        days = float(text)
    except ValueError:
        days = -1.0
    if not 0 <= days <= 36_500:  # infinite and NaN are out as well
        raise TTEDError(f"TTED_KEPT_DAYS is a number of days from 0 to 36,500, not {text:.40}")
    return days if default_cache() else 0.0


def keep(what: Hashable, name: str, content: bytes | str) -> str | None:
    """Keep a map, once for each ``what`` of this session: its token, None if it can't be kept."""
    if not kept_days() or len(content) > MAX_BYTES:
        return None
    tokens: dict[Hashable, str] = st.session_state.setdefault("kept-maps", {})
    token = tokens.get(what) or secrets.token_urlsafe(16)
    file = _folder() / token
    try:
        if not _touched(file):
            _write(file, name, content)
            _shrink(file.parent)
    except OSError as error:
        logger.warning("visitors' maps can't be kept in %s (%s)", file.parent, error)
        return None
    tokens[what] = token
    return token


def kept_map(token: str) -> KeptMap:
    """The map that is kept under a token.

    Raises:
        UnknownNameError: none is, or not any more.
    """
    days = kept_days()
    gone = (
        f"that map isn't kept here any more (this server keeps maps for {days:g} days after the last visit)"
    )
    if not days:
        gone = "this server keeps no maps of its visitors"
    if not days or not TOKEN.fullmatch(token):
        raise UnknownNameError(gone)
    file = _folder() / token
    try:
        if not _touched(file):
            raise UnknownNameError(gone)
        head, _, body = file.read_bytes().partition(b"\n")
        told = json.loads(head)
        name, pasted = str(told["name"]), bool(told["pasted"])
        content = body.decode("utf-8", "surrogatepass") if pasted else body
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UnknownNameError(gone) from error
    return KeptMap(name, content, token)


def remember(what: Hashable, token: str) -> None:
    """Let ``keep`` know that this is kept already."""
    st.session_state.setdefault("kept-maps", {})[what] = token


def _folder() -> Path:
    cache = default_cache()
    if cache is None:
        raise UnknownNameError("this server keeps no maps of its visitors")
    return cache.file.parent / "maps"


def _touched(file: Path) -> bool:
    """Whether it is there and young enough; its age begins anew, to the hour."""
    try:
        age = time.time() - file.stat().st_mtime
    except FileNotFoundError:
        return False
    if age > kept_days() * DAY_SECONDS:
        return False
    if age > HOUR_SECONDS:
        os.utime(file)
    return True


def _write(file: Path, name: str, content: bytes | str) -> None:
    """Whole or not at all: another process may read it, or this one end, at any time."""
    pasted = isinstance(content, str)
    body = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = file.with_suffix(f".{secrets.token_hex(4)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as target:
            target.write(json.dumps({"name": name, "pasted": pasted}).encode() + b"\n" + body)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def _shrink(folder: Path) -> None:
    """Delete what is too old, and the oldest while all together are too large."""
    found = []
    for path in folder.iterdir():
        with suppress(FileNotFoundError):  # another process does the same
            found.append((path.stat(), path))
    room = MAX_KEPT_BYTES
    oldest = time.time() - kept_days() * DAY_SECONDS
    for stat, path in sorted(found, key=lambda each: -each[0].st_mtime):
        room -= stat.st_size
        if room < 0 or stat.st_mtime < oldest:
            path.unlink(missing_ok=True)
