"""Custom components (Streamlit's ``components.v2``): styles and scripts of a folder, with the palette's colours.

They run in the page itself, so their scripts set texts as text and never as HTML. The theme reaches them as the
variables ``--st-*`` and as ``color-scheme``, both live.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from tted_core.report.palette import sources


def component(folder: Path, scripts: Sequence[str], shared: Sequence[str] = ()) -> ComponentRenderer:
    """Register the component that ``sources`` finds in the folder, under the folder's name."""
    found = sources(folder, scripts, shared)
    return st.components.v2.component(found.name, html=found.html, css=found.css, js=found.js)


def new_state(key: str, name: str) -> list[Any] | None:
    """The component's last state ``name``, None once ``acknowledge`` was called with it.

    A callback would lose clicks: if another click comes while it runs, Streamlit ends it at its next use of the
    session and doesn't call it again. The last item of the state is the component's count of its changes.
    """
    value: list[Any] | None = getattr(st.session_state.get(key), name, None)
    return value if value and value[-1] != acknowledged(key) else None


def acknowledge(key: str, value: list[Any]) -> None:
    """Note that a state has been acted on; call it last."""
    st.session_state[f"{key}-picks"] = value[-1]


def acknowledged(key: str) -> int:
    """Count of the component's last state that was acted on."""
    count: int = st.session_state.get(f"{key}-picks", 0)
    return count
