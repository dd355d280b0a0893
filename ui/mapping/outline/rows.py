"""What the outline shows, as data: every node on its row, every operation once."""

from collections.abc import Sequence
from typing import Any

from tted_core import Comparison, EditOp, MindMap
from tted_core.explain.alignment import aligned_rows, display_order
from tted_core.report.palette import STYLES
from tted_core.words.diff import Part, word_diff
from tted_core.words.languages import language


def outline_rows(comparison: Comparison) -> dict[str, Any]:
    """The outline as JSON.

    ``ops`` are the script's operations in its order. ``left`` and ``right`` list their nodes in the order of
    display: each with its preorder index, its ``row``, the number of its operation, its text in parts [text,
    whether it is changed], and ``above``, its parent's place in the list. ``reordered`` tells whether siblings on
    the right changed places.
    """
    shown = display_order(comparison)
    rows = aligned_rows(comparison, shown)
    columns = [[row[side] for row in rows] for side in (0, 1)]
    ops = comparison.script.ops
    left, right = (
        _side(mind_map, column, _operations(ops, index), parts)
        for index, (mind_map, column, parts) in enumerate(
            zip((comparison.left, comparison.right), columns, _texts(comparison), strict=True)
        )
    )
    return {
        "ops": [_op(op) for op in ops],
        "left": left,
        "right": right,
        "styles": {
            kind: {"glyph": style.glyph, "meaning": style.meaning, "count": comparison.script.count(kind)}
            for kind, style in STYLES.items()
        },
        "reordered": shown != sorted(shown),
    }


def _op(op: EditOp) -> dict[str, Any]:
    return {
        "kind": op.op,
        "source": op.source,
        "target": op.target,
        "cost": f"{op.cost:.2f}",
        "notes": list(op.notes),
    }


def _operations(ops: Sequence[EditOp], side: int) -> dict[int | None, int]:
    """The number of each node's operation."""
    return {(op.source, op.target)[side]: number for number, op in enumerate(ops)}


def _texts(comparison: Comparison) -> tuple[list[Sequence[Part]], list[Sequence[Part]]]:
    """Each node's text in parts; only replaced nodes have changed ones."""
    left, right = comparison.left.tree.labels, comparison.right.tree.labels
    parts: tuple[list[Sequence[Part]], list[Sequence[Part]]] = (
        [(Part(label, changed=False),) for label in left],
        [(Part(label, changed=False),) for label in right],
    )
    for op in comparison.script.ops:
        if op.op == "replace" and op.source is not None and op.target is not None:
            parts[0][op.source], parts[1][op.target] = word_diff(left[op.source], right[op.target])
    return parts


def _side(
    mind_map: MindMap,
    column: Sequence[int | None],
    operations: dict[int | None, int],
    parts: Sequence[Sequence[Part]],
) -> dict[str, Any]:
    tree = mind_map.tree
    row_of = {node: row for row, node in enumerate(column) if node is not None}
    place = {node: index for index, node in enumerate(row_of)}
    return {
        "name": mind_map.name or "",
        "lang": language(" ".join(tree.labels)),
        "nodes": [
            {
                "node": node,
                "row": row,
                "op": operations[node],
                "above": place[tree.parents[node]] if node else -1,
                "level": tree.depths[node],
                "size": tree.sizes[node],
                "parts": [list(part) for part in parts[node]],
            }
            for node, row in row_of.items()
        ],
    }
