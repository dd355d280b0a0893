"""Running a comparison: progress with a stage name, a stop button, and the last result kept."""

from dataclasses import asdict

import streamlit as st

from tted_core import BASELINES, Comparison, MindMap, compare
from ui import cache
from ui.options import Choice


def run(left: MindMap, right: MindMap, choice: Choice) -> Comparison | None:
    """The comparison of the two maps; None if the visitor stopped it.

    Raises:
        TTEDError: whatever the core says of the input.
    """
    request = (left.tree, right.tree, left.notices, right.notices, choice)
    kept = st.session_state.get("result")
    if kept and kept[0] == request:
        return kept[1]
    if st.session_state.get("stopped") == request:
        st.info("Stopped. Change the maps or the options, or run this comparison again.")
        if not st.button("Run again", type="primary"):
            return None
        del st.session_state["stopped"]
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, "Starting")
        st.button("Stop", on_click=lambda: st.session_state.update(stopped=request))
        result = compare(
            left,
            right,
            **asdict(choice) | {"encoder": _encoder(choice.encoder, bar)},
            baselines=BASELINES,
            progress=lambda stage, share: bar.progress(min(max(share, 0.0), 1.0), stage),
        )
    place.empty()
    st.session_state["result"] = (request, result)
    return result


def _encoder(name: str, bar) -> cache.SentenceEncoder:  # noqa: ANN001 - Streamlit doesn't export the type
    bar.progress(0.0, "Loading the encoder (about 10 seconds the first time)")
    return cache.encoder(name)
