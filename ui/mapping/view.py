"""The mapping, which takes most of the screen: as two outlines, or as a graph."""

import streamlit as st

from tted_core import Comparison
from tted_core.script import SAME_TEXT
from ui.mapping.graph import LAYOUTS, mapping_html
from ui.mapping.outline import outline, take_pick
from ui.mapping.selection import settle
from ui.text import plural

VIEWS = ("outline", "graph")

HEADER = 44
ROW = 58


def mapping_view(result: Comparison) -> None:
    """Draw the view that is chosen, the outline at first."""
    take_pick()
    settle(result)
    with st.container(horizontal=True, vertical_alignment="center", key="view-tools"):
        view = _one_of("View", VIEWS, "view")
        if view == "graph":
            layout = _one_of("Layout of the graph", tuple(LAYOUTS), "layout")
            st.caption(LAYOUTS[layout], width="content")
        else:
            large = st.toggle(
                "Large text", key="large-outline", persist_state="session", help="For a projector."
            )
    _explain_contexts(result)
    if view == "graph":
        _graph(result, layout)
    else:
        outline(result, large=large)


def _explain_contexts(result: Comparison) -> None:
    """Say why nodes that nobody changed are replaced, where some are."""
    count = sum(SAME_TEXT in op.notes for op in result.script.ops)
    if count:
        st.caption(
            f"ℹ️ {plural(count, 'node')} of the same text {'is' if count == 1 else 'are'} replaced: with the "
            f"context *{result.options.context}*, a sentence counts with what is around it, and that has changed. "
            "To see only what was edited, choose the context *none*."
        )


def _one_of(label: str, choices: tuple[str, ...], key: str) -> str:
    """One of the choices, always: a click on the chosen one doesn't take it away."""
    st.session_state.setdefault(key, choices[0])
    chosen = st.segmented_control(
        label,
        choices,
        key=key,
        required=True,
        format_func=str.capitalize,
        label_visibility="collapsed",
        persist_state="session",
    )
    return chosen or choices[0]


def _graph(result: Comparison, layout: str) -> None:
    rows = max(len(result.left.tree), len(result.right.tree)) + result.script.count("insert")
    st.iframe(
        mapping_html(result, layout=layout, dark=st.context.theme.type == "dark"),
        height=min(HEADER + ROW * rows, 760),
        alt="Graph of the mapping: both maps with matched nodes joined",
    )
