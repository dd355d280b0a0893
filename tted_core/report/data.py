"""What goes out: the JSON objects of the command line and the script as CSV. Their shape is kept stable."""

import csv
import io
import re
from dataclasses import asdict
from typing import Any

from tted_core.baselines import BaselineScore
from tted_core.comparison import Comparison
from tted_core.formats import MindMap
from tted_core.version import VERSION

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", ";")
"""A cell that begins with one of these runs as a formula when a spreadsheet opens the file."""

# In many countries a spreadsheet also splits at semicolons, and what follows one begins a cell.
_AFTER_SEMICOLON = re.compile("(?<=;)(?=['=+@\t\r-])")
_APOSTROPHE = re.compile("(?<=;)'(?=['=+@\t\r-])")


def map_json(mind_map: MindMap) -> dict[str, Any]:
    """A map as read; labels and parents in preorder, -1 for the root's parent."""
    tree = mind_map.tree
    return {
        "format": mind_map.format,
        "nodes": len(tree),
        "depth": tree.depth,
        "labels": list(tree.labels),
        "parents": list(tree.parents),
        "notices": list(mind_map.notices),
    }


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """A comparison; ``source`` and ``target`` index the labels of ``left`` and ``right``."""
    return {
        "tted": comparison.tted,
        "lower_bound": comparison.lower_bound,
        "proven": comparison.proven,
        "normalized": comparison.normalized,
        "steinhaus": comparison.steinhaus,
        "tted_at": list(comparison.tted_at),
        "avg_tted": comparison.avg_tted,
        "script": [
            {
                "op": op.op,
                "source": op.source,
                "target": op.target,
                "cost": op.cost,
                **({"notes": list(op.notes)} if op.notes else {}),
            }
            for op in comparison.script.ops
        ],
        "baselines": {
            name: asdict(score) if isinstance(score, BaselineScore) else {"error": str(score)}
            for name, score in comparison.baselines.items()
        },
        "left": map_json(comparison.left),
        "right": map_json(comparison.right),
        "options": asdict(comparison.options),
        **({"choices": asdict(comparison.choices)} if comparison.choices else {}),
        "notices": list(comparison.notices),
        "signature": comparison.signature,
        "version": VERSION,
    }


def script_csv(comparison: Comparison) -> str:
    """The edit script as CSV with a header; each row after it is an operation."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["op", "source", "target", "cost", "source_label", "target_label", "notes"])
    left, right = comparison.left.tree.labels, comparison.right.tree.labels
    for op in comparison.script.ops:
        writer.writerow(
            [
                op.op,
                "" if op.source is None else op.source,
                "" if op.target is None else op.target,
                repr(op.cost),
                "" if op.source is None else spreadsheet_cell(left[op.source]),
                "" if op.target is None else spreadsheet_cell(right[op.target]),
                spreadsheet_cell("; ".join(op.notes)),
            ]
        )
    return out.getvalue()


def spreadsheet_cell(text: str) -> str:
    """The text as a cell, or a column's name, that no spreadsheet takes for a formula: with an apostrophe.

    >>> spreadsheet_cell("=1+1"), spreadsheet_cell("a;=1+1"), spreadsheet_cell("a - b = c; d")
    ("'=1+1", "a;'=1+1", 'a - b = c; d')
    """
    text = _AFTER_SEMICOLON.sub("'", text)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def text_of_cell(cell: str) -> str:
    """The text of which ``spreadsheet_cell`` made this cell, if it doesn't begin with an apostrophe itself."""
    return _APOSTROPHE.sub("", cell.removeprefix("'"))
