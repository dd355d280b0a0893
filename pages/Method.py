"""The Method page: what is computed, the three orders in one picture, glossary, references and limits."""

from pathlib import Path

import streamlit as st

from ui.orders_picture import orders_picture
from ui.page import page
from ui.picture import picture

MARK = "<!-- picture of the orders -->"

with page("How the distance is computed", narrow=True):
    text = (Path(__file__).parent.parent / "docs" / "method.md").read_text(encoding="utf-8")
    before, after = text.split(MARK)
    with st.container(width=860):
        st.markdown(before)
        picture(
            orders_picture(dark=st.context.theme.type == "dark"),
            "The same two trees three times, with the nodes that each order can keep joined by dashed lines",
        )
        st.caption(
            "Deleting (−) or inserting (+) a node costs 1, and only equal letters are matched. From left to "
            "right, B is gone, its children have moved up, and E and F have changed places."
        )
        st.markdown(after)
