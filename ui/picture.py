"""Pictures with a text for those who don't see them, which ``st.image`` has no room for but in its caption."""

from base64 import b64encode
from html import escape

import streamlit as st


def picture(svg: str, description: str, *, stretch: bool = False, least: int = 0) -> None:
    """Draw an SVG at its own size, smaller where there is no room; ``stretch`` makes it as wide as there is.

    It is never narrower than ``least`` pixels: where there is less room, it scrolls.
    """
    data = b64encode(svg.encode()).decode()
    alt = escape(description)
    width = "width" if stretch else "max-width"
    style = f"{width}:100%;min-width:{least}px;height:auto"
    image = f'<img src="data:image/svg+xml;base64,{data}" alt="{alt}" style="{style}">'
    st.html(f'<div style="overflow-x:auto" tabindex="0">{image}</div>' if least else image)
