"""The Annotate page: check a map, compare annotators' maps, and review mappings."""

import streamlit as st

from ui.annotate import PARTS
from ui.annotate.people import reviews_only, take_link
from ui.options import options_link, sidebar
from ui.page import page
from ui.part import draw_tabs, tabs_link
from ui.permalink import keep_values, permalink

open_tab = st.session_state.get("annotate") or st.query_params.get("tab")
link = (*tabs_link("annotate", PARTS), *options_link())
with (
    page("Annotate", narrow=open_tab not in {"compare", PARTS["compare"].title}),
    permalink("Annotate", link),
):
    keep_values(link)
    take_link()
    if reviews_only():
        PARTS["review"].draw(sidebar)
    else:
        draw_tabs("annotate", PARTS, sidebar)
