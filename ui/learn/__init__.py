"""The parts of the Learn page."""

from ui.learn.exercises import EXERCISE_PART
from ui.learn.limits import LIMITS_PART
from ui.learn.orders import ORDERS_PART
from ui.learn.scales import SCALES_PART
from ui.learn.sentences import SENTENCES_PART
from ui.learn.start import FIRST_PART
from ui.learn.steps import STEPS_PART
from ui.part import Part

# Each part of the Learn page by its name in a link.
PARTS: dict[str, Part] = {
    "start": FIRST_PART,
    "sentences": SENTENCES_PART,
    "orders": ORDERS_PART,
    "steps": STEPS_PART,
    "limits": LIMITS_PART,
    "scales": SCALES_PART,
    "exercises": EXERCISE_PART,
}
