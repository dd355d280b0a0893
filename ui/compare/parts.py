"""What stands below the score: the mapping with the panel that explains a pair, and the tabs.

Each is a fragment: a click on a node or a tab runs its part alone. Whatever changes what is compared, or what the
page's address says, runs the whole page, from which both get what they show.
"""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from tted_core import Comparison, MindMap
from tted_core.method import Method
from tted_core.solvers.structure import Entry
from ui.compare.downloads import downloads
from ui.compare.orders_table import orders_table
from ui.compare.receipt import receipt_tab
from ui.compare.scores import beside_the_views
from ui.compare.steps import step_player
from ui.compare.why import take_choice, why_panel
from ui.errors import show_errors
from ui.mapping.view import mapping_view


@st.fragment
def mapping_part(shown: Comparison, table: Mapping[Entry, str] | None) -> None:
    """Draw the mapping, and why a node goes where it goes; ``table`` as in ``mapping_view``."""
    with show_errors():
        take_choice()
        mapping_view(shown, table=table, beside=partial(beside_the_views, shown))
        why_panel(shown)


@st.fragment
def tabs_part(
    left: MindMap,
    right: MindMap,
    options: Method,
    *,
    result: Comparison,
    shown: Comparison,
) -> None:
    """Draw the tabs, and what is in the open one.

    Args:
        left: the map as read, not trimmed to a depth.
        right: the other one, likewise.
        options: how they were compared.
        result: their comparison under a person's choices.
        shown: the same, with notes on what is in doubt.
    """
    drawn = {
        "Cost receipt": partial(receipt_tab, shown),
        "Steps": partial(step_player, shown),
        "Three orders": partial(orders_table, left, right, options),
        "Download and cite": partial(downloads, left, right, result),
    }
    with st.container(key="more-tabs"):  # as high as a screen, so that a low tab leaves the page where it is
        tabs = st.tabs(list(drawn), key="more", on_change="rerun")
    for tab, draw in zip(tabs, drawn.values(), strict=True):
        if tab.open:
            with tab, show_errors():
                draw()
