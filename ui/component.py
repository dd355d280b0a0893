"""Custom components (Streamlit's ``components.v2``): styles and scripts of a folder, with the palette's colours.

They run in the page itself, so their scripts set texts as text and never as HTML. The theme reaches them as the
variables ``--st-*`` and as ``color-scheme``, both live.
"""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from tted_core import report
from tted_core.report.palette import css_colours

SHARED = Path(report.__file__).parent


def component(folder: Path, scripts: Sequence[str], shared: Sequence[str] = ()) -> ComponentRenderer:
    """Register the component of a folder ``name``: ``name.css``, ``name.html`` and ``scripts``.

    The last script exports it; ``shared`` are scripts of the reports that it needs too, each with its style if it
    has one. Without ``name.html`` it begins as an empty box of the class ``name``. The style finds the colours of
    operations as ``--match-fill``, ``--match-line`` and so on.
    """
    name = folder.name
    page = folder / f"{name}.html"
    html = page.read_text(encoding="utf-8") if page.exists() else f'<div class="{name}"></div>'
    colours = " ".join(f"--{colour}: {value};" for colour, value in css_colours().items())
    styles = [folder / f"{name}.css", *(SHARED / script.replace(".js", ".css") for script in shared)]
    style = "\n".join(path.read_text(encoding="utf-8") for path in styles if path.exists())
    paths = [
        *(SHARED / script for script in ("element.js", *shared)),
        *(folder / script for script in scripts),
    ]
    js = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    return st.components.v2.component(name, html=html, css=f":host {{ {colours} }}\n{style}", js=js)
