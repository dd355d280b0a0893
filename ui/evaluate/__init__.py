"""The tabs of the Evaluate page: many maps from an upload to a ranking, the worst pairs, edits and exports."""

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
}
