"""The step player: from the left map to the right one, one change at a time."""

from pathlib import Path

import streamlit as st

from tted_core import Comparison
from tted_core.report.palette import STYLES
from ui.compare.steps.frames import frames_around, step_names, way_of
from ui.component import acknowledge, acknowledged, component, new_state
from ui.errors import show_errors
from ui.mapping.selection import select

_steps = component(Path(__file__).parent, ("steps.js",), shared=("present.js", "player.js"))


@st.fragment
def step_player(comparison: Comparison) -> None:
    """Draw it where it was left, at the beginning for another script."""
    with show_errors():  # a fragment may run without its page
        _draw(comparison)


def _draw(comparison: Comparison) -> None:
    state = st.session_state
    if state.get("steps-of") != comparison.script:
        state["steps-of"], state["step"] = comparison.script, 0
    wanted = new_state("steps", "wanted")
    if wanted:
        state["step"] = wanted[0]
        acknowledge("steps", wanted)
    way = way_of(comparison)
    place = min(state["step"], len(way.steps))
    if place and st.button("Why this change?", key="step-why", type="tertiary"):
        change = way.steps[place - 1].change
        select(change.source, change.target)
        st.rerun()  # the whole page: the mapping scrolls to it, and explains it below
    _steps(
        data={
            "steps": step_names(way),
            "place": place,
            "frames": frames_around(way, place),
            "glyphs": {kind: style.glyph for kind, style in STYLES.items()},
            "picks": acknowledged("steps"),
        },
        key="steps",
        on_wanted_change=lambda: None,
    )
