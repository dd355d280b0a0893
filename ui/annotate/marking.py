"""Set marks of findings and changes from widgets' callbacks, with undo, and step from one to the next."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from tted_core.annotate.decisions import Mark, mark, marks
from ui.errors import show_errors


def set_marks(history: str, scope: str, given: Mapping[str, Mark | None]) -> None:
    """Store these marks; ``history`` is the session key of the list in which those before are kept."""
    with show_errors():
        before = marks(scope)
        mark(scope, given)
        steps = st.session_state.setdefault(history, [])
        steps.append((scope, {key: before.get(key) for key in given}))


def take_back(history: str) -> dict[str, Mark | None]:
    """Undo the last step; return the marks that are there again."""
    before: dict[str, Mark | None]
    scope, before = st.session_state[history].pop()
    with show_errors():
        mark(scope, before)
    return before


def draw_undo(history: str, undo: Callable[..., None], *args: Any) -> None:
    """Draw the button that takes back the last step, by a callback that calls ``take_back``."""
    disabled = not st.session_state.get(history)
    st.button("Undo", shortcut="u", disabled=disabled, key=f"{history}-undo", on_click=undo, args=args)


def draw_neighbours(go: Callable[[Any], None], before: Any, after: Any) -> None:
    """Draw the buttons to the finding or change before and after the one on screen."""
    for label, key, goal in (("Previous", "k", before), ("Next", "j", after)):
        st.button(label, shortcut=key, type="tertiary", on_click=go, args=(goal,))
