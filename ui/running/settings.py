"""What whoever runs the server says of long work, in environment variables."""

import math
import os

from tted_core.errors import OptionsError


def worker_count() -> int:
    """TTED_WORKERS: how many processes there are for long work; with 0 it is done in threads of the server.

    Without it, one less than the machine has cores, and two at least: long work never takes the last one, so that
    nobody's comparison waits for another's grid.

    Raises:
        OptionsError: it is no whole number from 0 on.
    """
    asked = os.environ.get("TTED_WORKERS", "").strip()
    if not asked:
        return max(2, (os.cpu_count() or 1) - 1)
    if not asked.isdecimal():
        raise OptionsError(f"TTED_WORKERS is {asked!r}; give the number of worker processes, 0 for threads")
    return int(asked)


def max_seconds() -> float:
    """TTED_MAX_SECONDS: after so long any work is stopped, whatever its visitor asked for; without it, never.

    Raises:
        OptionsError: it is no number above 0.
    """
    asked = os.environ.get("TTED_MAX_SECONDS", "").strip()
    try:
        seconds = float(asked or "inf")
    except ValueError:
        seconds = math.nan
    if not seconds > 0:
        raise OptionsError(f"TTED_MAX_SECONDS is {asked!r}; give the most seconds that any work may take")
    return seconds
