"""The parts of the Lab page: which settings to trust, and why."""

from ui.lab.arithmetic import ARITHMETIC
from ui.lab.detection import DETECTION
from ui.lab.judgements import JUDGEMENTS
from ui.lab.perturbation import PERTURBATION
from ui.lab.quality import QUALITY
from ui.lab.systems import RELIABILITY
from ui.part import Part

PARTS: dict[str, Part] = {
    "quality": QUALITY,
    "detection": DETECTION,
    "perturbation": PERTURBATION,
    "people": JUDGEMENTS,
    "systems": RELIABILITY,
    "arithmetic": ARITHMETIC,
}
