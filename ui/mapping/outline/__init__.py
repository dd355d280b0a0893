"""Both maps as outlines side by side, matched nodes on one row, or as a graph: one component that draws either.

Both have the same nodes, filters, keys and selection.
"""

from collections.abc import Mapping
from pathlib import Path

from tted_core import Comparison
from tted_core.solvers.structure import Entry
from ui.component import component, heard, picks, unheard
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


def outline(comparison: Comparison, view: str, *, table: Mapping[Entry, str] | None = None) -> None:
    """Draw it, with what is selected; a click or Enter selects a pair.

    Args:
        comparison: what to draw.
        view: "outline" or "graph".
        table: what the list of changes says besides of some operations; None for no list.
    """
    _outline(
        data={
            "view": view,
            "rows": outline_rows(comparison, table),
            "selected": [selected().source, selected().target],
            "reveals": reveals(),
            "picks": picks("outline"),
        },
        key="outline",
        on_picked_change=lambda: None,
    )


def take_pick() -> None:
    """Select what was picked in the outline since the page last ran, whichever view is shown now."""
    picked = unheard("outline", "picked")
    if picked:
        select(picked[0], picked[1], reveal=False)  # it is in view: somebody has just clicked it
        heard("outline", picked)
