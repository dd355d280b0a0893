"""The step player: from the left map to the right one, one edit at a time."""

from bisect import bisect_left
from pathlib import Path

import streamlit as st

from tted_core import Comparison
from ui.compare.steps.frames import frames_around, stops
from ui.component import component, heard, picks, unheard
from ui.errors import show_errors
from ui.mapping.selection import select
from ui.palette import STYLES

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
    wanted = unheard("steps", "wanted")
    if wanted:
        state["step"] = wanted[0]
        heard("steps", wanted)
    skip = st.toggle(
        "Skip matches",
        value=True,
        key="skip-matches",
        persist_state="session",
        help="Go from change to change; nodes that stay as they are, or whose context alone changed, are passed "
        "over.",
    )
    counts = stops(comparison, skip_matches=skip)
    place = min(bisect_left(counts, state["step"]), len(counts) - 1)
    if counts[place] and st.button("Why this edit?", key="step-why", type="tertiary"):
        op = comparison.script.ops[counts[place] - 1]
        select(op.source, op.target)
        st.rerun()  # the whole page: the mapping scrolls to it, and explains it below
    _steps(
        data={
            "stops": counts,
            "place": place,
            "frames": frames_around(comparison, counts, place),
            "glyphs": {kind: style.glyph for kind, style in STYLES.items()},
            "picks": picks("steps"),
        },
        key="steps",
        on_wanted_change=lambda: None,
    )
