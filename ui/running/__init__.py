"""Long work on a page: started, watched with a button that stops it, and its results kept for its visitor.

Whatever takes long on any page goes this way. What it is for is its *slot*; equal *keys* have equal results, so a
slot keeps its last results by their keys, and asking it for another key stops what is under way. A slot named
"a/b" holds what was made of the results of "a". Everything is stopped soon after its visitor has left, or once it
has taken as long as the server allows. Processes of its own do it (``ui/processes``), by turns of the visitors.
"""

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

from tted_core.foundations.monitor import Monitor
from ui.processes.tasks import Work, any_result
from ui.processes.turns import Gate
from ui.running.job import Job, Visitor, present_visitor

__all__ = [
    "PAGE_RUNS",
    "Work",
    "begun",
    "computed",
    "forget",
    "found_meanwhile",
    "maker",
    "watched",
    "watched_on_demand",
]

Result = TypeVar("Result")

COMPUTED_KEPT = 24
"""Results of ``computed`` kept per slot: a sheet has 15 exercises."""

PAGE_RUNS = Gate()
"""Of all visitors. What is clicked in a fragment runs beside them."""


def watched(
    slot: str,
    key: Hashable,
    work: Work[Result],
    *,
    stop_help: str,
    kept: int = 1,
    is_whole: Callable[[Result], bool] = lambda _result: True,
    long: bool = False,
    word_models: bool = False,
    beforehand: Work[object] | None = None,
    shared: Callable[[Result], bool] | None = None,
    patience: float | None = None,
    meanwhile: Callable[[DeltaGenerator], None] | None = None,
) -> Result:
    """The result of some work, watched while it goes on; kept, so that it is there at once the next time.

    Args:
        slot: what the work is for; there is one job of each at a time.
        key: tells what exactly is asked for.
        work: see ``Work``.
        stop_help: the help text of the button that stops it.
        kept: how many results are kept.
        is_whole: whether a result is worth keeping; any other is given out once.
        long: whether the work may take many minutes; shorter work then goes on beside it.
        word_models: whether it reads vectors of words or a masked language model; a process that keeps these
            loaded does it.
        beforehand: what a thread of the server does before the work's turn comes, such as waiting for vectors.
        shared: whether a result will do for other visitors who ask with this key, a function of a module; None
            shares none.
        patience: for so many seconds it may go on once stopped; by default, long enough for a result so far.
        meanwhile: is called some times a second with a place below the bar, to draw what is ready; no widgets.

    Raises:
        TTEDError: whatever the work raises; the next call starts it again.
    """
    jobs = _jobs(slot)
    _stop(jobs, but=key)
    present = present_visitor()
    if key not in jobs:
        jobs[key] = Job(
            work,
            present,
            long=long,
            word_models=word_models,
            beforehand=beforehand,
            shared=None if shared is None else ((slot, key), shared),
            patience=patience,
        )
    job: Job[Result] = jobs[key]
    with st.container():  # there in every run, so that what is drawn below keeps its place
        _watch(job, stop_help, meanwhile or (lambda _place: None))
    if job.was_cut:
        st.caption(f"Stopped after {job.max_seconds:g} seconds, the time limit of this server.")
    try:
        result = job.result()
    except Exception:
        jobs.pop(key, None)
        raise
    if not is_whole(result):
        del jobs[key]
    while len(jobs) > kept:
        del jobs[next(iter(jobs))]
    return result


def computed(slot: str, function: Callable[..., Result], *given: Hashable) -> Result:
    """What a function that takes a moment returns in a process; once for all visitors who give it the same.

    Args:
        slot: as ``watched`` has it.
        function: of a module, for it is sent to the process.
        *given: its arguments.

    Raises:
        TTEDError: whatever it raises; ``Interrupted`` if its visitor stopped it.
    """
    return watched(
        slot,
        (function.__module__, function.__qualname__, given),
        partial(_called, function, given),
        stop_help="Ends without a result.",
        kept=COMPUTED_KEPT,
        shared=any_result,
    )


def maker(make: Callable[[], Result]) -> Callable[[], Result]:
    """A function that has a file made in a process, for the button that saves it: no page watches it then.

    Args:
        make: a function of a module, or a ``partial`` of one, for it is sent to the process; whatever it raises is
            raised.
    """
    return partial(_made, make, present_visitor())


def _made(make: Callable[[], Result], visitor: Visitor) -> Result:
    job = Job(partial(_called, make, ()), visitor)
    job.wait(None)
    return job.result()


def _called(function: Callable[..., Result], given: tuple[Any, ...], _monitor: Monitor) -> Result:
    return function(*given)


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
        jobs[key] = Job(work, present_visitor(), shared=((slot, key), any_result))
    job: Job[Result] = jobs[key]
    with PAGE_RUNS.outside():
        is_ready = job.wait(seconds)
    return job.result() if is_ready else None


def watched_on_demand(
    slot: str,
    key: Hashable,
    work: Work[Result],
    *,
    label: str = "Run",
    stop_help: str = "Keeps what has been measured so far.",
    disabled: bool = False,
    word_models: bool = False,
) -> Result | None:
    """The same behind a button that starts the work; None while there is no result for this key.

    It goes on while its visitor clicks elsewhere, and is stopped once the key is another one.

    Raises:
        TTEDError: whatever the work raises, once; the button starts it again.
    """
    jobs = _jobs(slot)
    if st.button(label, type="primary", key=f"{slot}-start", disabled=disabled):
        forget(slot, key)
    elif key not in jobs:
        _stop(jobs, but=key)
        if jobs:
            st.caption("The settings have changed since the last run: run it again to see its results.")
        return None
    return watched(slot, key, work, stop_help=stop_help, long=True, word_models=word_models)


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
        job.drop()


def _slots() -> dict[str, dict[Hashable, Job[Any]]]:
    slots: dict[str, dict[Hashable, Job[Any]]] = st.session_state.setdefault("slots", {})
    return slots


def _jobs(slot: str) -> dict[Hashable, Job[Any]]:
    return _slots().setdefault(slot, {})


def _stop(jobs: dict[Hashable, Job[Any]], but: Hashable = None) -> None:
    """Stop and drop what is under way, for its visitor has moved on."""
    for key in [key for key, job in jobs.items() if key != but and not job.wait(0)]:
        jobs.pop(key).drop()


def _watch(job: Job[Any], stop_help: str, meanwhile: Callable[[DeltaGenerator], None]) -> None:
    """Wait for the job to end, with a bar that shows how far it is and a button that asks it to stop."""
    with PAGE_RUNS.outside():
        if not job.wait(0.3):  # most are ready by then, and nothing flickers
            place = st.empty()
            with place.container(horizontal=True, vertical_alignment="center"):
                bar = st.progress(job.share, job.stage)
                # A key of its own: several jobs of one run of the page may have a button.
                st.button("Stop", key=f"stop-{job.number}", on_click=job.stop, help=stop_help)
            below = st.empty()
            drawn = None
            while not job.wait(0.5):
                if drawn != (drawn := (job.share, job.stage)):  # many visitors wait at once
                    bar.progress(*drawn)
                meanwhile(below)
                _heed_fragments()
            place.empty()
            below.empty()


def _heed_fragments() -> None:
    """Run the page anew if its visitor has clicked in a fragment, on Stop perhaps.

    Any other click ends a run at once, but Streamlit lets one in a fragment wait for the end of the run.
    """
    context = get_script_run_ctx()
    requests = context and context.script_requests
    # It can't be asked otherwise; tests/ui/test_running.py tells if it moves.
    if requests and requests._state is ScriptRequestType.RERUN:  # noqa: SLF001
        st.rerun()  # together with what was clicked
