"""The parts of the Batch page: many pairs from a start to the worst of them."""

from ui.batch.looking import RESULTS
from ui.batch.setup import NEW
from ui.part import Part

PARTS: dict[str, Part] = {"new": NEW, "results": RESULTS}
