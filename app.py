"""The Compare page: two maps in, the optimal edit script and its scores out."""

import streamlit as st

from ui.cache import start_warming_up
from ui.compare.choices import turn_choices_to, with_choices
from ui.compare.compare_link import compare_link
from ui.compare.doubt import doubt_texts, with_doubts
from ui.compare.downloads import downloads
from ui.compare.drivers import drivers_tab
from ui.compare.orders_table import orders_table
from ui.compare.receipt import receipt_tab
from ui.compare.replay import check_replay, replay_input
from ui.compare.scores import scores
from ui.compare.steps import step_player
from ui.compare.why import take_choice, why_panel
from ui.comparisons import compared, offer_another_search
from ui.errors import show_errors
from ui.inputs import map_inputs
from ui.mapping.view import mapping_view
from ui.options import sidebar
from ui.page import page
from ui.pair_walk import walk_bar
from ui.permalink import permalink

with page("Compare two mind maps"):
    with permalink("Compare", compare_link()):
        walk_bar()
        options = sidebar()
        left, right = map_inputs()
        if left and right:
            turn_choices_to(left, right, options.depth)
    replay_input()
    with show_errors():
        if left and right:
            free = compared(left, right, options)
            result = with_choices(free)
            shown = with_doubts(result)
            check_replay(result)
            scores(result, options)
            if not result.proven:
                offer_another_search(left, right, options)
            take_choice()
            mapping_view(shown, table=doubt_texts(result))
            why_panel(shown)
            receipt, steps, orders, drivers, export = st.tabs(
                [
                    "Cost receipt",
                    "Steps",
                    "Three orders",
                    "What drives the score",
                    "Download and cite",
                ],
                key="more",
                on_change="rerun",
            )
            with receipt, show_errors():
                receipt_tab(shown)
            if steps.open:
                with steps, show_errors():
                    step_player(shown)
            if orders.open:
                with orders, show_errors():
                    orders_table(left, right, options)
            if drivers.open:
                with drivers, show_errors():
                    drivers_tab(free)
            with export, show_errors():
                downloads(left, right, result)
        else:
            st.info(
                "The comparison appears here once both sides have a map: pick a sample, paste a text or upload a "
                "file."
            )
        start_warming_up()  # last: it must not hold up what is on screen
