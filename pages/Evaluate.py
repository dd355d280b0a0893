"""The Evaluate page: compare many maps, as pairs or as outputs of several systems."""

from ui.comparisons import start_warming_up
from ui.evaluate import EVALUATE_TABS
from ui.evaluate.results import RESULTS
from ui.options import options_fields
from ui.page import draw_tabs, page

with page("Evaluate many maps"):
    draw_tabs("Evaluate", EVALUATE_TABS, RESULTS, *options_fields().values())
    start_warming_up()
