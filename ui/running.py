"""Long work on a page: begun, watched with a button that stops it, and its result shown.

The *slot* is what work is for; equal *keys* have equal results. A slot holds the job of one key: work for another
key stops what is under way. A slot named "a/b" is for what is made of the result of "a". Everything is stopped
soon after its visitor has left, or once it has taken as long as the server allows.
"""

from collections.abc import Callable, Hashable
from concurrent.futures import wait
from typing import Any, TypeVar

import streamlit as st

from ui.executor import EXECUTOR, Job, Visitor, Work, max_seconds
from ui.page_runs import PAGE_RUNS
from ui.text import markdown_escaped

Result = TypeVar("Result")

PATIENCE_SECONDS = 2.5
"""How long a run of a page waits for work, which is mostly ready by then.

It doesn't wait longer, for Streamlit lets a click in a fragment wait for the end of the run.
"""

LOOK_SECONDS = 0.3
"""How often a waiting run updates the bar; most work is ready before the first time, and nothing flickers."""

EVERY_SECONDS = 1.0
"""How often the page updates the bar of work for which no run waits any more."""


class NotYet(Exception):  # noqa: N818 - nothing went wrong
    """The work goes on, and its bar is drawn; the page runs anew once there is a result."""


def watched(
    slot: str,
    key: Hashable,
    work: Work[Result],
    *,
    stop_help: str,
    long: bool = False,
    before: Work[object] | None = None,
    shared: bool = False,
    keeps: Callable[[Result], bool] = lambda _result: True,
    meanwhile: Callable[[], None] = lambda: None,
) -> Result:
    """The result of some work, in later runs at once.

    Args:
        slot: what the work is for; there is one job of each at a time.
        key: tells what exactly is requested.
        work: see ``Work``; it uses nothing of the page.
        stop_help: the help text of the button that stops it.
        long: whether the work may take many minutes; shorter work then goes on beside it.
        before: what is done before the work's turn comes, such as waiting for vectors.
        shared: whether the result is kept, for all visitors who request it with this key.
        keeps: whether a shared result is good enough for other visitors.
        meanwhile: draws, below the bar, what is ready.

    Raises:
        NotYet: it takes longer; the bar is drawn in place of what needs the result.
        TTEDError: whatever the work raises; the next call starts it again.
    """
    job = _job(slot, key, work, shared=shared, long=long, before=before, keeps=keeps)
    _wait(job)
    if not job.done():
        _watch(job, stop_help, meanwhile)
        raise NotYet
    if job.was_cut:
        st.caption(f"Stopped after {max_seconds():g} seconds, the time limit of this server.")
    if job.exception() is not None:
        del _slots()[slot]
    return job.result()


def watched_on_demand(
    slot: str,
    key: Hashable,
    work: Work[Result],
    *,
    label: str = "Run",
    stop_help: str = "Keeps what has been measured so far.",
    disabled: bool = False,
) -> Result | None:
    """The same behind a button that starts the work; None while there is no result for this key.

    It goes on while its visitor clicks elsewhere, and is stopped once the key is another one.

    Raises:
        NotYet, TTEDError: as ``watched``; the button starts it again.
    """
    if st.button(label, type="primary", key=f"{slot}-start", disabled=disabled):
        forget(slot, key)
    elif not begun(slot, key):
        if slot in _slots():
            _slots()[slot][1].stop()
            st.caption("The settings have changed since the last run: run it again to see its results.")
        return None
    return watched(slot, key, work, stop_help=stop_help, long=True)


def begun(slot: str, key: Hashable) -> bool:
    """Return True if the slot's work is for this key, so that ``watched`` doesn't begin it anew."""
    return slot in _slots() and _slots()[slot][0] == key


def forget(slot: str, key: Hashable) -> None:
    """Stop and drop the result for this key, and what was made of the slot's results."""
    EXECUTOR.forget((slot, key), _visitor())
    names = [name for name in _slots() if name.startswith(f"{slot}/")]
    if begun(slot, key):
        names.append(slot)
    for name in names:
        _slots().pop(name)[1].stop()


def _slots() -> dict[str, tuple[Hashable, Job[Any]]]:
    slots: dict[str, tuple[Hashable, Job[Any]]] = st.session_state.setdefault("slots", {})
    return slots


def _job(slot: str, key: Hashable, work: Work[Result], *, shared: bool, **how: Any) -> Job[Result]:
    """The slot's job for this key, begun if there is none; any other one is stopped."""
    if not begun(slot, key):
        if slot in _slots():
            _slots()[slot][1].stop()
        job = EXECUTOR.submit(work, _visitor(), key=(slot, key) if shared else None, **how)
        _slots()[slot] = key, job
    return _slots()[slot][1]


def _visitor() -> Visitor:
    """The visitor of the session that runs."""
    found: Visitor = st.session_state.setdefault("visitor", Visitor())
    _tied_to_the_session(found)
    found.come_back()
    return found


@st.cache_resource(scope="session", on_release=Visitor.leave, show_spinner=False)
def _tied_to_the_session(_visitor: Visitor) -> Visitor:
    """Have Streamlit say when the connection is gone."""
    return _visitor


def _wait(job: Job[Any]) -> None:
    """Wait for the job for a while, with a bar once there is something to wait for."""
    place = st.empty()
    with PAGE_RUNS.outside():
        for _ in range(round(PATIENCE_SECONDS / LOOK_SECONDS)):
            if wait([job], LOOK_SECONDS).done:
                break
            place.progress(job.share, markdown_escaped(job.stage))
    place.empty()


def _watch(job: Job[Any], stop_help: str, meanwhile: Callable[[], None]) -> None:
    """Draw the job's progress, as long as it takes, and a button that asks it to stop."""

    @st.fragment(run_every=EVERY_SECONDS)
    def progress() -> None:
        if job.done():
            st.rerun()
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(job.share, markdown_escaped(job.stage))
            # A key for each job: a page may have several with a button.
            st.button("Stop", key=f"stop-{id(job)}", on_click=job.stop, help=stop_help)
        meanwhile()

    progress()
