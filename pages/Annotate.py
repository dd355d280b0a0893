"""The Annotate page: check a map, hold annotators' maps against each other, and keep what was decided."""

import streamlit as st

from ui.annotate.agreement import compare_annotators
from ui.annotate.checks import check_a_map
from ui.annotate.review import review
from ui.annotate.settle import settle
from ui.errors import show_errors
from ui.options import sidebar
from ui.page import page

PARTS = {
    "Check a map": check_a_map,
    "Compare annotators": compare_annotators,
    "Review a mapping": review,
    "Settle disputes": settle,
}

with page("Annotate: check, compare, review"):
    options = sidebar()
    for tab, draw in zip(
        st.tabs(list(PARTS), key="annotate", on_change="rerun"), PARTS.values(), strict=True
    ):
        # What was pasted or uploaded to be checked would be lost if its card weren't drawn.
        if tab.open or draw is check_a_map:
            with tab, show_errors():
                draw(options)
