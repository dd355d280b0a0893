"""Components of our own (Streamlit's ``components.v2``): a style and scripts in a folder, the palette's colours.

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


def unheard(key: str, name: str) -> list[Any] | None:
    """What the component ``key`` last set as its state ``name``, None once ``heard`` was called with it.

    Not left to a callback: if another click comes while one runs, Streamlit ends it at its next use of the session
    and does not call it again, and what was clicked would be lost. The component counts what it sets in the last
    item.
    """
    value: list[Any] | None = getattr(st.session_state.get(key), name, None)
    return value if value and value[-1] != picks(key) else None


def heard(key: str, value: list[Any]) -> None:
    """Note that what the component set has been acted on; the last thing to do with it."""
    st.session_state[f"{key}-picks"] = value[-1]


def picks(key: str) -> int:
    """How many settings of the component's state were acted on."""
    count: int = st.session_state.get(f"{key}-picks", 0)
    return count
