"""What the outline shows, as data: every node on its row, every operation once."""

from collections.abc import Mapping, Sequence
from typing import Any

from tted_core import Comparison, EditOp, MindMap
from tted_core.explain.alignment import aligned_rows, display_order
from tted_core.explain.looks import Look, counted_looks, looks
from tted_core.explain.receipt import receipt
from tted_core.report.palette import STYLES
from tted_core.script import RELOCATED, SAME_TEXT
from tted_core.solvers.structure import Entry
from tted_core.words.diff import Part, word_diff
from tted_core.words.languages import language

SAID_BY_LOOK = {"context": SAME_TEXT, "move": RELOCATED}
"""The notes that say no more than the look does."""


def outline_rows(comparison: Comparison, table: Mapping[Entry, str] | None = None) -> dict[str, Any]:
    """The outline as JSON.

    ``ops`` are the script's operations in its order: each with how it looks (``kind``), the operation at the
    other end of a move (``twin``), its change's number in the order of display, its cost, the receipt's share and
    sum so far, and what ``table`` says of it. ``left`` and ``right`` list their nodes in the order of display:
    each with its preorder index, its ``row``, the number of its operation, its text in parts [text, whether it is
    changed], and ``above``, its parent's place in the list. ``reordered`` tells whether siblings on the right
    changed places.
    """
    shown = display_order(comparison)
    rows = aligned_rows(comparison, shown)
    columns = [[row[side] for row in rows] for side in (0, 1)]
    ops = comparison.script.ops
    found = looks(comparison)
    counts = counted_looks(found)
    left, right = (
        _side(mind_map, column, _operations(ops, index), parts)
        for index, (mind_map, column, parts) in enumerate(
            zip((comparison.left, comparison.right), columns, _texts(comparison), strict=True)
        )
    )
    return {
        "ops": _ops(comparison, found, rows, table or {}),
        "left": left,
        "right": right,
        "styles": {
            kind: {"glyph": style.glyph, "meaning": style.meaning, "count": counts[kind]}
            for kind, style in STYLES.items()
        },
        "reordered": shown != sorted(shown),
        "table": table is not None,
    }


def _ops(
    comparison: Comparison,
    found: Sequence[Look],
    rows: Sequence[tuple[int | None, int | None]],
    table: Mapping[Entry, str],
) -> list[dict[str, Any]]:
    lines = {(line.op.source, line.op.target): line for line in receipt(comparison).lines}
    places = _places(comparison, found, rows)
    return [
        {
            "kind": look.kind,
            "op": op.op,
            "source": op.source,
            "target": op.target,
            "twin": look.twin,
            "change": None if look.change is None else places[look.change],
            "cost": op.cost,
            "share": lines[op.source, op.target].share,
            "running": lines[op.source, op.target].running,
            "otherwise": table.get((op.source, op.target), ""),
            "notes": [note for note in op.notes if note != SAID_BY_LOOK.get(look.kind)],
        }
        for op, look in zip(comparison.script.ops, found, strict=True)
    ]


def _places(
    comparison: Comparison, found: Sequence[Look], rows: Sequence[tuple[int | None, int | None]]
) -> dict[int, int]:
    """The changes' numbers from the top of the outline to its end, by their numbers from the dearest."""
    at: tuple[dict[int | None, int | None], dict[int | None, int | None]] = ({}, {})
    for op, look in zip(comparison.script.ops, found, strict=True):
        for side, node in zip(at, (op.source, op.target), strict=True):
            if node is not None:
                side[node] = look.change
    met = (at[side].get(node) for row in rows for side, node in enumerate(row))
    in_order = dict.fromkeys(change for change in met if change is not None)
    return {change: place for place, change in enumerate(in_order)}


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
