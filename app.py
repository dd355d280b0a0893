"""The Compare page: two maps in, the optimal edit script and its scores out."""

import streamlit as st

from ui.downloads import downloads
from ui.errors import show_errors
from ui.inputs import map_inputs
from ui.mapping_view import mapping_view
from ui.options import sidebar
from ui.page import start_page
from ui.running import run
from ui.scores import scores
from ui.script_table import script_table

start_page("Compare two mind maps")
choice = sidebar()
left, right = map_inputs()
if left and right:
    with show_errors():
        result = run(left, right, choice)
        if result:
            scores(result)
            mapping_view(result)
            script, export = st.tabs(["Edit script", "Download and cite"])
            with script:
                script_table(result)
            with export:
                downloads(result)
else:
    st.info("Give two maps: pick a sample, paste a text or upload a file on each side.")
