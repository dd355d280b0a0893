"""The parts of the Learn page."""

from ui.learn.exercises import EXERCISE_PART
from ui.learn.limits import LIMITS
from ui.learn.orders import ORDERS
from ui.learn.playground import PLAYGROUND
from ui.learn.scales import SCALES_PART
from ui.learn.sentences import SENTENCES
from ui.learn.start import START
from ui.learn.steps import STEPS
from ui.part import Part

# Each part of the Learn page by its name in a link.
PARTS: dict[str, Part] = {
    "start": START,
    "sentences": SENTENCES,
    "orders": ORDERS,
    "steps": STEPS,
    "limits": LIMITS,
    "scales": SCALES_PART,
    "playground": PLAYGROUND,
    "exercises": EXERCISE_PART,
}
