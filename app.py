"""The application: its menu, and the pages in it, each a file in pages/."""

import streamlit as st

from ui.page import MENU
from ui.page_runs import PAGE_RUNS

pages = {
    name: st.Page(f"pages/{name}.py", default=name == "Compare") for group in MENU.values() for name in group
}
chosen = st.navigation(list(pages.values()), position="hidden")
# Not by st.navigation: its lists fail an accessibility check, and its icons are fetched from the network.
with st.sidebar, st.container(gap=None, key="menu"):
    for group, icons in MENU.items():
        st.caption(group)
        for name, icon in icons.items():
            st.page_link(pages[name], icon=f":material/{icon}:")
with PAGE_RUNS.inside():
    chosen.run()
