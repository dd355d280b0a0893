"""The Learn page: the algorithm step by step, the orders, the costs, a playground, and exercises."""

import streamlit as st

from ui.errors import show_errors
from ui.learn import PARTS
from ui.page import start_page

start_page("Learn how maps are compared")
names = list(PARTS)
chosen = st.segmented_control(
    "Part",
    names,
    default=names[0],
    required=True,
    key="part",
    bind="query-params",
    label_visibility="collapsed",
)
with show_errors():
    PARTS[chosen or names[0]]()
