"""The mapping as two outlines or as a graph."""

from collections.abc import Callable
from functools import lru_cache

import streamlit as st

from tted_core import Comparison, MindMap
from tted_core.explain.build import explain
from tted_core.explanation import Explanation
from tted_core.script import EditScript
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


def explained(comparison: Comparison) -> Explanation:
    """The explanation of a comparison; those of the last ones are kept, as every part of a page asks for it."""
    return _explained(comparison, comparison.left, comparison.right, comparison.script)


@lru_cache(8)
def _explained(comparison: Comparison, _left: MindMap, _right: MindMap, _script: EditScript) -> Explanation:
    """Comparisons are equal by their signatures; names of maps and notes of operations aren't in them."""
    return explain(comparison)


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
    outline(explained(result), view, table=table)
