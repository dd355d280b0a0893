"""The tabs of the Evaluate page: from an upload to a ranking, pairs, edits and exports, and tests of measures."""

from ui.evaluate.measures import MEASURES_TAB
from ui.evaluate.ranking import EDITS_TAB, RANKING_TAB
from ui.evaluate.rows import EXPORT_TAB, PAIRS_TAB
from ui.evaluate.setup import MAPS_TAB
from ui.page import PagePart

EVALUATE_TABS: dict[str, PagePart] = {
    "maps": MAPS_TAB,
    "ranking": RANKING_TAB,
    "pairs": PAIRS_TAB,
    "edits": EDITS_TAB,
    "export": EXPORT_TAB,
    "measures": MEASURES_TAB,
}
