"""compare() with the published preset, whose numbers can be worked out by hand: costs are simply added up."""

from functools import partial

from tted_core import comparing
from tted_core.presets import PRESETS

AS_PUBLISHED = {"gap": PRESETS["published"].gap, "power": PRESETS["published"].power}

compare = partial(comparing.compare, **AS_PUBLISHED)
