"""Both maps as outlines side by side, matched nodes on one row, or as a graph, drawn by one component.

Both views have the same nodes, filters, keys and selection. A graph of pyvis has no folding, no keys and no
selection shared with the outline, so pyvis draws the file to download only (``ui/compare/graph_file.py``).
"""

from pathlib import Path

from tted_core.explanation import Explanation
from ui.component import acknowledge, acknowledged, component, new_state
from ui.mapping.outline.rows import outline_rows
from ui.mapping.selection import reveals, select, selected

SCRIPTS = tuple(
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

_outline = component(Path(__file__).parent, SCRIPTS, shared=("present.js",))


def outline(explanation: Explanation, view: str, *, table: bool = False) -> None:
    """Draw the maps and the selection; a click or Enter selects a pair.

    Args:
        explanation: what to draw.
        view: "outline" or "graph".
        table: whether the list of changes stands beside the maps.
    """
    _outline(
        data={
            "view": view,
            "rows": outline_rows(explanation, table=table),
            "selected": [selected().source, selected().target],
            "reveals": reveals(),
            "picks": acknowledged("outline"),
        },
        key="outline",
        on_picked_change=lambda: None,
    )


def take_pick() -> None:
    """Select the pair that was picked since the page last ran."""
    picked = new_state("outline", "picked")
    if picked:
        select(picked[0], picked[1], reveal=False)  # it is in view: somebody has just clicked it
        acknowledge("outline", picked)
