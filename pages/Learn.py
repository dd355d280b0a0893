"""The Learn page: TTED in five minutes, costs, orders, the algorithms step by step, exercises."""

import streamlit as st

from ui.fields import choice
from ui.learn import LEARN_PARTS
from ui.learn.lesson import draw_present_button
from ui.page import page, show_errors
from ui.permalink import permalink

with page("Learn how maps are compared"):
    names = list(LEARN_PARTS)
    of_all_parts = (each for part in LEARN_PARTS.values() for each in part.parameters)
    part = choice(
        "part",
        "Part",
        names,
        names[0],
        widget="segmented_control",
        format_func=lambda name: LEARN_PARTS[name].title,
        required=True,
        label_visibility="collapsed",
    )
    with permalink("Learn", (part, *of_all_parts)):
        with st.container(horizontal=True, vertical_alignment="center"):
            chosen = part.draw()
            if chosen != "steps":  # whose player presents itself
                draw_present_button()
        with show_errors():
            LEARN_PARTS[chosen or names[0]].draw()
        st.caption("For slides: the address of this page opens this view again, and Ctrl+P prints it.")
