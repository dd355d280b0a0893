"""The mapping, which takes most of the screen: as two outlines, or as a graph."""

from collections.abc import Mapping

import streamlit as st

from tted_core import Comparison
from tted_core.explain.looks import counted_looks, looks
from tted_core.solvers.structure import Entry
from ui.mapping.outline import outline, take_pick
from ui.mapping.selection import settle
from ui.text import plural

VIEWS = ("outline", "graph")

HEADER = 44
ROW = 58


def mapping_view(result: Comparison, *, table: Mapping[Entry, str] | None = None) -> None:
    """Draw the view that is chosen, the outline at first.

    Args:
        result: what to draw.
        table: what the outline's table of operations says besides of some of them; None for no table.
    """
    take_pick()
    settle(result)
    with st.container(horizontal=True, vertical_alignment="center", key="view-tools"):
        view = _one_of("View", VIEWS, "view")
        if view == "graph":
            st.caption("Both trees as a whole, growing towards each other; point at a box to read it.")
    _explain_contexts(result)
    if view == "graph":
        _graph(result)
    else:
        outline(result, table=table)


def _explain_contexts(result: Comparison) -> None:
    """Say why nodes that nobody changed are replaced, where some are."""
    count = counted_looks(looks(result))["context"]
    if count:
        st.caption(
            f"ℹ️ {plural(count, 'node')} of the same text {'is' if count == 1 else 'are'} replaced: with the "
            f"context *{result.method.context}*, a sentence counts with what is around it, and that has changed. "
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
        on_change=st.rerun,  # the whole page: its address says it
    )
    return chosen or choices[0]


def _graph(result: Comparison) -> None:
    from ui.mapping.graph import mapping_html

    rows = max(len(result.left.tree), len(result.right.tree)) + result.script.count("insert")
    st.iframe(
        mapping_html(result, dark=st.context.theme.type == "dark"),
        height=min(HEADER + ROW * rows, 760),
        alt="Graph of the mapping: both maps with matched nodes joined",
    )
