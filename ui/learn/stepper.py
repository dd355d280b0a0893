"""The step player on the page."""

from typing import Any

from tted_core.learn.stepper import FOLDER, SCRIPTS, SHARED_SCRIPTS
from ui.component import component

_component = component(FOLDER, SCRIPTS, shared=SHARED_SCRIPTS)


def stepper(data: dict[str, Any]) -> None:
    """Draw the player of what ``player_data`` gives; the step is the parameter ``step`` of the page's address."""
    _component(key="stepper", data=data)
