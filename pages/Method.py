"""The Method page: an introduction to the distance; all of docs/method.md on request."""

from pathlib import Path

import streamlit as st

from ui.fields import switch
from ui.learn.lesson import draw_present_button
from ui.learn.method import draw_method
from ui.page import page
from ui.permalink import permalink

FULL = switch("full", "Proofs, other measures and references")


with (
    page("How the distance is computed"),
    permalink("Method", (FULL,)),
    st.container(width=860),
):
    with st.container(horizontal=True, vertical_alignment="center"):
        full = FULL.draw()
        if not full:
            draw_present_button()
    if full:
        file = Path(__file__).parent.parent / "docs" / "method.md"
        st.markdown(file.read_text(encoding="utf-8"))
    else:
        draw_method()
