"""The web application: its menu and its pages, each a file in pages/."""

import streamlit as st

from ui.page import MENU, SIDEBAR
from ui.running import PAGE_RUNS, current_user
from ui.server import UPLOADS

with PAGE_RUNS.inside():  # waits for a turn to draw; the menu counts as drawing
    st.set_page_config(  # must come first: otherwise Streamlit opens the sidebar at its default width
        layout="wide", initial_sidebar_state="collapsed" if st.context.is_embedded else SIDEBAR
    )
    pages = {
        name: st.Page(f"pages/{name}.py", default=name == "Compare")
        for group in MENU.values()
        for name in group
    }
    _chosen = st.navigation(list(pages.values()), position="hidden")
    # st.navigation's own menu fails an accessibility check, and fetches its icons from the network.
    with st.sidebar, st.container(gap=None, key="menu"):
        for group, icons in MENU.items():
            st.caption(group)
            for name, icon in icons.items():
                st.page_link(pages[name], icon=f":material/{icon}:")
    _chosen.run()
    UPLOADS.name_files(current_user())  # deletes those that no page uses any more
