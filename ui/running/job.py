"""Long work that runs beside the page, so that it can be watched, stopped, and kept.

Streamlit ends a page's run as soon as its visitor clicks anything, and a search that lived in the page would
die with its best result. In a thread of its own it goes on; the page only looks at it.
"""

import itertools
import threading
from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar

from streamlit.runtime.scriptrunner import add_script_run_ctx

Result = TypeVar("Result")
Progress: TypeAlias = Callable[[str, float], None]
ShouldStop: TypeAlias = Callable[[], bool]
Work: TypeAlias = Callable[[Progress, ShouldStop], Result]
"""Is told where to tell of its progress, and whom to ask whether it should stop.

A function of a module with its arguments (``partial``), never one made inside another: it may be sent elsewhere.
"""

_numbers = itertools.count(1)


def _never() -> bool:
    return False


class Job(Generic[Result]):
    """Some work in a thread. ``stage`` and ``share`` tell how far it is, ``number`` tells it from all others."""

    def __init__(self, work: Work[Result], is_left: ShouldStop = _never) -> None:
        """Start it; once ``is_left`` says that its visitor has left, it is stopped."""
        self.number = next(_numbers)
        self.stage = "Starting"
        self.share = 0.0
        self._is_left = is_left
        self._results: list[Result] = []
        self._error: BaseException | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        add_script_run_ctx(self._thread)  # lets it use the page's caches
        self._thread.start()

    def _run(self, work: Work[Result]) -> None:
        try:
            self._results.append(work(self._tell, self._should_stop))
        except BaseException as error:  # noqa: BLE001 - raised again where the page asks for the result
            self._error = error

    def _tell(self, stage: str, share: float) -> None:
        self.stage, self.share = stage, min(max(share, 0.0), 1.0)

    def _should_stop(self) -> bool:
        return self._stop.is_set() or self._is_left()

    def stop(self) -> None:
        """Ask it to end with the best result so far."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; tells whether it has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def result(self) -> Result:
        """What the work returned, or whatever it raised."""
        if self._error is not None:
            raise self._error
        return self._results[0]
