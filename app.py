"""The application: its pages, each a file in pages/.

``ui/page.py`` draws the menu: before anybody has opened the first page, Streamlit runs a page's file by itself,
and its own menu would then list the files.
"""

import streamlit as st

from ui.page import PAGES, page_file
from ui.running import PAGE_RUNS

first, *others = PAGES
pages = [st.Page(page_file(first), default=True), *(st.Page(page_file(name)) for name in others)]
chosen = st.navigation(pages, position="hidden")
with PAGE_RUNS.inside():
    chosen.run()
