"""A long run of the laboratory: started by a button, watched, stopped, and its result kept while one looks on."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from ui.job import Job, Progress, ShouldStop
from ui.running import watch

Result = TypeVar("Result")


@dataclass
class _Run:
    """What a visitor last ran: for which request, the job while it is under way, and what came out."""

    request: Hashable = None
    job: Job[Any] | None = None
    result: Any = None


def run_on_demand(
    name: str,
    request: Hashable,
    work: Callable[[Progress, ShouldStop], Result],
    *,
    label: str = "Run",
    disabled: bool = False,
) -> Result | None:
    """A button that starts the work; gives the result for this request, None while there is none.

    ``name`` tells the runs of one page apart. A run goes on while its visitor clicks elsewhere; it is stopped once
    the request is another one.

    Raises:
        TTEDError: whatever the work raised.
    """
    run: _Run = st.session_state.setdefault(f"{name}-run", _Run())
    if st.button(label, type="primary", key=f"{name}-start", disabled=disabled):
        _stop(run)
        run.request, run.job, run.result = request, Job(work), None
    if run.request != request:
        _stop(run)
        if run.result is not None:
            st.caption("The settings have changed since the last run: run it again to see its results.")
        return None
    if run.job:
        watch(run.job, stop_help="Keeps what has been measured so far.")
        job, run.job = run.job, None
        run.result = job.result()
    result: Result | None = run.result
    return result


def _stop(run: _Run) -> None:
    if run.job:
        run.job.stop()
        run.job = None
