"""The parts of the Systems page: what is compared, and which system is better."""

from ui.part import Part
from ui.systems.looking import RESULTS
from ui.systems.setup import NEW

PARTS: dict[str, Part] = {"new": NEW, "results": RESULTS}
"""What was chosen in one part of the page stays while the other is open."""
