"""Components of our own (Streamlit's ``components.v2``): a style and scripts in a folder, the palette's colours.

They run in the page itself, so their scripts set texts as text and never as HTML. The theme reaches them as the
variables ``--st-*`` and as ``color-scheme``, both live.
"""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from ui.palette import css_colours

SHARED = Path(__file__).parent / "element.js"


def component(folder: Path, scripts: Sequence[str]) -> ComponentRenderer:
    """Register the component of a folder ``name``: ``name.css`` and ``scripts``, of which the last one exports it.

    The style finds each operation's colours as ``--match-fill``, ``--match-line`` and so on.
    """
    colours = " ".join(f"--{name}: {colour};" for name, colour in css_colours().items())
    style = (folder / f"{folder.name}.css").read_text(encoding="utf-8")
    return st.components.v2.component(
        folder.name,
        html=f'<div class="{folder.name}"></div>',
        css=f":host {{ {colours} }}\n{style}",
        js="\n".join(
            path.read_text(encoding="utf-8") for path in (SHARED, *(folder / script for script in scripts))
        ),
    )
