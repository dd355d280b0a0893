"""A batch computed: begun, watched, stopped, and gone on with."""

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tted_core import TTEDError
from tted_core.batch.parts import part_files
from tted_core.batch.plans import Plan, understood
from tted_core.batch.running import Summary, run_batch
from tted_core.errors import Interrupted, OptionsError
from tted_core.formats.folder import Confined
from tted_core.formats.map_collections import Reading
from tted_core.foundations.monitor import Monitor, with_rates
from ui.comparisons import reads_word_models
from ui.errors import show_error
from ui.many.batches import Batch
from ui.processes import loading
from ui.running import begun, forget, watched

MAX_PAGE_PAIRS = 200_000
"""Pairs in a batch that is started on the page; the command `tted batch` takes any number."""

SLOT = "batch"


def run_if_asked(batch: Batch, meanwhile: Callable[[DeltaGenerator], None]) -> None:
    """Begin what was asked for, and watch it until it ends; then whoever looks has all rows that there are.

    ``meanwhile`` draws the rows that are done by then.
    """
    if not batch.can_go_on:
        return
    assert batch.options is not None
    if st.session_state.pop("evaluate-go", None) == batch.place:
        forget(SLOT, batch.place)
    elif not begun(SLOT, batch.place):
        return
    try:
        watched(
            SLOT,
            batch.place,
            partial(_computed, batch),
            stop_help="Keeps the rows that are done. You can go on later.",
            long=True,
            word_models=reads_word_models(
                *(each.distance for each in batch.options.methods), *batch.options.baselines
            ),
            patience=0.0,  # what is done is on disk
            meanwhile=meanwhile,
        )
    except Interrupted:
        pass  # what there is tells that it is not all
    except TTEDError as error:
        show_error(error)


def offer_to_go_on(batch: Batch, done: int) -> None:
    """Tell that not all pairs are done, and offer to do the others."""
    every = f" of {batch.pairs:,}" if batch.pairs else ""
    with st.container(horizontal=True, vertical_alignment="center", key="evaluate-partial"):
        st.warning(
            f"Not finished: {done:,}{every} pairs are done. What is below is partial, and so are the downloads.",
            icon=":material/warning:",
            width=640,
        )
        if batch.can_go_on:
            st.button("Go on", type="primary", on_click=go_on, args=(batch.place,))
    if not batch.can_go_on:
        st.caption("It can't go on here. The command `tted batch` can.")


def go_on(place: str) -> None:
    """Ask for the rest; for a widget's callback."""
    st.session_state["evaluate-go"] = place


def is_begun(batch: Batch) -> bool:
    """Whether any pair is done."""
    return bool(part_files(batch.folder))


def _computed(batch: Batch, monitor: Monitor) -> Summary:
    assert batch.options is not None
    monitor.stage("Finding the pairs")
    inputs = batch.inputs(MAX_PAGE_PAIRS)
    try:
        # One process: the server gives each visitor one, and the others to other visitors.
        return run_batch(
            inputs,
            batch.options,
            batch.folder,
            workers=1,
            resume=True,
            load=loading.encoder,
            monitor=monitor.telling(with_rates(monitor.tell)),
        )
    except OptionsError as error:  # a newer version of this program, say: the visitor knows no folder
        raise OptionsError(str(error).replace(str(batch.folder), "the batch")) from error


def planned(folder: Path, reading: Reading, roles: Mapping[str, str]) -> Plan:
    """What can be compared in a folder, read once by a process beside the server; again if the folder changes.

    Raises:
        TTEDError: there is nothing, or it can't be read.
    """
    key = folder, reading, tuple(sorted(roles.items())), _stamp(folder)
    work = partial(_planned, folder, reading, dict(roles))
    found = watched("evaluate-plan", key, work, stop_help="Stops reading.", kept=4)
    if isinstance(found, TTEDError):
        raise found
    return found


def _stamp(folder: Path) -> tuple[int, ...]:
    """Something that changes with the files in a folder."""
    try:
        found = [folder.stat(), *(each.stat(follow_symlinks=False) for each in os.scandir(folder))]
    except OSError:
        return ()
    return max(each.st_mtime_ns for each in found), len(found), sum(each.st_size for each in found)


def _planned(folder: Path, reading: Reading, roles: dict[str, str], monitor: Monitor) -> Plan | TTEDError:
    files = Confined((folder,))
    try:
        return understood(folder, files, reading=reading, roles=roles, most=MAX_PAGE_PAIRS, monitor=monitor)
    except TTEDError as error:  # an outcome too: it isn't looked for again
        return error
