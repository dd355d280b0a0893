"""Long work that runs beside the page, so that it can be watched, stopped, and kept.

Streamlit ends a page's run as soon as its visitor clicks anything, and a search that lived in the page would
die with its best result. In a thread of its own it goes on; the page only looks at it. The thread waits for its
visitor's turn and lets a worker process do the work (``ui/processes/tasks.py``).
"""

import itertools
import math
import os
import secrets
import threading
import time
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx

from tted_core.errors import OptionsError
from tted_core.foundations.monitor import Monitor, share
from ui.processes.tasks import Caller, Task, Work, carry_out

Result = TypeVar("Result")

PATIENCE_SECONDS = 30.0
"""For work that was stopped and whose result so far is wanted: so long it may take to give it."""

AWAY_SECONDS = 20.0
"""A visitor whose connection is gone for less may come back to what was under way (a tunnel, a laptop's lid)."""

_numbers = itertools.count(1)


class Visitor:
    """The one whose session this is; ``name`` tells them from all others, on other servers too."""

    def __init__(self) -> None:
        """There, for now."""
        self.name = secrets.token_hex(8)
        self._left: float | None = None

    def leave(self) -> None:
        """The connection is gone: the tab was closed, perhaps."""
        self._left = time.monotonic()

    def come_back(self) -> None:
        """The page runs, so there is somebody."""
        self._left = None

    def has_left(self) -> bool:
        """Whether the connection has been gone for longer than one waits."""
        left = self._left
        return left is not None and time.monotonic() - left > AWAY_SECONDS


def present_visitor() -> Visitor:
    """The visitor of the session that runs; Streamlit says when the connection is gone."""
    found: Visitor = st.session_state.setdefault("visitor", Visitor())
    _tied_to_the_session(found)
    found.come_back()
    return found


@st.cache_resource(scope="session", on_release=Visitor.leave, show_spinner=False)
def _tied_to_the_session(_visitor: Visitor) -> Visitor:
    return _visitor


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


class Job(Generic[Result]):
    """Some work in a thread. ``stage`` and ``share`` tell how far it is, ``number`` tells it from all others.

    ``was_cut`` tells whether it was stopped because the server gives no work more than ``max_seconds``. When
    Python ends, it is stopped and waited for: PyTorch aborts if its thread is ended under it ("terminate called").
    """

    def __init__(
        self,
        work: Work[Result],
        visitor: Visitor | None = None,
        *,
        long: bool = False,
        word_models: bool = False,
        beforehand: Work[object] | None = None,
        shared: tuple[Hashable, Callable[[Result], bool]] | None = None,
        patience: float | None = None,
    ) -> None:
        """Start it.

        Args:
            work: see ``Work``.
            visitor: who wants it; it is stopped once this one has left.
            long: as ``Task`` takes it, as are the others.
            word_models: see there.
            beforehand: see there.
            shared: see there.
            patience: for so many seconds it may go on once it was stopped, to give its result so far.
        """
        self.number = next(_numbers)
        self.stage = "Starting"
        self.share = 0.0
        self.max_seconds = max_seconds()
        self.was_cut = False
        self._visitor = visitor or Visitor()
        self._patience = PATIENCE_SECONDS if patience is None else patience
        self._began = float("inf")
        self._stopped_at = float("inf")
        self._is_dropped = False
        self._results: list[Result] = []
        self._error: BaseException | None = None
        self._stop = threading.Event()
        task = Task(
            work, self._visitor.name, long=long, word_models=word_models, beforehand=beforehand, shared=shared
        )
        self._thread = threading.Thread(target=self._run, args=(task,))
        if page := get_script_run_ctx(suppress_warning=True):
            add_script_run_ctx(self._thread, page)  # lets it use the page's caches
        self._thread.start()

    def _run(self, task: Task[Result]) -> None:
        caller = Caller(Monitor(self._tell, self._should_stop), self._begin, self._is_unwanted)
        try:
            self._results.append(carry_out(task, caller))
        except BaseException as error:  # noqa: BLE001 - raised again where the page asks for the result
            self._error = error

    def _begin(self) -> None:
        self._began = time.monotonic()

    def _tell(self, stage: str, done: float, total: float) -> None:
        self.stage, self.share = stage, share(done, total)

    def _should_stop(self) -> bool:
        if time.monotonic() - self._began > self.max_seconds:
            self.was_cut = True
        if self.was_cut or self._visitor.has_left() or not threading.main_thread().is_alive():
            self.stop()
        return self._stop.is_set()

    def _is_unwanted(self) -> bool:
        waited = time.monotonic() - self._stopped_at
        return self._is_dropped or self._visitor.has_left() or waited > self._patience

    def stop(self) -> None:
        """Ask it to end with the best result so far."""
        self._stopped_at = min(self._stopped_at, time.monotonic())
        self._stop.set()

    def drop(self) -> None:
        """Stop it; nobody wants a result."""
        self._is_dropped = True
        self.stop()

    def wait(self, seconds: float | None) -> bool:
        """Wait at most so long, with None until its end; tells whether it has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def result(self) -> Result:
        """What the work returned, or whatever it raised."""
        if self._error is not None:
            raise self._error
        return self._results[0]
