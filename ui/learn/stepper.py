"""The step player on the page."""

from tted_core import TextTree
from tted_core.learn.stepper import FOLDER, SCRIPTS, SHARED_SCRIPTS, player_data
from tted_core.learn.zhang_shasha import Trace
from ui.component import component

_component = component(FOLDER, SCRIPTS, shared=SHARED_SCRIPTS)


def stepper(left: TextTree, right: TextTree, run: Trace) -> None:
    """Draw the player; the step is the parameter ``step`` of the page's address."""
    _component(key="zhang-shasha", data=player_data(left, right, run))
