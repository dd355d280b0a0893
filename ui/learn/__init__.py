"""The parts of the Learn page."""

from collections.abc import Callable

from ui.learn.orders import orders
from ui.learn.steps import steps

PARTS: dict[str, Callable[[], None]] = {"Step by step": steps, "The orders": orders}
