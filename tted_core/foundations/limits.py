"""Limits that several files check; every other one stands in the file that checks it (docs/formats.md has all).

Limits are checked before the costly step, and an error names the actual value and the limit.
"""

from tted_core.errors import LimitError

MAX_BYTES = 10_000_000
"""Bytes of one input file or pasted text."""

MAX_NODES_READ = 50_000
"""Nodes read from a file, of all its maps; far above what can be compared, so that a map can be trimmed."""

MAX_NODES_COMPARED = 2_000
"""Nodes of each tree in a comparison, after trimming."""

MAX_NODES_TRACED = 12
"""Nodes of each tree whose comparison is shown step by step; its tables still fit a screen."""

MAX_DEPTH = 500
"""Levels of one map; the root is level 1."""

MAX_LABEL_CHARACTERS = 10_000
"""Characters of one node's text."""

MAX_LINES = 200_000
"""Lines of a text in a format that is read line by line."""

MAX_MARKDOWN_CHARACTERS = 400_000
"""Characters of all Markdown in one file; its parser takes up to 2 seconds for so many."""

MAX_PARAPHRASE_PAIRS = 2_000
"""Sentences with a paraphrase in a list by which measures are judged; each is held against all others."""

MAX_MAPS = 1_000
"""Maps in one file, and map files in an archive."""

MAX_UNPACKED_BYTES = 20_000_000
"""Bytes that one entry of an archive, or all map files in it together, really unpack to."""

MAX_MAPS_IN_MATRIX = 20_000
"""Maps in one matrix of distances, which takes 3.2 GB for so many."""


def check_limit(value: int, limit: int, what: str, way_out: str) -> None:
    """Raise ``LimitError`` if ``value`` is above ``limit``; ``what`` and ``way_out`` complete the sentence.

    >>> check_limit(3, 2, "nodes in the left map", "trim it to fewer levels")
    Traceback (most recent call last):
    tted_core.errors.LimitError: 3 nodes in the left map, but the limit is 2; trim it to fewer levels
    """
    if value > limit:
        raise LimitError(f"{value:,} {what}, but the limit is {limit:,}; {way_out}")
