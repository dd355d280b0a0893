"""The Compare page: two maps, their optimal edit script and its scores."""

from pathlib import Path

import streamlit as st

from ui.page import page, show_errors

with page("Compare two mind maps"):
    # Imported once the title is on screen: on a server's first view this takes a second.
    from ui.compare.answer import answer_to, draw_answer, encoder_by_language
    from ui.compare.link import compare_link
    from ui.compare.several import choose_of_several
    from ui.compare.tabs import draw_below
    from ui.compare.two_maps import draw_inputs, read_both_maps
    from ui.compare.what_if import turn_choices_to
    from ui.comparisons import start_warming_up
    from ui.map_source import Given
    from ui.options import draw_option_buttons
    from ui.permalink import permalink

    # Always there, even if empty: Streamlit identifies a fragment by its position on the page.
    with st.container(gap="xsmall"):
        inputs, row, head, setting, mapping, table, tabs = (
            st.container(key=f"compare-{part}", horizontal=part == "setting", gap="xsmall")
            for part in ("inputs", "row", "answer", "setting", "mapping", "table", "tabs")
        )
    st.html(Path(__file__).parent.parent / "ui" / "compare" / "compare.css")
    options = None
    with inputs, permalink("Compare", compare_link()):
        found = read_both_maps()
        left, right = (each if isinstance(each, Given) else None for each in found)
        with head, show_errors(), setting:
            options = draw_option_buttons(
                encoder_by_language(left.shown, right.shown) if left and right else None
            )
        if left and right and options:
            with row, show_errors():
                right = choose_of_several(left, right, options, table)
            turn_choices_to(left.shown.tree, right.shown.tree, options.depth)  # before the address is written
        draw_inputs(left or found[0], right or found[1])
    with head, show_errors():
        if left and right and options:
            answer = answer_to(left.shown, right.shown, options)
            draw_answer(answer, setting, mapping)
            with tabs:
                draw_below(answer)
        elif options:
            st.info("The comparison appears here once both sides have a map.")
        start_warming_up()  # last: it must not delay what is on screen
