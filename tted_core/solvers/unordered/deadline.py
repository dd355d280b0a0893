"""Remaining time of a search, and its reports."""

import time

from tted_core.foundations.monitor import Monitor

REPORT_EVERY = 0.1  # seconds


class Deadline:
    """The time limit and the reports of a search."""

    def __init__(self, time_limit: float | None, monitor: Monitor) -> None:
        self._start = time.monotonic()
        self._limit = float("inf") if time_limit is None else time_limit
        self._monitor = monitor
        self._reported = -float("inf")
        self._stopped = False

    @property
    def limit(self) -> float:
        """Total seconds, infinite without a limit."""
        return self._limit

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start

    @property
    def remaining(self) -> float:
        """Seconds left; 0 when the search must end."""
        self._stopped = self._stopped or self._monitor.stopped
        return 0.0 if self._stopped else max(0.0, self._limit - self.elapsed)

    @property
    def passed(self) -> bool:
        """True if the search must end."""
        return self.remaining <= 0.0

    def report(self, lower: float, upper: float) -> None:
        """Report the bounds, at most ten times a second."""
        if self._stopped or self.elapsed - self._reported < REPORT_EVERY:
            return
        self._reported = self.elapsed
        self._monitor.advance(lower, upper)
        self._stopped = self._monitor.stopped
