"""Presets: settings with a name. The first one is the default wherever there is one: page, command line, library.

``recommended`` was chosen on sample_trees by a criterion that docs/quality.md states; ``published`` is what the
published code computes by default, but for its arithmetic in single precision.
"""

from dataclasses import asdict, dataclass
from typing import Any

from tted_core.registry import lookup
from tted_core.weighing import Gap


@dataclass(frozen=True)
class Preset:
    """The options of the method that a preset sets, by the names that ``compare`` gives them."""

    distance: str
    order: str
    context: str
    gap: Gap
    power: float


PRESETS: dict[str, Preset] = {
    "recommended": Preset("cosine", "constrained", "none", gap="=0.8", power=8.0),
    "published": Preset("cosine", "constrained", "none", gap=0.0, power=1.0),
}

DEFAULT = PRESETS["recommended"]

ADDED_UP = PRESETS["published"]
"""Where disagreement is averaged: agreement of annotators (docs/annotation.md says why)."""


def preset(name: str) -> dict[str, Any]:
    """A preset's options, as ``compare(left, right, **preset("published"))`` takes them.

    Raises:
        UnknownNameError: there is no such preset.
    """
    return asdict(lookup(PRESETS, name, "preset"))
