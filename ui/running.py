"""Long work on a page: begun, watched with a button that stops it, and its results kept for its visitor.

Whatever takes long on any page goes this way. What it is for is its *slot*; equal *keys* have equal results, so a
slot keeps its last results by their keys, and asking it for another key stops what is under way. A slot named
"a/b" holds what was made of the results of "a". Everything is stopped soon after its visitor has left, or once it
has taken as long as the server allows.
"""

from collections.abc import Callable, Hashable
from concurrent.futures import wait
from typing import Any, TypeVar

import streamlit as st

from ui.executor import EXECUTOR, Job, Visitor, Work, max_seconds
from ui.page_runs import PAGE_RUNS

Result = TypeVar("Result")

PATIENCE_SECONDS = 2.5
"""For so long a run of a page waits for work, which is mostly ready by then.

It doesn't wait longer, for Streamlit lets a click in a fragment wait for the end of the run.
"""

EVERY_SECONDS = 1.0
"""So often the page looks how far work is for which no run waits any more."""


class NotYet(Exception):  # noqa: N818 - nothing went wrong
    """The work goes on, and its bar is drawn; the page runs anew once there is a result."""


def watched(
    slot: str,
    key: Hashable,
    work: Work[Result],
    *,
    stop_help: str,
    kept: int = 1,
    is_whole: Callable[[Result], bool] = lambda _result: True,
    long: bool = False,
    before: Work[object] | None = None,
    shared: bool = False,
    keeps: Callable[[Result], bool] = lambda _result: True,
    meanwhile: Callable[[], None] = lambda: None,
) -> Result:
    """The result of some work, kept, so that it is there at once the next time.

    Args:
        slot: what the work is for; there is one job of each at a time.
        key: tells what exactly is asked for.
        work: see ``Work``; it uses nothing of the page.
        stop_help: the help text of the button that stops it.
        kept: how many results are kept.
        is_whole: whether a result is worth keeping; any other is given out once.
        long: whether the work may take many minutes; shorter work then goes on beside it.
        before: what is done before the work's turn comes, such as waiting for vectors.
        shared: whether other visitors who ask with this key get the same result.
        keeps: whether a result will do for those who come later.
        meanwhile: draws, below the bar, what is ready.

    Raises:
        NotYet: it takes longer; the bar is drawn in place of what needs the result.
        TTEDError: whatever the work raises; the next call starts it again.
    """
    jobs, visitor = _jobs(slot), _visitor()
    _stop(jobs, but=key)
    if key not in jobs:
        jobs[key] = EXECUTOR.submit(
            work, visitor, long=long, before=before, key=(slot, key) if shared else None, keeps=keeps
        )
    job: Job[Result] = jobs[key]
    _wait(job)
    if not job.done():
        _watch(job, stop_help, meanwhile)
        raise NotYet
    if job.was_cut:
        st.caption(f"Stopped after {max_seconds():g} seconds, the time limit of this server.")
    if job.exception() is not None or not is_whole(job.result()):
        del jobs[key]
    while len(jobs) > kept:
        del jobs[next(iter(jobs))]
    return job.result()


def found_meanwhile(slot: str, key: Hashable, work: Work[Result], *, seconds: float) -> Result | None:
    """The result of short work that nobody asked for: without a bar, and None if it takes longer than ``seconds``.

    It goes on then, and is there the next time. Other visitors with this key get the same.

    Raises:
        TTEDError: whatever the work raises.
    """
    jobs = _jobs(slot)
    _stop(jobs, but=key)
    if key not in jobs:
        jobs.clear()
        jobs[key] = EXECUTOR.submit(work, _visitor(), key=(slot, key))
    with PAGE_RUNS.outside():
        wait([jobs[key]], seconds)
    return jobs[key].result() if jobs[key].done() else None


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
    jobs = _jobs(slot)
    if st.button(label, type="primary", key=f"{slot}-start", disabled=disabled):
        forget(slot, key)
    elif key not in jobs:
        _stop(jobs)
        if jobs:
            st.caption("The settings have changed since the last run: run it again to see its results.")
        return None
    return watched(slot, key, work, stop_help=stop_help, long=True)


def begun(slot: str, key: Hashable) -> bool:
    """Whether the work for this key was begun in the slot, so that ``watched`` doesn't begin it anew."""
    return key in _jobs(slot)


def forget(slot: str, key: Hashable) -> None:
    """Stop and drop what is there for this key, and what was made of the slot's results."""
    slots = _slots()
    made_of_it = [name for name in slots if name.startswith(f"{slot}/")]
    dropped = [slots.get(slot, {}).pop(key, None)]
    dropped += [job for name in made_of_it for job in slots.pop(name).values()]
    for job in filter(None, dropped):
        job.stop()


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


def _slots() -> dict[str, dict[Hashable, Job[Any]]]:
    slots: dict[str, dict[Hashable, Job[Any]]] = st.session_state.setdefault("slots", {})
    return slots


def _jobs(slot: str) -> dict[Hashable, Job[Any]]:
    return _slots().setdefault(slot, {})


def _stop(jobs: dict[Hashable, Job[Any]], but: Hashable = None) -> None:
    """Stop and drop what is under way, for its visitor has moved on."""
    for key in [each for each, job in jobs.items() if each != but and not job.done()]:
        jobs.pop(key).stop()


def _wait(job: Job[Any]) -> None:
    """Wait for the job for a while, with a bar once there is something to wait for."""
    place = st.empty()
    with PAGE_RUNS.outside():
        wait([job], 0.3)  # most are ready by then, and nothing flickers
        for _ in range(round(PATIENCE_SECONDS / 0.3) - 1):
            if job.done():
                break
            place.progress(job.share, job.stage)
            wait([job], 0.3)
    place.empty()


def _watch(job: Job[Any], stop_help: str, meanwhile: Callable[[], None]) -> None:
    """Draw how far the job is, as long as it takes, and a button that asks it to stop."""

    @st.fragment(run_every=EVERY_SECONDS)
    def progress() -> None:
        if job.done():
            st.rerun()
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(job.share, job.stage)
            # A key of its own: several jobs of one page may have a button.
            st.button("Stop", key=f"stop-{job.number}", on_click=job.stop, help=stop_help)
        meanwhile()

    progress()
