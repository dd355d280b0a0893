"""Progress of long work in stages: one line that changes on a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable

from tted_core.cli.shared import say

TERMINAL_SECONDS = 0.2
LOG_SECONDS = 30.0
"""Seconds between two tellings of one stage."""


def told_stage(stage: str) -> Callable[[int, int], None]:
    """What tells of this stage on standard error: how many are done, how many a second, and the time left."""
    start = last = time.monotonic()
    terminal = bool(sys.stderr) and sys.stderr.isatty()
    if not terminal:
        say(f"{stage} ...", aside=True)

    def tell(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        finished = done >= total
        if not finished and now - last < (TERMINAL_SECONDS if terminal else LOG_SECONDS):
            return
        last = now
        line = so_far(stage, done, total, now - start)
        if terminal:
            sys.stderr.write("\x1b[2K")  # wipes the line before
        say(line, aside=True, end="\r" if terminal and not finished else "\n")

    return tell


def so_far(stage: str, done: int, total: int, seconds: float) -> str:
    """How far a stage is after so many seconds, how fast it goes, and how long it will take.

    >>> so_far("Reading maps", 20, 100, 4.0)
    'Reading maps: 20 of 100, 5 a second, 16 s left'
    """
    rate = done / max(seconds, 1e-9)
    line = f"{stage}: {done:,} of {total:,}, {rate:,.3g} a second"
    if done < total and rate > 0:
        line += f", {_spoken((total - done) / rate)} left"
    return line


def _spoken(seconds: float) -> str:
    """Seconds as people read them.

    >>> _spoken(42), _spoken(754), _spoken(9000)
    ('42 s', '12:34 min', '2:30 h')
    """
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes}:{rest:02} min" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02} h"
