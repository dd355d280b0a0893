"""Let one run of a page draw at a time, the oldest first: fifty that take turns would all end last."""

import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

MOST_SECONDS = 0.5
"""The longest time that a run keeps others waiting."""


class PageRuns:
    """The runs of this server's pages; fragments run beside them. Thread-safe."""

    def __init__(self) -> None:
        """Begin with no run."""
        self._changed = threading.Condition()
        self._numbers = itertools.count()
        self._waiting: set[int] = set()
        self._drawing, self._until = -1, 0.0
        self._own = threading.local()

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Run a page inside, in its thread."""
        self._own.number = next(self._numbers)
        self._enter(self._own.number)
        try:
            yield
        finally:
            self._leave(self._own.number)
            del self._own.number

    @contextmanager
    def outside(self) -> Iterator[None]:
        """Let others draw while the run waits inside; then it comes before all younger ones."""
        number = getattr(self._own, "number", None)
        if number is None:  # a fragment
            yield
            return
        self._leave(number)
        try:
            yield
        finally:
            self._enter(number)

    def _enter(self, number: int) -> None:
        with self._changed:
            self._waiting.add(number)
            while min(self._waiting) != number or (left := self._until - time.monotonic()) > 0:
                self._changed.wait(MOST_SECONDS if min(self._waiting) != number else left)
            self._waiting.remove(number)
            self._drawing, self._until = number, time.monotonic() + MOST_SECONDS

    def _leave(self, number: int) -> None:
        with self._changed:
            if self._drawing == number:
                self._until = 0.0
                self._changed.notify_all()


PAGE_RUNS = PageRuns()
"""The runs of all users."""
