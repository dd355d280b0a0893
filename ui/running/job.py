"""Long work that runs beside the page, so that it can be watched, stopped, and kept.

Streamlit ends a page's run as soon as its visitor clicks anything, and a search that lived in the page would
die with its best result. In a thread of its own it goes on; the page only looks at it. The thread waits for its
visitor's turn and lets a worker process do the work.
"""

import itertools
import math
import os
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Generic, TypeAlias, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import add_script_run_ctx

from tted_core.errors import Interrupted, OptionsError
from tted_core.foundations.monitor import Monitor, share
from ui.processes.turns import Turns
from ui.processes.workers import Workers, pool
from ui.running.sharing import Shared

Result = TypeVar("Result")
Work: TypeAlias = Callable[[Monitor], Result]
"""Does it under a monitor, which is told how far it is, and asked whether it should stop.

A function of a module with its arguments (``partial``), never one made inside another: it is sent to a process.
"""

LOOK_SECONDS = 0.5
"""So often each visitor who waits in the queue is told of it; a hundred may."""
PATIENCE_SECONDS = 30.0
"""For work that was stopped and whose result so far is wanted: so long it may take to give it."""

AWAY_SECONDS = 20.0
"""A visitor whose connection is gone for less may come back to what was under way (a tunnel, a laptop's lid)."""

_numbers = itertools.count(1)
_SHARED = Shared()


class Visitor:
    """The one whose session this is."""

    def __init__(self) -> None:
        """There, for now."""
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
            long: whether it may take many minutes.
            word_models: whether to do it in a process that keeps models of words loaded.
            beforehand: what to do before a seat is taken, which is mostly waiting for another process.
            shared: the key by which other visitors ask for the same, and whether a result is one for them.
            patience: for so many seconds it may go on once it was stopped, to give its result so far.
        """
        self.number = next(_numbers)
        self.stage = "Starting"
        self.share = 0.0
        self.max_seconds = max_seconds()
        self.was_cut = False
        self._visitor = visitor or Visitor()
        self._long = long
        self._word_models = word_models
        self._beforehand = beforehand
        self._shared = shared
        self._patience = PATIENCE_SECONDS if patience is None else patience
        self._began = float("inf")
        self._stopped_at = float("inf")
        self._is_dropped = False
        self._results: list[Result] = []
        self._error: BaseException | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(work,))
        add_script_run_ctx(self._thread)  # lets it use the page's caches
        self._thread.start()

    def _run(self, work: Work[Result]) -> None:
        try:
            self._results.append(self._worked(work))
        except BaseException as error:  # noqa: BLE001 - raised again where the page asks for the result
            self._error = error

    def _worked(self, work: Work[Result]) -> Result:
        workers = pool(word_models=self._word_models)
        monitor = Monitor(self._tell, self._should_stop)
        if workers is None:
            self._began = time.monotonic()
            return work(monitor)
        compute = partial(self._computed, work, workers, monitor)
        if self._shared is None:
            return compute()
        key, will_do = self._shared
        return _SHARED.result(key, compute, will_do=will_do, should_stop=self._should_stop)

    def _computed(self, work: Work[Result], workers: Workers, monitor: Monitor) -> Result:
        """What the work returns, once it is the visitor's turn."""
        if self._beforehand is not None:
            self._beforehand(monitor)
        with self._seat(workers.turns):
            self._began = time.monotonic()
            with workers.one() as worker:
                return worker.run(work, monitor, self._is_unwanted)

    @contextmanager
    def _seat(self, turns: Turns) -> Iterator[None]:
        """Wait until it is the visitor's turn."""
        ticket = turns.ask(self._visitor, long=self._long)
        try:
            while not ticket.wait(LOOK_SECONDS):
                if self._should_stop():
                    raise Interrupted("stopped before its turn came; start it again")
                before = turns.before(ticket)
                self.stage = f"Waiting: {before} before you" if before else "Waiting: you are next"
            self.stage = "Starting"
            yield
        finally:
            turns.leave(ticket)

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

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; tells whether it has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def result(self) -> Result:
        """What the work returned, or whatever it raised."""
        if self._error is not None:
            raise self._error
        return self._results[0]
