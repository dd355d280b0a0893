"""Limits that several files check; other limits are in the file that checks them (docs/formats.md lists all).

Limits are checked before the costly step, and an error names the actual value and the limit.
"""

from tted_core.errors import LimitError

MAX_BYTES = 10_000_000
"""Maximum bytes of one input file or pasted text."""

MAX_NODES_READ = 50_000
"""Maximum nodes read from a file, of all its maps; more than can be compared, so that a map can be trimmed."""

MAX_NODES_COMPARED = 2_000
"""Maximum nodes of each tree in a comparison, after trimming."""

MAX_SENTENCES_COMPARED = 4_000
"""Maximum sentences of each map that are compared one by one."""

MAX_NODES_TRACED = 12
"""Maximum nodes of each tree whose comparison is shown step by step; its tables still fit a screen."""

MAX_DEPTH = 500
"""Maximum levels of one map; the root is level 1."""

MAX_LABEL_CHARACTERS = 10_000
"""Maximum characters of one node's text."""

MAX_LINES = 200_000
"""Maximum lines of a text in a format that is read line by line."""

MAX_MARKDOWN_CHARACTERS = 400_000
"""Maximum characters of all Markdown in one file, which takes its parser up to 2 seconds."""

MAX_MAPS = 1_000
"""Maximum maps in one file, and map files in an archive."""

MAX_UNPACKED_BYTES = 20_000_000
"""Maximum unpacked bytes of one entry of an archive, and of all its map files together."""


def check_limit(value: int, limit: int, what: str, way_out: str) -> None:
    """Raise ``LimitError`` if ``value`` is above ``limit``; ``what`` and ``way_out`` complete the sentence.

    >>> check_limit(3, 2, "nodes in the left map", "trim it to fewer levels")
    Traceback (most recent call last):
    tted_core.errors.LimitError: 3 nodes in the left map, but the limit is 2; trim it to fewer levels
    """
    if value > limit:
        raise LimitError(f"{value:,} {what}, but the limit is {limit:,}; {way_out}")
