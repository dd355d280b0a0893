"""The application: which pages there are. Each is a file in pages/; ``ui/page.py`` draws the menu."""

import streamlit as st

from ui.log_in import leads_back
from ui.page import PAGES, page_file

first, *others = PAGES
chosen = st.navigation(
    [st.Page(page_file(first), default=True), *(st.Page(page_file(name)) for name in others)],
    position="hidden",
)
if not chosen.url_path and leads_back():
    st.switch_page(page_file("Annotate"), query_params={"tab": "review"})
chosen.run()
