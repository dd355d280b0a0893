"""The application: its menu of pages, each a file in pages/, and where the addresses of former pages lead."""

import streamlit as st

from ui.log_in import leads_back
from ui.page import MENU, MOVED, page_file, page_moved

sections = {
    group: [
        st.Page(page_file(name), title=name, icon=f":material/{icon}:", default=name == "Compare")
        for name, icon in entries.items()
    ]
    for group, entries in MENU.items()
}
sections["Moved"] = [
    st.Page(page_moved(name), title=name, url_path=name, visibility="hidden") for name in MOVED
]
chosen = st.navigation(sections, expanded=True)
if not chosen.url_path and leads_back():
    st.switch_page(page_file("Annotate"), query_params={"tab": "review"})
chosen.run()
