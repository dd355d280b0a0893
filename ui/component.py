"""Components of our own (Streamlit's ``components.v2``): a style and scripts in a folder, the palette's colours.

They run in the page itself, so their scripts set texts as text and never as HTML. The theme reaches them as the
variables ``--st-*`` and as ``color-scheme``, both live.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from tted_core import report
from ui.palette import css_colours

SHARED = Path(report.__file__).parent


def component(folder: Path, scripts: Sequence[str], shared: Sequence[str] = ()) -> ComponentRenderer:
    """Register the component of a folder ``name``: ``name.css``, ``name.html`` and ``scripts``.

    The last script exports it; ``shared`` are scripts of ``tted_core/report`` that it needs too, each with its
    style if it has one. Without ``name.html`` it begins as an empty box of the class ``name``. The style finds
    each operation's colours as ``--match-fill``, ``--match-line`` and so on.
    """
    page = folder / f"{folder.name}.html"
    paths = [*(SHARED / name for name in ("element.js", *shared)), *(folder / name for name in scripts)]
    colours = " ".join(f"--{name}: {colour};" for name, colour in css_colours().items())
    styles = [folder / f"{folder.name}.css", *(SHARED / name.replace(".js", ".css") for name in shared)]
    style = "\n".join(path.read_text(encoding="utf-8") for path in styles if path.exists())
    return st.components.v2.component(
        folder.name,
        html=page.read_text(encoding="utf-8") if page.exists() else f'<div class="{folder.name}"></div>',
        css=f":host {{ {colours} }}\n{style}",
        js="\n".join(path.read_text(encoding="utf-8") for path in paths),
    )


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
