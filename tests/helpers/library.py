"""Two maps, and a comparison of them, for tests that call the library."""

from typing import Any

from helpers.encoders import hashed
from helpers.paths import ROOT
from helpers.trees import tree_of

from tted_core import TTED, compare
from tted_core.comparison import Comparison
from tted_core.formats import MindMap

LEFT, RIGHT = tree_of("a(b(c) d)"), tree_of("a(b e(f))")
MAP = MindMap(LEFT, "tree")
FILE = str(ROOT / "sample_trees" / "coral-reefs" / "base.json")
TREE = TTED(hashed)
RESULT = TREE.compare(LEFT, RIGHT, baselines=["rouge_sim", "cost_replace"])


def made(**options: Any) -> TTED:
    """A TTED with the encoder of tests."""
    return TTED(**{"encoder": hashed, **options})


def compared(left: Any = LEFT, right: Any = RIGHT, **options: Any) -> Comparison:
    """Two maps compared with the encoder of tests."""
    return compare(left, right, **{"encoder": hashed, **options})
