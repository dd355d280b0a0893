"""Both maps as outlines side by side, matched nodes on one row: the view that a comparison opens with."""

from pathlib import Path

from tted_core import Comparison
from ui.component import component, heard, picks, unheard
from ui.mapping.outline.rows import outline_rows
from ui.mapping.selection import reveals, select, selected

_outline = component(Path(__file__).parent, ("elements.js", "links.js", "outline.js"))


def outline(comparison: Comparison, *, large: bool = False) -> None:
    """Draw it, with what is selected; ``large`` is for a projector. A click or Enter selects a pair."""
    _outline(
        data={
            "rows": outline_rows(comparison),
            "selected": [selected().source, selected().target],
            "reveals": reveals(),
            "picks": picks("outline"),
            "large": large,
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
