"""The parts of the Learn page."""

from ui.learn.exercises import EXERCISE_PART
from ui.learn.orders import ORDERS
from ui.learn.playground import PLAYGROUND
from ui.learn.sentences import SENTENCES
from ui.learn.zhang_shasha import ZHANG_SHASHA
from ui.part import Part

PARTS: dict[str, Part] = {
    "steps": ZHANG_SHASHA,
    "orders": ORDERS,
    "sentences": SENTENCES,
    "playground": PLAYGROUND,
    "exercises": EXERCISE_PART,
}
