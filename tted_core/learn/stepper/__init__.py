"""What the step player is given: a whole run at once, which it plays in the browser."""

import hashlib
import json
from pathlib import Path
from typing import Any

from tted_core.learn.places import places
from tted_core.learn.stepper.narration import Step, number, tell
from tted_core.learn.zhang_shasha import Numbering, Trace
from tted_core.script import GLYPHS
from tted_core.tree import TextTree

LETTERS = 3
"""Labels up to this length stand inside their nodes; longer ones in a list below."""

FOLDER = Path(__file__).parent
SCRIPTS = ("trees.js", "tables.js", "stepper.js")
SHARED_SCRIPTS = ("present.js", "player.js")


def player_data(left: TextTree, right: TextTree, run: Trace) -> dict[str, Any]:
    """Everything the player shows, as JSON."""
    told = tell(run)
    filled = [
        (place, step.table, step.cell)
        for place, step in enumerate(told)
        if step.kind == "cell" and step.cell is not None
    ]
    at = {(table, cell.row, cell.column): place for place, table, cell in filled}
    found = {
        (cell.row, cell.column): {"at": place, "value": number(cell.value)}
        for place, _, cell in filled
        if cell.is_tree
    }
    content: dict[str, Any] = {
        "sides": [_side("left", left, run.left), _side("right", right, run.right)],
        "tables": [
            {
                "left": table.left,
                "right": table.right,
                "rows": table.rows,
                "columns": table.columns,
                "first": at[index, table.rows[0], table.columns[0]],
            }
            for index, table in enumerate(run.tables)
        ],
        "trees": [[found.get((i, j)) for j in range(len(right) + 1)] for i in range(len(left) + 1)],
        "steps": [_step(run, place, step, at) for place, step in enumerate(told)],
        "longest": max((step.text for step in told), key=len),
        "walk": next(place for place, step in enumerate(told) if step.kind == "walk"),
        "jumps": [{"at": place, "name": name} for place, name in _jumps(run, told)],
        "glyphs": {**GLYPHS, "subtree": "≡"},
    }
    content["id"] = hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
    return content


def _side(name: str, tree: TextTree, numbers: Numbering) -> dict[str, Any]:
    """A tree as the player draws it; lists have an entry 0 for no node."""
    where = places(tree)
    in_postorder = [where[node] for node in numbers.preorder[1:]]
    position = {node: place for place, node in enumerate(numbers.preorder)}
    return {
        "name": name,
        "labels": numbers.labels,
        "letters": all(len(label) <= LETTERS for label in tree.labels),
        "leftmost": numbers.leftmost,
        "keyroots": numbers.keyroots,
        "parent": [0, *(position.get(tree.parents[node], 0) for node in numbers.preorder[1:])],
        "x": [0, *(x for x, _ in in_postorder)],
        "level": [0, *(level for _, level in in_postorder)],
        "leaves": sum(not below for below in tree.children),
        "depth": tree.depth,
    }


def _step(run: Trace, place: int, step: Step, at: dict[tuple[int | None, int, int], int]) -> dict[str, Any]:
    shown: dict[str, Any] = {"kind": step.kind, "text": step.text, "table": step.table, "at": place}
    if step.cell is None:
        return shown
    cell = step.cell
    shown["cell"] = (cell.row, cell.column)
    if step.walk:
        kind: str = step.walk.move
        if kind == "replace" and run.left.labels[cell.row] == run.right.labels[cell.column]:
            kind = "match"
        return shown | {"walk": {"kind": kind}, "source": at[step.table, cell.row, cell.column]}
    ways = [
        {
            "move": each.move,
            "from": each.origin,
            "start": number(each.start),
            "added": number(each.added),
            "value": number(each.value),
        }
        for each in cell.candidates
    ]
    return shown | {"tree": cell.is_tree, "value": number(cell.value), "ways": ways, "best": cell.best}


def _jumps(run: Trace, told: list[Step]) -> list[tuple[int, str]]:
    """Where a list of places to go to leads: the steps that open something, and what they open."""
    jumps = [(0, "the two trees")]
    jumps += [
        (place, f"keyroots {run.tables[step.table].left}, {run.tables[step.table].right}")
        for place, step in enumerate(told)
        if step.kind == "table" and step.table is not None
    ]
    jumps.append((next(place for place, step in enumerate(told) if step.kind == "walk"), "the way back"))
    jumps.append((len(told) - 1, "the mapping"))
    return jumps
