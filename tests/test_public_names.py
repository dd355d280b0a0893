"""The names that users may import: adding one is a decision, losing one breaks somebody's code."""

import tted_core

NAMES = """
Comparison Method MindMap PRESETS TTED TTEDError TextTree VERSION
compare load_encoder parse_map read_map read_maps map_text write_map
"""


def test_public_names():
    assert sorted(tted_core.__all__) == sorted(NAMES.split())
    assert all(getattr(tted_core, name) is not None for name in tted_core.__all__)
