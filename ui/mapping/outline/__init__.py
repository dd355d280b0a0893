"""Both maps as outlines side by side, matched nodes on one row, or as a graph, drawn by one component.

Both views have the same nodes, filters, keys and selection. A graph of pyvis has no folding, no keys and no
selection shared with the outline, so pyvis draws the file to download only (``ui/compare/graph_file.py``).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from ui.component import component
from ui.fields import Field, choice
from ui.mapping.selection import read_selection, reveals, select

READING = choice("reading", "Reading", ("script", "sentences"), "script")
VIEW = choice("view", "View", ("outline", "graph"), "outline")
"""The open reading and view: buttons of the component choose them.

The edit script opens first: in seven of twelve real pairs, some changed sentences had no cost of their own (up to
9 of 19), while the script's costs, one for each line, add up to the number in the head.
"""

SCRIPT_FILES = tuple(
    f"{name}.js"
    for name in (
        "elements",
        "links",
        "drawing",
        "shown",
        "tools",
        "ruler",
        "table",
        "keys",
        "drawer",
        "outline",
        "graph",
        "view",
    )
)

_outline = component(Path(__file__).parent, SCRIPT_FILES, shared=("present.js",))


def draw_outline(rows: Mapping[str, Any], view: str, foot: Mapping[str, str]) -> None:
    """Draw the maps and the selection; a click or Enter selects a pair.

    Args:
        rows: what to draw, of ``outline_rows``.
        view: "outline" or "graph".
        foot: the sum of all costs and what to know about it, and how the two readings relate.
    """
    _outline(
        data=[  # a list, since Streamlit imports pandas and pyarrow (100 MB) to look for tables in a mapping
            {
                "view": view,
                "rows": rows,
                "foot": foot,
                "selected": [read_selection().source, read_selection().target],
                "reveals": reveals(),
                "picks": _count_picks(),
            }
        ],
        key="outline",
        on_picked_change=lambda: None,
    )


def open_value(field: Field) -> str:
    """The open reading or view."""
    return str(st.session_state.get(field.name, field.default))


def _count_picks() -> int:
    """Count of the picks that the page has acted on; the component counts its own."""
    count: int = st.session_state.get("outline-picks", 0)
    return count


def take_pick() -> None:
    """Select the pair, and open the reading and the view, that were picked since the page last ran."""
    # A callback would lose clicks: if another one comes while it runs, Streamlit ends it at its next use of the
    # session and doesn't call it again.
    picked = getattr(st.session_state.get("outline"), "picked", None)
    if not picked or picked[-1] == _count_picks():
        return
    source, target, reading, view, count = picked
    select(source, target, reveal=False)  # it is in view: somebody has just clicked it
    st.session_state["outline-picks"] = count
    opened = {**READING.read(reading), **VIEW.read(view)}
    if opened != {each.name: open_value(each) for each in (READING, VIEW)}:
        st.session_state.update(opened)
        st.rerun()  # the whole page: its address and its head follow
