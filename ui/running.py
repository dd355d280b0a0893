"""Long work on a page: start it, show its progress with a stop button, and return its result.

A *slot* names the purpose of work; equal *keys* have equal results. A slot holds the job of one key; work for
another key stops it. A slot named "a/b" depends on the result of "a". Work is stopped once its user has left,
or at the server's time limit.
"""

import itertools
import math
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import wait
from contextlib import contextmanager
from typing import Any, TypeVar

import streamlit as st

from ui.executor import EXECUTOR, Job, User, Work, max_seconds
from ui.text import markdown_escaped

_Result = TypeVar("_Result")

# Seconds that a run of a page waits for work; most is ready by then.
# No longer: Streamlit delays clicks in fragments until the run ends.
PATIENCE_SECONDS = 2.5

# Seconds between updates of the bar; most work is ready before the first update, so nothing flickers.
_LOOK_SECONDS = 0.3

EVERY_SECONDS = 1.0  # seconds between updates of the bar once no run waits for the work


MOST_SECONDS = 0.5  # the longest time that a run of a page keeps others waiting


class PageRuns:
    """The runs of this server's pages; fragments run beside them. Thread-safe.

    One run draws at a time, the oldest first: fifty that take turns would all end last.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        # A condition for each waiting run: fifty that wake up whenever one ends would do little else.
        self._waiting: dict[int, threading.Condition] = {}
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
        with self._lock:
            own = self._waiting[number] = threading.Condition(self._lock)
            while min(self._waiting) != number or self._seconds_left() > 0:
                own.wait(self._seconds_left() if min(self._waiting) == number else None)
            del self._waiting[number]
            self._drawing, self._until = number, time.monotonic() + MOST_SECONDS
            self._wake_next()

    def _leave(self, number: int) -> None:
        with self._lock:
            if self._drawing == number:
                self._until = 0.0
                self._wake_next()

    def _seconds_left(self) -> float:
        """Seconds until the run that draws no longer keeps others waiting."""
        return self._until - time.monotonic()

    def _wake_next(self) -> None:
        """Have the oldest run that waits look whether it may draw."""
        if self._waiting:
            self._waiting[min(self._waiting)].notify()


PAGE_RUNS = PageRuns()  # the runs of all users


class NotYet(Exception):  # noqa: N818 - nothing went wrong
    """The work continues below its progress bar; the page runs again once there is a result."""


def run_watched(
    slot: str,
    key: Hashable,
    work: Work[_Result],
    *,
    stop_help: str,
    long: bool = False,
    before: Work[object] | None = None,
    shared: bool = False,
    keeps: Callable[[_Result], bool] = lambda _result: True,
) -> _Result:
    """Return the result of some work; later runs get it at once.

    Args:
        slot: the purpose of the work; each has one job at a time.
        key: identifies the result.
        work: see ``Work``; it must not use Streamlit.
        stop_help: the help text of the button that stops it.
        long: the work may take many minutes; a seat is kept free for shorter work.
        before: run before the work's turn comes; waits for vectors, for example.
        shared: keep the result for all users who request it with this key.
        keeps: True for a shared result that other users may get.

    Raises:
        NotYet: it takes longer; the progress bar is drawn.
        TTEDError: raised by the work; the next call starts it again.
    """
    if not has_begun(slot, key):
        if slot in _slots():
            _slots()[slot][1].stop()
        shared_key = (slot, key) if shared else None
        started = EXECUTOR.submit(work, current_user(), key=shared_key, long=long, before=before, keeps=keeps)
        _slots()[slot] = key, started
    job: Job[_Result] = _slots()[slot][1]
    bar = st.empty()
    with PAGE_RUNS.outside():
        for _ in range(round(PATIENCE_SECONDS / _LOOK_SECONDS)):
            if wait([job], _LOOK_SECONDS).done:
                break
            bar.progress(job.share, markdown_escaped(job.stage))
    bar.empty()
    if not job.done():
        _watch(job, stop_help)
        raise NotYet
    if job.was_cut:
        st.caption(f"Stopped after {max_seconds():g} seconds, the time limit of this server.")
    if job.exception() is not None:
        del _slots()[slot]
    return job.result()


def run_on_demand(
    slot: str,
    key: Hashable,
    work: Work[_Result],
    *,
    disabled: bool = False,
) -> _Result | None:
    """Draw a button that starts the work, as ``run_watched`` does; None while there is no result for this key.

    The work continues while the user clicks elsewhere, and is stopped once the key changes.

    Raises:
        NotYet, TTEDError: as ``run_watched``; the button starts it again.
    """
    if st.button("Run", type="primary", key=f"{slot}-start", disabled=disabled):
        forget(slot, key)
    elif not has_begun(slot, key):
        if slot in _slots():
            _slots()[slot][1].stop()
            st.caption("The settings have changed since the last run: run it again to see its results.")
        return None
    return run_watched(slot, key, work, stop_help="Keeps what has been measured so far.", long=True)


def has_begun(slot: str, key: Hashable) -> bool:
    """Return True if the slot's job is for this key, so that ``run_watched`` doesn't start another."""
    return slot in _slots() and _slots()[slot][0] == key


def forget(slot: str, key: Hashable) -> None:
    """Stop and drop the job for this key, and those of slots that depend on it."""
    EXECUTOR.forget((slot, key), current_user())
    names = [name for name in _slots() if name.startswith(f"{slot}/")]
    if has_begun(slot, key):
        names.append(slot)
    for name in names:
        _slots().pop(name)[1].stop()


def _slots() -> dict[str, tuple[Hashable, Job[Any]]]:
    slots: dict[str, tuple[Hashable, Job[Any]]] = st.session_state.setdefault("slots", {})
    return slots


def current_user() -> User:
    """The user of the current session."""
    # In the session's state too: a connection that was lost for a moment releases the cache.
    found: User = st.session_state.setdefault("user", User())
    _tie_to_the_session(found)
    found.left = math.inf
    return found


@st.cache_resource(scope="session", on_release=User.leave, show_spinner=False)
def _tie_to_the_session(_user: User) -> User:
    """Have Streamlit report when the connection is lost."""
    return _user


@st.fragment(run_every=EVERY_SECONDS)
def _watch(job: Job[Any], stop_help: str) -> None:
    """Draw the job's progress until it is done, and a button that stops it."""
    if wait([job], _LOOK_SECONDS).done:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(job.share, markdown_escaped(job.stage))
        # A key for each job: a page may have several.
        st.button("Stop", key=f"stop-{id(job)}", on_click=job.stop, help=stop_help)
