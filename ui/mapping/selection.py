"""The selected pair of nodes, shared by all views and tables of a page.

``st.session_state["selected"]`` holds it. The outline highlights it and scrolls to it; "why this pair",
the cost receipt and the steps read it here. Call ``select`` in a widget's callback, so that
everything on the page is drawn with the new selection.
"""

from dataclasses import dataclass

import streamlit as st

from tted_core import Comparison
from tted_core.script import EditOp


@dataclass(frozen=True)
class Selection:
    """Preorder indices of the left and the right node, None on a side without one; false if empty."""

    source: int | None = None
    target: int | None = None

    def __bool__(self) -> bool:
        return self != Selection()


def read_selection() -> Selection:
    """The current selection; after ``settle``, an operation of the script on screen, or empty."""
    selection: Selection = st.session_state.get("selected", Selection())
    return selection


def select(source: int | None, target: int | None, *, reveal: bool = True) -> None:
    """Select a pair, or one node and None. ``reveal`` makes the outline scroll to it, even if it was selected."""
    st.session_state["selected"] = Selection(source, target)
    if reveal:
        st.session_state["reveals"] = reveals() + 1


def reveals() -> int:
    """Count of selections that the outline should scroll to; it scrolls when the count changes."""
    count: int = st.session_state.get("reveals", 0)
    return count


def settle(comparison: Comparison) -> EditOp | None:
    """The selected operation of the comparison that is now on screen, None if nothing is selected.

    Other maps end the selection. With other options the same nodes may be paired differently: the selection then
    stays with its left node, or its right one if it has no left one, and takes the new partner.
    """
    maps = (comparison.left.tree.digest, comparison.right.tree.digest)
    if st.session_state.get("selected-maps", maps) != maps:
        select(None, None, reveal=False)
    st.session_state["selected-maps"] = maps
    selection = read_selection()
    side = "source" if selection.source is not None else "target"
    node = getattr(selection, side)
    op = (
        None
        if node is None
        else next((op for op in comparison.script.ops if getattr(op, side) == node), None)
    )
    select(op.source if op else None, op.target if op else None, reveal=False)
    return op
