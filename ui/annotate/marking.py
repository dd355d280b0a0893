"""Set marks of findings and changes from widgets' callbacks, with the way back."""

from collections.abc import Mapping

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
