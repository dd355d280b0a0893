"""The mapping, which takes most of the screen."""

import streamlit as st

from tted_core import Comparison
from ui.graph import mapping_html

HEADER = 44
ROW = 58


def mapping_view(result: Comparison) -> None:
    """Draw the graph view."""
    rows = max(len(result.left.tree), len(result.right.tree)) + result.script.count("insert")
    st.iframe(
        mapping_html(result, dark=st.context.theme.type == "dark"),
        height=min(HEADER + ROW * rows, 760),
        alt="Graph of the mapping: both maps as outlines with matched nodes joined",
    )
