"""How long, and how much, a server keeps of its visitors: maps (``ui/kept_maps.py``), batches (``ui/many``).

What nobody has opened for TTED_KEPT_DAYS goes (7 by default; 0 keeps none). Where there is no room, what nobody
has opened for a day goes, the oldest first; something new is refused before another visitor's recent work is
deleted.
"""

import os
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tted_core import TTEDError
from tted_core.encoders.embedding_cache import default_cache

DAYS = 7.0
DAY_SECONDS = 86_400

TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
"""128 random bits: the name under which something is kept, which nobody can guess."""


@dataclass(frozen=True)
class Kept:
    """A file or folder of a visitor's: when it was opened last, and its bytes."""

    path: Path
    opened: float
    size: int


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
    """How much is kept, and how much may be."""

    count: int
    size: int
    most: int
    most_bytes: int

    def has_room(self, size: int) -> bool:
        """Whether one more of so many bytes may be kept."""
        return self.count < self.most and self.size + size <= self.most_bytes


def room_made(
    found: Iterable[Kept], size: int, *, most: int, most_bytes: int, remove: Callable[[Path], bool]
) -> Tally:
    """Remove what may go, as far as something new needs its room; returns what is kept then.

    Args:
        found: all that is kept.
        size: bytes of what is new.
        most: how many files or folders are kept together.
        most_bytes: how many bytes are kept together.
        remove: removes one of them, unless it is in use; tells whether it has.
    """
    in_order = sorted(found, key=lambda each: each.opened)
    tally = Tally(len(in_order), sum(each.size for each in in_order), most, most_bytes)
    now = time.time()
    for each in in_order:
        is_old = each.opened < now - kept_days() * DAY_SECONDS
        if not is_old and (tally.has_room(size) or each.opened > now - DAY_SECONDS):
            break
        if remove(each.path):
            tally.count -= 1
            tally.size -= each.size
    return tally
