"""The tabs of the Evaluate page: many maps from an upload to a ranking, the worst pairs, edits and exports."""

from ui.evaluate.edits import EDITS_TAB
from ui.evaluate.export import EXPORT
from ui.evaluate.pairs import PAIRS_TAB
from ui.evaluate.ranking import RANKING_TAB
from ui.evaluate.setup import MAPS_TAB
from ui.part import Part

PARTS: dict[str, Part] = {
    "maps": MAPS_TAB,
    "ranking": RANKING_TAB,
    "pairs": PAIRS_TAB,
    "edits": EDITS_TAB,
    "export": EXPORT,
}
