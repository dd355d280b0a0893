"""TTED: text tree edit distance between mind maps (Sobolevsky and Vorontsov, APEIE 2025).

>>> from tted_core import TTED, read_map
>>> tted = TTED(encoder="minilm", preset="published")
>>> result = tted.compare(read_map("left.json"), read_map("right.md"))  # doctest: +SKIP
>>> result.tted, result.script.ops[0].op  # doctest: +SKIP
(1.2345, 'match')

Registries, and what fewer programs need, stand in the rooms of this package: ``tted_core.distances``, ``formats``,
``baselines``, ``solvers``, ``annotate.checks``, ``annotate.agreement``, ``systems``, ``errors`` ...
"""

from tted_core.compare import Comparison
from tted_core.encoders.sentence_encoder import load_encoder
from tted_core.errors import TTEDError
from tted_core.formats import MindMap, parse_map, read_map, read_maps, write_map
from tted_core.method import PRESETS, Method
from tted_core.tree import TextTree
from tted_core.tted import TTED, compare
from tted_core.version import VERSION

__version__ = VERSION

__all__ = [
    "PRESETS",
    "TTED",
    "VERSION",
    "Comparison",
    "Method",
    "MindMap",
    "TTEDError",
    "TextTree",
    "compare",
    "load_encoder",
    "parse_map",
    "read_map",
    "read_maps",
    "write_map",
]
