"""The Compare page: two maps, their optimal edit script and its scores."""

import streamlit as st

from ui.page import page

with page("Compare two mind maps"):
    # Imported once the title is on screen: on a server's first view this takes a second.
    from tted_core.errors import OptionsError
    from ui.cache import start_warming_up
    from ui.compare.choices import turn_choices_to, with_choices
    from ui.compare.compare_link import compare_link
    from ui.compare.doubt import doubt_texts, with_doubts
    from ui.compare.encoder_by_language import take_encoder, tell_encoder
    from ui.compare.parts import mapping_part, tabs_part
    from ui.compare.replay import check_replay
    from ui.compare.scores import GREYED, LAYOUT, remarks, scores
    from ui.compare.several import several_maps, several_table
    from ui.compare.two_maps import map_inputs, nothing_given, tell_reading
    from ui.comparisons import compared_or_last, last_answer, offer_another_search
    from ui.errors import show_errors
    from ui.many.pair_walk import walk_bar
    from ui.options import sidebar
    from ui.permalink import permalink

    # Always there, even if empty: Streamlit identifies a fragment by its position on the page.
    inputs, row, answer, mapping, table, tabs = (
        st.container(key=f"compare-{part}")
        for part in ("inputs", "row", "answer", "mapping", "table", "tabs")
    )
    st.html(LAYOUT)
    with inputs, permalink("Compare", compare_link()):
        walk_bar()
        left, right = map_inputs()
        take_encoder(left, right)
        options = None
        try:
            options = sidebar()
        except OptionsError as error:  # options that don't go together
            refused = error
        if left and right and options:
            turn_choices_to(left, right, options.depth)
    with answer, show_errors():
        if left and right:
            if options:
                free, is_last = compared_or_last(left, right, options)
            else:
                free, is_last = last_answer(left, right, refused), True
            if is_last or options is None:
                st.html(GREYED)
                options = free.method
            result = with_choices(free)
            shown = with_doubts(result)
            check_replay(result)
            scores(result)
            tell_encoder(left, right, options)
            if not nothing_given():
                tell_reading(left, right)
            remarks(result)
            if not result.proven:
                offer_another_search(left, right, options)
            with mapping:
                mapping_part(shown, doubt_texts(result))
            with tabs:
                tabs_part(left, right, options, result=result, shown=shown)
            with row, show_errors():
                scores_of_all = several_maps(left, right, free.method)
                if scores_of_all is not None:
                    with table:
                        several_table(left, scores_of_all)
        else:
            if options is None:
                raise refused
            st.info("The comparison appears here once both sides have a map.")
        start_warming_up()  # last: it must not hold up what is on screen
