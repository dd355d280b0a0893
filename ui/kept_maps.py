"""Visitors' own maps, kept on the server for a while: a reload, a restart and a link find them again.

Each lies in a file of its own below the cache's folder (TTED_CACHE), under a name that nobody can guess and only
the address of its visitor's page says. If there is no room, or the folder can't be written, that is logged, and
the page says that maps aren't kept.

What nobody has opened for TTED_KEPT_DAYS goes (7 by default; 0 keeps none). Where there is no room, what nobody
has opened for a day goes, the oldest first; a new map is refused before another visitor's recent one is deleted.
"""

import json
import logging
import math
import os
import re
import secrets
import threading
import time
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from tted_core import TTEDError
from tted_core.encoders.embedding_cache import default_cache
from tted_core.errors import UnknownNameError
from tted_core.foundations.limits import MAX_BYTES

MAX_SESSION_MAPS = 500
"""Maps of one session that are kept; its own oldest ones give way."""

MAX_SESSION_KEPT_BYTES = 50_000_000
"""Bytes of one session's maps that are kept; its own oldest ones give way."""

MAX_KEPT_MAPS = 10_000
"""All visitors' maps together that a server keeps; all of them are looked at once a minute."""

MAX_KEPT_BYTES = 500_000_000
"""Bytes of all visitors' maps together that a server keeps for a reload."""

DAYS = 7.0
DAY_SECONDS = 86_400

TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
"""128 random bits: the name under which something is kept, which nobody can guess."""


def kept_days() -> float:
    """For how many days without a visit something is kept; 0 if nothing is.

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


@dataclass
class Tally:
    """How much is kept."""

    count: int
    size: int

    def has_room(self, size: int) -> bool:
        """Whether one more map of so many bytes may be kept."""
        return self.count < MAX_KEPT_MAPS and self.size + size <= MAX_KEPT_BYTES


HOUR_SECONDS = 3600

TALLY_SECONDS = 60.0
"""So seldom all kept maps are looked at; meanwhile new ones are counted."""

_tallies: dict[Path, tuple[float, Tally]] = {}
_tally_lock = threading.Lock()

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


def keep(what: Hashable, name: str, content: bytes | str) -> str | None:
    """Keep a map, once for each ``what`` of this session: its token, None if it can't be kept."""
    if not kept_days() or len(content) > MAX_BYTES:
        return None
    tokens: dict[Hashable, str] = st.session_state.setdefault("kept-maps", {})
    token = tokens.get(what) or secrets.token_urlsafe(16)
    file = _folder() / token
    try:
        if not _touched(file):
            body = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
            if not _has_room(file.parent, len(body)):
                logger.warning("visitors' maps can't be kept in %s (there is no room)", file.parent)
                return None
            _write(file, name, body, pasted=isinstance(content, str))
            st.session_state["own-maps"][token] = len(body)
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
        file.unlink(missing_ok=True)
        return False
    if age > HOUR_SECONDS:
        os.utime(file)
    return True


def _write(file: Path, name: str, body: bytes, *, pasted: bool) -> None:
    """Whole or not at all: another process may read it, or this one end, at any time."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = file.with_suffix(f".{secrets.token_hex(4)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as target:
            target.write(json.dumps({"name": name, "pasted": pasted}).encode() + b"\n" + body)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def _has_room(folder: Path, size: int) -> bool:
    """Whether a map of so many bytes may be added; the session's own oldest ones give way to its new ones."""
    own: dict[str, int] = st.session_state.setdefault("own-maps", {})
    while own and (len(own) >= MAX_SESSION_MAPS or sum(own.values()) + size > MAX_SESSION_KEPT_BYTES):
        token = next(iter(own))
        del own[token]
        (folder / token).unlink(missing_ok=True)
    with _tally_lock:
        at, tally = _tallies.get(folder, (-math.inf, None))
        if tally is None or time.monotonic() - at > TALLY_SECONDS:
            tally = _room_made(folder, size)
            _tallies[folder] = time.monotonic(), tally
        if not tally.has_room(size):
            return False
        tally.count += 1
        tally.size += size
        return True


def _room_made(folder: Path, size: int) -> Tally:
    """Remove what may go, as far as a new map of so many bytes needs its room; tells what is kept then."""
    kept: list[tuple[float, int, str]] = []
    with suppress(FileNotFoundError), os.scandir(folder) as found:
        for each in found:
            with suppress(FileNotFoundError):  # another process has removed it
                status = each.stat()
                kept.append((status.st_mtime, status.st_size, each.path))
    tally = Tally(len(kept), sum(each for _, each, _ in kept))
    now = time.time()
    for opened, its_size, path in sorted(kept):
        is_old = opened < now - kept_days() * DAY_SECONDS
        if not is_old and (tally.has_room(size) or opened > now - DAY_SECONDS):
            break
        Path(path).unlink(missing_ok=True)
        tally.count -= 1
        tally.size -= its_size
    return tally
