"""TTED: text tree edit distance between mind maps (Sobolevsky and Vorontsov, APEIE 2025).

>>> from tted_core import compare, read_map
>>> result = compare(read_map("left.json"), read_map("right.md"))  # doctest: +SKIP
>>> result.tted, result.script.ops[0].op  # doctest: +SKIP
(1.2345, 'match')
"""

from tted_core.baselines import BASELINES, BaselineScore
from tted_core.comparison import Comparison
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.encoders.sentence_encoder import ENCODERS, SentenceEncoder, load_encoder
from tted_core.errors import (
    ChoiceError,
    EncoderError,
    Interrupted,
    InvalidTreeError,
    LimitError,
    MapFormatError,
    MissingExtraError,
    OptionsError,
    SolverError,
    ToolError,
    TTEDError,
    UnknownNameError,
)
from tted_core.formats import FORMATS, WRITERS, MindMap, list_maps, parse_map, read_map, write_map
from tted_core.method import PRESETS, Method
from tted_core.report import comparison_json, map_json, script_csv
from tted_core.script import EditOp, EditScript
from tted_core.solvers import SOLVERS, Choices, Solution
from tted_core.tree import TextTree
from tted_core.tted import TTED, compare
from tted_core.version import VERSION

__all__ = [
    "BASELINES",
    "CONTEXTS",
    "DISTANCES",
    "ENCODERS",
    "FORMATS",
    "PRESETS",
    "SOLVERS",
    "TTED",
    "VERSION",
    "WRITERS",
    "BaselineScore",
    "ChoiceError",
    "Choices",
    "Comparison",
    "EditOp",
    "EditScript",
    "EncoderError",
    "Interrupted",
    "InvalidTreeError",
    "LimitError",
    "MapFormatError",
    "Method",
    "MindMap",
    "MissingExtraError",
    "OptionsError",
    "SentenceEncoder",
    "Solution",
    "SolverError",
    "TTEDError",
    "TextTree",
    "ToolError",
    "UnknownNameError",
    "compare",
    "comparison_json",
    "list_maps",
    "load_encoder",
    "map_json",
    "parse_map",
    "read_map",
    "script_csv",
    "write_map",
]
