"""A batch computed: begun, watched, stopped, and gone on with."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tted_core import Interrupted, TTEDError
from tted_core.batch.parts import part_files
from tted_core.batch.running import Summary, run_batch
from tted_core.errors import OptionsError
from tted_core.limits import MAX_PAGE_PAIRS, check_limit
from tted_core.monitor import Monitor, with_rates
from ui import cache
from ui.comparisons import needs_server
from ui.errors import show_error
from ui.many.kept_batches import Batch, alone, is_kept
from ui.running import begun, forget, watched

SLOT = "batch"


def run_if_asked(batch: Batch, meanwhile: Callable[[DeltaGenerator], None] | None = None) -> None:
    """Begin what was asked for, and watch it until it ends; then whoever looks has all rows that there are.

    ``meanwhile`` draws the rows that are done by then.
    """
    if not batch.can_go_on:
        return
    assert batch.options is not None
    if st.session_state.pop("batch-go", None) == batch.place:
        forget(SLOT, batch.place)
    elif not begun(SLOT, batch.place):
        return
    if (
        is_kept()
    ):  # the page writes its address when it is drawn to its end: whoever reloads it before comes back too
        st.query_params.update({"tab": "results", "batch": batch.place})
    try:
        watched(
            SLOT,
            batch.place,
            partial(_computed, batch, batch.readable),
            stop_help="Keeps the rows that are done. You can go on later.",
            long=True,
            in_server=needs_server(*(each.distance for each in batch.options.methods)),
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
    with st.container(horizontal=True, vertical_alignment="center", key="batch-partial"):
        st.warning(
            f"Not finished: {done:,}{every} pairs are done. What is below is partial, and so are the downloads.",
            icon="⚠️",
            width=640,
        )
        if batch.can_go_on:
            st.button("Go on", type="primary", on_click=go_on, args=(batch.place,))
    if not batch.can_go_on:
        st.caption("To go on, repeat the command that began it, with `--resume`.")


def go_on(place: str) -> None:
    """Ask for the rest; for a widget's callback."""
    st.session_state["batch-go"] = place


def is_begun(batch: Batch) -> bool:
    """Whether any pair is done."""
    return bool(part_files(batch.folder))


def _computed(batch: Batch, readable: tuple[Path, ...], monitor: Monitor) -> Summary:
    assert batch.options is not None
    with alone(batch.folder.parent if batch.own else batch.folder):
        monitor.stage("Finding the pairs", 0.0)
        inputs = batch.inputs(readable)
        check_limit(len(inputs.ids), MAX_PAGE_PAIRS, "pairs", "go on by the command tted batch ... --resume")
        try:
            # One process: the server gives each visitor one, and the others to other visitors.
            return run_batch(
                inputs,
                batch.options,
                batch.folder,
                workers=1,
                resume=True,
                load=cache.fresh_encoder,
                monitor=monitor.telling(with_rates(monitor.tell)),
            )
        except OptionsError as error:  # a newer version of this program, say: the visitor knows no folder
            raise OptionsError(str(error).replace(str(batch.folder), "the batch")) from error
