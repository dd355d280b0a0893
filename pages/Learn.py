"""The Learn page: TTED in five minutes, costs, orders, the algorithms step by step, exercises."""

import streamlit as st

from ui.errors import show_errors
from ui.fields import choice
from ui.learn import PARTS
from ui.learn.slides import presenting
from ui.page import page
from ui.permalink import permalink

with page("Learn how maps are compared"):
    names = list(PARTS)
    of_all_parts = (each for part in PARTS.values() for each in part.parameters)
    part = choice(
        "part",
        "Part",
        names,
        names[0],
        widget="segmented_control",
        format_func=lambda name: PARTS[name].title,
        required=True,
        label_visibility="collapsed",
    )
    with permalink("Learn", (part, *of_all_parts)):
        with st.container(horizontal=True, vertical_alignment="center"):
            chosen = part.draw()
            if chosen != "steps":  # whose player presents itself
                presenting()
        with show_errors():
            PARTS[chosen or names[0]].draw()
        st.caption("For slides: the address of this page opens this view again, and Ctrl+P prints it.")
