"""A comparison that runs beside the page, so that it can be watched, stopped, and kept.

Streamlit ends a page's run as soon as its visitor clicks anything, and a search that lived in the page would
die with its best script. In a thread of its own it goes on; the page only looks at it.
"""

import threading
from collections.abc import Callable
from typing import Any

from streamlit.runtime.scriptrunner import add_script_run_ctx

from tted_core import Comparison, compare


class Job:
    """One call of ``compare`` in a thread. ``stage`` and ``share`` tell how far it is."""

    def __init__(self, prepare: Callable[[], dict[str, Any]]) -> None:
        """Start it; ``prepare`` gives the arguments of ``compare``, and runs in the thread too."""
        self.stage = "Starting"
        self.share = 0.0
        self._result: Comparison | None = None
        self._error: BaseException | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(prepare,), daemon=True)
        add_script_run_ctx(self._thread)  # lets it use the page's caches
        self._thread.start()

    def _run(self, prepare: Callable[[], dict[str, Any]]) -> None:
        try:
            arguments = prepare()
            self._result = compare(**arguments, progress=self._tell, should_stop=self._stop.is_set)
        except BaseException as error:  # noqa: BLE001 - raised again where the page asks for the result
            self._error = error

    def _tell(self, stage: str, share: float) -> None:
        self.stage, self.share = stage, min(max(share, 0.0), 1.0)

    def stop(self) -> None:
        """Ask it to end with the best script so far."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; tells whether it has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def result(self) -> Comparison:
        """The comparison, or whatever ``compare`` raised."""
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result
