"""TTED: text tree edit distance between mind maps (Sobolevsky and Vorontsov, APEIE 2025).

>>> from tted_core import compare, read_map
>>> result = compare(read_map("left.json"), read_map("right.md"))  # doctest: +SKIP
>>> result.tted, result.script.ops[0].op  # doctest: +SKIP
(1.2345, 'match')
"""

from tted_core.baselines import BASELINES, BaselineScore
from tted_core.batch.functions import compare_many, distance_matrix, nearest
from tted_core.comparing import compare
from tted_core.comparison import Comparison, Options
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
from tted_core.presets import PRESETS, preset
from tted_core.report import comparison_json, map_json, script_csv
from tted_core.script import EditOp, EditScript
from tted_core.solvers import SOLVERS, Choices, Solution
from tted_core.tree import TextTree
from tted_core.version import VERSION

__all__ = [
    "BASELINES",
    "CONTEXTS",
    "DISTANCES",
    "ENCODERS",
    "FORMATS",
    "PRESETS",
    "SOLVERS",
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
    "MindMap",
    "MissingExtraError",
    "Options",
    "OptionsError",
    "SentenceEncoder",
    "Solution",
    "SolverError",
    "TTEDError",
    "TextTree",
    "ToolError",
    "UnknownNameError",
    "compare",
    "compare_many",
    "comparison_json",
    "distance_matrix",
    "list_maps",
    "load_encoder",
    "map_json",
    "nearest",
    "parse_map",
    "preset",
    "read_map",
    "script_csv",
    "write_map",
]
