"""Make a study: its maps are compared once, and what comes out is fixed for everybody."""

import random
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.reviews import Study, Task, clean_name
from tted_core.annotate.studies import MapPair, Studies, fixed_tasks, mappings_of, mappings_of_pairs
from tted_core.batch.plans import guess_reference
from tted_core.errors import Interrupted
from tted_core.foundations.limits import MAX_STUDY_MAPPINGS
from tted_core.foundations.monitor import Monitor
from tted_core.method import Method
from ui.annotate.collection import collection_input
from ui.comparisons import reads_word_models
from ui.many.kept_batches import batch_at, results_of
from ui.many.server_folders import folders_below, offered_folders
from ui.options import offered_method
from ui.processes import loading
from ui.running import watched
from ui.text import markdown_escaped, plural

SOURCES = ("Maps by document and annotator", "Pairs of a batch")

SETTINGS = {"Proofreading": "proofreading", "As published": "published", "Options in the sidebar": ""}
"""Words -> the preset by which maps are compared with a reference; "" for what the sidebar says."""

Sidebar: TypeAlias = Callable[[], Method]
"""Draws the options of the method, and returns what they say."""


@dataclass(frozen=True)
class Given:
    """Mappings to be: how many, what tells them from others, what reads them, and the options they are made by."""

    count: int
    identity: Hashable
    read: Callable[[], tuple[MapPair, ...]]
    options: Method


def given_pairs(sidebar: Sidebar, seed: int) -> Given | None:
    """Draw where the mappings come from; None while there are none."""
    source = st.segmented_control(
        "Mappings come from",
        SOURCES,
        required=True,
        default=SOURCES[0],
        key="study-source",
        persist_state="session",
    )
    return _of_batch(seed) if source == SOURCES[1] else _of_maps(sidebar)


def _of_maps(sidebar: Sidebar) -> Given | None:
    documents = [each for each in collection_input(key="study-maps", samples=False) if len(each.maps) > 1]
    if not documents:
        st.caption("A document needs two maps: a mapping of them is what is judged.")
        return None
    names = list(dict.fromkeys(name for each in documents for name in each.maps))
    guessed, is_sure = guess_reference(names)
    reference = st.selectbox(
        "Reference map",
        names,
        index=names.index(guessed) if is_sure else 0,
        key="study-reference",
        persist_state="session",
        width=300,
        help="It is compared with each other map of its document. Documents without a map of this name take their "
        "first one.",
    )
    setting = st.selectbox(
        "Compared by",
        list(SETTINGS),
        key="study-compared-by",
        persist_state="session",
        width=300,
        help="Proofreading finds single wrong sentences and pairs moved ones more surely.",
    )
    preset = SETTINGS[setting]
    found = mappings_of(documents, reference)
    identity = tuple(
        (each.document, each.left_name, each.right_name, each.left.tree.digest, each.right.tree.digest)
        for each in found
    )
    return Given(len(found), identity, lambda: found, Method.of(preset) if preset else sidebar())


def _of_batch(seed: int) -> Given | None:
    own = st.session_state.get("evaluate-place")
    folders = [str(folder) for folder, has_results in folders_below(offered_folders()) if has_results]
    offered = list(dict.fromkeys([*([own] if own else ()), *folders]))
    place = st.selectbox(
        "Batch",
        offered,
        index=0 if offered else None,
        format_func=lambda each: "The one that is open on the page Evaluate" if each == own else each,
        key="study-batch",
        accept_new_options=True,
        placeholder="Choose a folder of results, or type its path",
    )
    if not place:
        st.caption(
            "A folder of results that the command `tted batch` wrote, or a run of the page *Evaluate*."
        )
        return None
    batch = batch_at(place)
    results = results_of(batch)
    with st.container(horizontal=True):
        setting = st.selectbox(
            "Computed by",
            range(len(results.settings)),
            format_func=lambda number: ", ".join(
                str(each) for each in results.settings[number].values() if each is not None
            ),
            key="study-setting",
            width=380,
        )
        rows = [
            pair
            for pair, failed, its in zip(results.pairs, results.failed, results.of_setting, strict=True)
            if not failed and its == setting
        ]
        count = st.number_input(
            f"How many of {len(rows):,} pairs",
            1,
            max(1, min(len(rows), MAX_STUDY_MAPPINGS)),
            min(len(rows) or 1, 30),
            key="study-count",
            help="The seed determines which ones.",
        )
    if not rows:
        st.info("This batch has no pair that was compared.")
        return None
    chosen = tuple(random.Random(f"{seed}").sample(rows, count))  # noqa: S311 - nothing is kept secret by it
    st.caption(f"{plural(count, 'pair')}, each a document of its own.")
    return Given(
        count,
        (batch.place, chosen),
        lambda: mappings_of_pairs(batch.inputs(), chosen),
        offered_method(Method.of_columns(results.settings[setting])),
    )


STEPS = """1. **Make** a study: each document's reference map is compared with its other maps, once and for all.
2. **Assign** the mappings to reviewers, who judge them under *Review a mapping*.
3. **Watch** progress and agreement here, and settle what they dispute under *Settle disputes*."""
MAKING = "study-making"


def new_study(studies: Studies, sidebar: Sidebar) -> None:
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
            help="Determines all random choices: who judges what, and in which order.",
        )
    given = given_pairs(sidebar, seed)
    if given is None:
        return
    st.button(
        f"Make the study of {plural(given.count, 'mapping')}",
        type="primary",
        help="They are compared once, by the setting chosen here (pairs of a batch by the batch's), and keep it.",
        on_click=st.session_state.__setitem__,
        args=(MAKING, True),
    )
    if st.session_state.get(MAKING):
        _make(studies, Study(name, seed=seed), given)


def _make(studies: Studies, study: Study, given: Given) -> None:
    try:
        clean_name(study.name, "the study's name")
        tasks = watched(
            "study",
            (given.identity, given.options),
            partial(_fix, given.read(), given.options),
            stop_help="Ends without a study.",
            long=True,
            word_models=reads_word_models(given.options.distance),
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


def _fix(mappings: Sequence[MapPair], options: Method, monitor: Monitor) -> tuple[Task, ...]:
    return fixed_tasks(mappings, options, loading.models(), monitor=monitor)
