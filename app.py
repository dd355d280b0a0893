"""The application: which pages there are. Each is a file in pages/; ``ui/page.py`` draws the menu."""

import streamlit as st

from ui.page import PAGES, page_file

first, *others = PAGES
st.navigation(
    [st.Page(page_file(first), default=True), *(st.Page(page_file(name)) for name in others)],
    position="hidden",
).run()
