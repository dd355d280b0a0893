"""The parts of the Learn page."""

from ui.learn.exercises import EXERCISE_PART
from ui.learn.orders import ORDERS
from ui.learn.playground import PLAYGROUND
from ui.learn.sentences import SENTENCES
from ui.learn.steps import STEPS
from ui.part import Part

PARTS: dict[str, Part] = {
    "steps": STEPS,
    "orders": ORDERS,
    "sentences": SENTENCES,
    "playground": PLAYGROUND,
    "exercises": EXERCISE_PART,
}
