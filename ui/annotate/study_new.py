"""Make a study: its maps are compared once, and what comes out is fixed for everybody."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from tted_core import Interrupted, TTEDError
from tted_core.annotate.reviews import Study, Task
from tted_core.annotate.studies import Mapping, Studies, fixed_tasks
from tted_core.method import Method
from tted_core.monitor import Monitor
from ui.annotate.study_pairs import Given, given_pairs
from ui.comparisons import models, needs_server
from ui.running import watched
from ui.text import markdown_escaped, plural

STEPS = """1. **Make** a study: each document's reference map is compared with its other maps, once and for all.
2. **Assign** the mappings to annotators, who judge them under *Review a mapping*.
3. **Watch** progress and agreement here, and settle what they dispute under *Settle disputes*."""
MAKING = "study-making"


def new_study(studies: Studies, options: Method) -> None:
    """Draw what a study is made of, and make it."""
    st.markdown(STEPS)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(
            "Name",
            max_chars=200,
            key="study-name",
            placeholder="Tides, first round",
            width=380,
            persist_state="session",
        )
        seed = st.number_input(
            "Seed",
            0,
            2**31 - 1,
            0,
            key="study-seed",
            width=140,
            help="Whatever is drawn is drawn by it: who judges what, and in which order.",
        )
    given = given_pairs(options, seed)
    if given is None:
        return
    st.button(
        f"Make the study of {plural(given.count, 'mapping')}",
        type="primary",
        disabled=not name.strip(),
        help="They are compared by the options in the sidebar (pairs of a batch by the batch's), and keep them.",
        on_click=st.session_state.__setitem__,
        args=(MAKING, True),
    )
    if st.session_state.get(MAKING):
        _make(studies, Study(name, seed=seed), given)


def _make(studies: Studies, study: Study, given: Given) -> None:
    try:
        tasks = watched(
            "study",
            (given.identity, given.options),
            partial(_fix, given.read(), given.options),
            stop_help="Ends without a study.",
            long=True,
            in_server=needs_server(given.options.distance),
        )
        made = studies.make(study, tasks)
    except Interrupted:
        raise
    except TTEDError:
        st.session_state[MAKING] = False
        raise
    st.session_state[MAKING] = False
    st.session_state["study-go"] = made.name
    different = {(task.document, task.left.digest, task.right.digest) for task in tasks}
    same = len(tasks) - len(different)
    st.session_state["study-outcome"] = (
        f"Made “{markdown_escaped(made.name)}” of {plural(len(different), 'mapping')}. Now assign them."
        + (f" {plural(same, 'mapping')} of the very same maps as another: judged once." if same else "")
    )
    st.rerun()


def _fix(mappings: Sequence[Mapping], options: Method, monitor: Monitor) -> tuple[Task, ...]:
    return fixed_tasks(mappings, options, models(), monitor=monitor)
