"""The parts of the Learn page."""

from ui.learn.exercises import EXERCISE_PART
from ui.learn.maps import LIMITS_PART, SENTENCES_PART
from ui.learn.orders import ORDERS_PART, STEPS_PART
from ui.learn.reefs import FIRST_PART, SCALES_PART
from ui.page import PagePart

# Each part of the Learn page by its name in a link.
LEARN_PARTS: dict[str, PagePart] = {
    "start": FIRST_PART,
    "sentences": SENTENCES_PART,
    "orders": ORDERS_PART,
    "steps": STEPS_PART,
    "limits": LIMITS_PART,
    "scales": SCALES_PART,
    "exercises": EXERCISE_PART,
}
