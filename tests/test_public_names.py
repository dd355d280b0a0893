"""The names that users may import: adding one is a decision, losing one breaks somebody's code."""

import tted_core

NAMES = """
BASELINES BaselineScore CONTEXTS ChoiceError Choices Comparison DISTANCES ENCODERS EditOp EditScript
EncoderError FORMATS Interrupted InvalidTreeError LimitError MapFormatError Method MindMap SOLVERS PRESETS TTED
MissingExtraError OptionsError ToolError
SentenceEncoder Solution SolverError TTEDError TextTree UnknownNameError VERSION WRITERS compare
comparison_json
list_maps load_encoder map_json parse_map read_map script_csv write_map
"""


def test_public_names():
    assert sorted(tted_core.__all__) == sorted(NAMES.split())
    assert all(getattr(tted_core, name) is not None for name in tted_core.__all__)
