"""The Evaluate page: compare many maps, as pairs or as outputs of several systems."""

from ui.cache import start_warming_up
from ui.evaluate.edits import EDITS
from ui.evaluate.export import EXPORT
from ui.evaluate.pairs import PAIRS
from ui.evaluate.ranking import RANKING
from ui.evaluate.results import TAB
from ui.evaluate.setup import MAPS
from ui.options import options_link
from ui.page import page
from ui.part import draw_tabs, tabs_link
from ui.permalink import keep_values, permalink

PARTS = {"maps": MAPS, "ranking": RANKING, "pairs": PAIRS, "edits": EDITS, "export": EXPORT}

with page("Evaluate many maps"):
    parameters = (*tabs_link(TAB, PARTS), *options_link())
    with permalink("Evaluate", parameters):
        keep_values(parameters)
        draw_tabs(TAB, PARTS)
    start_warming_up()
