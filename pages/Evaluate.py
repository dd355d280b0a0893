"""The Evaluate page: compare many maps, as pairs or as outputs of several systems."""

from ui.comparisons import start_warming_up
from ui.evaluate import EVALUATE_TABS
from ui.evaluate.results import RESULTS, TAB
from ui.options import options_link
from ui.page import draw_tabs, page, tabs_link
from ui.permalink import keep_values, permalink

with page("Evaluate many maps"):
    parameters = (*tabs_link(TAB, EVALUATE_TABS), RESULTS, *options_link())
    with permalink("Evaluate", parameters):
        keep_values(parameters)
        draw_tabs(TAB, EVALUATE_TABS)
    start_warming_up()
