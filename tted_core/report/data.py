"""A comparison in files: the JSON objects of the command line, the script as CSV, and names of files.

The shape of JSON and CSV is kept stable.
"""

import re
from dataclasses import asdict
from typing import Any

from tted_core.baselines import BaselineScore
from tted_core.comparison import Comparison
from tted_core.formats import MindMap
from tted_core.tables import csv_text
from tted_core.version import VERSION


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
        **comparison.scores.normalised,
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
        "options": comparison.method.described,
        **({"choices": asdict(comparison.choices)} if comparison.choices else {}),
        "notices": list(comparison.notices),
        "signature": comparison.signature,
        "version": VERSION,
    }


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
