"""The Batch page: compare many pairs, and look through what came out, the worst first."""

from ui.batch import PARTS
from ui.cache import start_warming_up
from ui.kept_values import keep_values
from ui.options import options_link
from ui.page import page
from ui.part import draw_tabs, tabs_link
from ui.permalink import permalink

with page("Many pairs at once"):
    parameters = (*tabs_link("batch-part", PARTS), *options_link())
    with permalink("Batch", parameters):
        keep_values(parameters)
        draw_tabs("batch-part", PARTS)
    start_warming_up()
