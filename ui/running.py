"""Running comparisons: progress with a stage name, a stop button, and the last results kept."""

from collections.abc import Callable, Hashable
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from tted_core import BASELINES, MASKED_DISTANCES, Comparison, MindMap, compare
from ui import cache
from ui.job import Job, Progress, ShouldStop
from ui.options import UNORDERED_SECONDS, Choice

Result = TypeVar("Result")

KEPT = 12
"""Results kept per visitor."""


@dataclass(frozen=True)
class Request:
    """What is asked for; equal requests have equal answers."""

    left: MindMap
    right: MindMap
    choice: Choice


def run(left: MindMap, right: MindMap, choice: Choice) -> Comparison:
    """The comparison of the two maps, from the session if it was made before.

    Raises:
        TTEDError: whatever the core says of the input; ``Interrupted`` if it was stopped before a result.
    """
    request = Request(left, right, choice)
    results: dict[Request, Comparison] = st.session_state.setdefault("results", {})
    with st.container():  # there in every run, so that what is drawn below keeps its place
        if request not in results:
            results[request] = _watched(request)
    while len(results) > KEPT:
        results.pop(next(iter(results)))
    return results[request]


def offer_another_search(left: MindMap, right: MindMap, choice: Choice) -> None:
    """A button below a result that is not proven: a search that was stopped can be made again."""
    request = Request(left, right, choice)
    st.button("Search again", on_click=_forget, args=(request,))


def _forget(request: Request) -> None:
    """Drop a result, and whatever was made of it."""
    st.session_state["results"].pop(request, None)
    st.session_state.get("slots", {}).clear()


def run_other_order(left: MindMap, right: MindMap, choice: Choice, order: str) -> Comparison:
    """The same comparison in another order."""
    seconds = (choice.time_limit or UNORDERED_SECONDS) if order == "unordered" else None
    return run(left, right, replace(choice, order=order, time_limit=seconds))


def _watched(request: Request) -> Comparison:
    """Start the comparison, or find the one that is under way, and show how it goes on."""
    jobs: dict[Request, Job[Comparison]] = st.session_state.setdefault("jobs", {})
    for other in [each for each in jobs if each != request]:
        jobs.pop(other).stop()  # its visitor has moved on
    job = jobs.get(request) or jobs.setdefault(request, Job(partial(_compare, request)))
    watch(job, stop_help="Keeps the best edit script found so far, if there is one.")
    del jobs[request]
    return job.result()


def _compare(request: Request, progress: Progress, should_stop: ShouldStop) -> Comparison:
    return compare(
        request.left,
        request.right,
        **loaded(request.choice, progress),
        baselines=BASELINES,
        progress=progress,
        should_stop=should_stop,
    )


def loaded(choice: Choice, progress: Progress) -> dict[str, Any]:
    """The choice as ``compare`` takes it, with the models that it names.

    Raises:
        TTEDError: a model can't be had.
    """
    options = {**asdict(choice), "encoder": cache.encoder(choice.encoder)}
    if choice.distance in MASKED_DISTANCES:
        progress("Loading the masked model", 0.0)
        options["masked_model"] = cache.masked_model(choice.masked_model)
    return options


def watched(
    slot: str, key: Hashable, work: Callable[[Progress, ShouldStop], Result], *, stop_help: str
) -> Result:
    """The result of some work, watched while it goes on and kept until the same slot is asked for another key.

    Args:
        slot: what the work is for; there is one of each, and another key stops what is under way.
        key: equal keys have equal results.
        work: see ``Job``.
        stop_help: the help text of the button that stops it.

    Raises:
        TTEDError: whatever the work raises; the next call starts it again.
    """
    slots: dict[str, tuple[Hashable, Job[Result]]] = st.session_state.setdefault("slots", {})
    if slot in slots and slots[slot][0] != key:
        slots.pop(slot)[1].stop()
    if slot not in slots:
        slots[slot] = (key, Job(work))
    job = slots[slot][1]
    with st.container():  # as in ``run``
        watch(job, stop_help=stop_help)
    try:
        return job.result()
    except Exception:
        slots.pop(slot, None)
        raise


def is_ready(slot: str, key: Hashable) -> bool:
    """Whether the work for this key was begun in the slot, so that ``watched`` doesn't begin it anew."""
    slots: dict[str, tuple[Hashable, Job[Any]]] = st.session_state.get("slots", {})
    return slot in slots and slots[slot][0] == key


def watch(job: Job[Any], *, stop_help: str) -> None:
    """Wait for the job to end, with a bar that shows how far it is and a button that asks it to stop."""
    if not job.wait(0.3):  # most are ready by then, and nothing flickers
        place = st.empty()
        with place.container(horizontal=True, vertical_alignment="center"):
            bar = st.progress(job.share, job.stage)
            st.button("Stop", on_click=job.stop, help=stop_help)
        while not job.wait(0.2):
            bar.progress(job.share, job.stage)
        place.empty()
