"""The tabs of the Evaluate page: many maps from an upload to a ranking, the worst pairs, edits and exports."""

from ui.evaluate.edits import EDITS
from ui.evaluate.export import EXPORT
from ui.evaluate.pairs import PAIRS
from ui.evaluate.ranking import RANKING
from ui.evaluate.setup import MAPS
from ui.part import Part

PARTS: dict[str, Part] = {
    "maps": MAPS,
    "ranking": RANKING,
    "pairs": PAIRS,
    "edits": EDITS,
    "export": EXPORT,
}
