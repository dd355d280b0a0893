"""Names of files that a comparison is saved under."""

import re

from tted_core.comparison import Comparison

CHARACTERS = 40
"""Of each map's name."""


def file_stem(comparison: Comparison) -> str:
    """A name after both maps, without an ending, that every system takes: "coral-reefs-base--coral-reefs-demo".

    Letters and digits of all scripts stay; a map without a name is called by its side.
    """
    sides = ((comparison.left.name, "left"), (comparison.right.name, "right"))
    return "--".join(_clean(name or "") or side for name, side in sides)


def _clean(name: str) -> str:
    stem = re.sub(r"\.[A-Za-z]{1,9}$", "", name)
    return re.sub(r"[\W_]+", "-", stem).strip("-")[:CHARACTERS].strip("-")
