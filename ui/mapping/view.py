"""The mapping as two outlines or as a graph."""

from collections.abc import Callable

import streamlit as st

from tted_core import Comparison
from ui.fields import choice
from ui.mapping.outline import outline, take_pick
from ui.mapping.selection import settle

VIEW = choice(
    "view",
    "View",
    ("outline", "graph"),
    "outline",
    widget="segmented_control",
    kept=False,
    persist_state="session",
    required=True,
    format_func=str.capitalize,
    label_visibility="collapsed",
    on_change=st.rerun,  # the whole page, so that its address changes
)


def mapping_view(
    result: Comparison, *, table: bool = False, beside: Callable[[], None] | None = None
) -> None:
    """Draw the chosen view, by default the outline.

    Args:
        result: what to draw.
        table: whether the list of changes stands beside the outline.
        beside: draws a line or two beside the choice of the view.
    """
    take_pick()
    settle(result)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="view-tools"):
        view = VIEW.draw() or VIEW.default  # a client that isn't a browser may send anything
        if beside:
            beside()
    outline(result, view, table=table)
