"""The step player, which shows the computation of the two polynomial orders step by step.

It is given a complete run, which it plays in the browser without arithmetic of its own. In either order, a run has
tables ("grids") that are filled entry by entry, lines of a recurrence of which some apply to an entry, and a
mapping that is read off at the end.
"""

import hashlib
import json
from dataclasses import asdict
from types import ModuleType
from typing import Any

from tted_core.learn.mappings import unit_costs
from tted_core.learn.stepper import constrained, ordered
from tted_core.learn.stepper.recording import Numbering
from tted_core.learn.tree_picture import coordinates
from tted_core.script import GLYPHS
from tted_core.tree import TextTree

# Labels up to this length are drawn inside their nodes, longer ones in a list below.
_LETTERS = 3

# Order -> module that records a run, and has the lines of its recurrence and its steps.
RECORDERS: dict[str, ModuleType] = {"ordered": ordered, "constrained": constrained}


def player_data(order: str, left: TextTree, right: TextTree) -> tuple[dict[str, Any], float]:
    """All data of the player under one of ``RECORDERS``, as JSON, and the distance; costs are 0 and 1."""
    algorithm = RECORDERS[order]
    run = algorithm.trace(left, right, unit_costs(left, right))
    with_keyroots = order == "ordered"
    steps = list(algorithm.steps(run))
    walk = next(index for index, step in enumerate(steps) if step["kind"] == "walk")
    jumps = [(index, step["jump"]) for index, step in enumerate(steps) if "jump" in step]
    jumps += [(walk, "the way back"), (len(steps) - 1, "the mapping")]
    data = {
        "title": algorithm.TITLE,
        "sides": [
            _side("left", left, run.left, with_keyroots=with_keyroots),
            _side("right", right, run.right, with_keyroots=with_keyroots),
        ],
        "glyphs": dict(GLYPHS),
        "grids": [asdict(grid) for grid in run.grids],
        "lines": {
            table: [{"key": key, "way": way, "general": general} for key, way, general in lines]
            for table, lines in algorithm.LINES.items()
        },
        "steps": steps,
        "walk": walk,
        "jumps": [{"at": index, "name": name} for index, name in jumps],
        "longest": max((step["text"] for step in steps), key=len),
    }
    data["id"] = hashlib.sha256(json.dumps(data).encode()).hexdigest()[:16]
    return data, run.distance


def _side(name: str, tree: TextTree, numbers: Numbering, *, with_keyroots: bool) -> dict[str, Any]:
    """A tree as the player draws it; lists have an entry 0 for no node."""
    where = coordinates(tree)
    in_postorder = [where[node] for node in numbers.preorder[1:]]
    position = {node: index for index, node in enumerate(numbers.preorder)}
    return {
        "name": name,
        "labels": numbers.labels,
        "letters": all(len(label) <= _LETTERS for label in tree.labels),
        "beside": [f"ℓ={first}" if with_keyroots else "" for first in numbers.leftmost],
        "rings": numbers.keyroots if with_keyroots else (),
        "parent": [0, *(position.get(tree.parents[node], 0) for node in numbers.preorder[1:])],
        "x": [0, *(x for x, _ in in_postorder)],
        "level": [0, *(level for _, level in in_postorder)],
        "leaves": sum(not below for below in tree.children),
        "depth": tree.depth,
    }
