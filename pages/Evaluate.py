"""The Evaluate page: compare many maps, as pairs or as outputs of several systems."""

from ui.comparisons import start_warming_up
from ui.evaluate import PARTS
from ui.evaluate.results import RESULTS, TAB
from ui.options import options_link
from ui.page import page
from ui.part import draw_tabs, tabs_link
from ui.permalink import keep_values, permalink

with page("Evaluate many maps"):
    parameters = (*tabs_link(TAB, PARTS), RESULTS, *options_link())
    with permalink("Evaluate", parameters):
        keep_values(parameters)
        draw_tabs(TAB, PARTS)
    start_warming_up()
