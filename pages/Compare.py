"""The Compare page: two maps, their optimal edit script and its scores."""

import streamlit as st

from ui.page import page

with page("Compare two mind maps"):
    # Imported once the title is on screen: on a server's first view this takes a second.
    from tted_core.errors import OptionsError
    from ui.cache import start_warming_up
    from ui.compare.answer import answer_to, chosen_options, draw_answer
    from ui.compare.compare_link import compare_link
    from ui.compare.scores import LAYOUT
    from ui.compare.several import draw_several
    from ui.compare.tabs import draw_tabs
    from ui.compare.two_maps import map_inputs
    from ui.errors import show_errors
    from ui.permalink import permalink

    # Always there, even if empty: Streamlit identifies a fragment by its position on the page.
    inputs, row, head, mapping, table, tabs = (
        st.container(key=f"compare-{part}")
        for part in ("inputs", "row", "answer", "mapping", "table", "tabs")
    )
    st.html(LAYOUT)
    with inputs, permalink("Compare", compare_link()):
        left, right = map_inputs()
        options = chosen_options(left, right)
    with head, show_errors():
        if left and right:
            answer = answer_to(left, right, options)
            draw_answer(answer, mapping)
            with tabs:
                draw_tabs(answer)
            with row, show_errors():
                draw_several(left, right, answer.method, table)
        elif isinstance(options, OptionsError):
            raise options
        else:
            st.info("The comparison appears here once both sides have a map.")
        start_warming_up()  # last: it must not delay what is on screen
