"""Whether a visitor is still there: work goes on for a while without one, and not for ever."""

import time

import streamlit as st

PATIENCE_SECONDS = 20.0
"""A visitor whose connection is gone for less may come back to what was under way (a tunnel, a laptop's lid)."""


class Visitor:
    """The one whose session this is."""

    def __init__(self) -> None:
        """There, for now."""
        self._left: float | None = None

    def leave(self) -> None:
        """The connection is gone: the tab was closed, perhaps."""
        self._left = time.monotonic()

    def come_back(self) -> None:
        """The page runs, so there is somebody."""
        self._left = None

    def has_left(self) -> bool:
        """Whether the connection has been gone for longer than one waits."""
        left = self._left
        return left is not None and time.monotonic() - left > PATIENCE_SECONDS


def present_visitor() -> Visitor:
    """The visitor of the session that runs; Streamlit says when the connection is gone."""
    found: Visitor = st.session_state.setdefault("visitor", Visitor())
    _tied_to_the_session(found)
    found.come_back()
    return found


@st.cache_resource(scope="session", on_release=Visitor.leave, show_spinner=False)
def _tied_to_the_session(_visitor: Visitor) -> Visitor:
    return _visitor
