"""Both maps as outlines side by side, matched nodes on one row: the view that a comparison opens with."""

from pathlib import Path

import streamlit as st

from tted_core import Comparison
from ui.component import component
from ui.outline.rows import outline_rows
from ui.selection import reveals, select, selected

_outline = component(Path(__file__).parent, ("elements.js", "links.js", "outline.js"))


def outline(comparison: Comparison, *, large: bool = False) -> None:
    """Draw it, with what is selected; ``large`` is for a projector. A click or Enter selects a pair."""
    _outline(
        data={
            "rows": outline_rows(comparison),
            "selected": [selected().source, selected().target],
            "reveals": reveals(),
            "picks": st.session_state.get("outline-picks", 0),
            "large": large,
        },
        key="outline",
        on_picked_change=_pick,
    )


def _pick() -> None:
    source, target, st.session_state["outline-picks"] = st.session_state["outline"].picked
    select(source, target, reveal=False)  # it is in view: somebody has just clicked it
