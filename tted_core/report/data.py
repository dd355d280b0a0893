"""A comparison in files: the script as CSV, whose shape is kept stable, and names of files."""

import re

from tted_core.comparison import Comparison
from tted_core.tables import csv_text


def script_csv(comparison: Comparison) -> str:
    """The edit script as CSV with a header; each row after it is an operation."""
    left, right = comparison.left.tree.labels, comparison.right.tree.labels
    return csv_text(
        ("op", "source", "target", "cost", "source_label", "target_label", "notes"),
        (
            (
                op.op,
                op.source,
                op.target,
                op.cost,
                None if op.source is None else left[op.source],
                None if op.target is None else right[op.target],
                "; ".join(op.notes),
            )
            for op in comparison.script.ops
        ),
    )


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
