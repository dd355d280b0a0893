"""The Annotate page: check maps, compare annotators, and merge two maps into one."""

import streamlit as st

from ui.annotate import PARTS
from ui.options import options_link, sidebar
from ui.page import page
from ui.part import draw_tabs, tabs_link
from ui.permalink import keep_values, permalink

open_tab = st.session_state.get("annotate") or st.query_params.get("tab")
link = (*tabs_link("annotate", PARTS), *options_link())
with (
    page("Annotate", narrow=open_tab in {None, "check", PARTS["check"].title}),
    permalink("Annotate", link),
):
    keep_values(link)
    draw_tabs("annotate", PARTS, sidebar)
