"""What the outline shows, as data: every node on its row, every operation once."""

from collections.abc import Mapping, Sequence
from typing import Any

from tted_core import Comparison, MindMap
from tted_core.explain.mapping_view import MappingView
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
    other end of a move (``twin``), its change's number in the order of display, its cost, the receipt's amount
    (as text, in ``unit``), share and sum so far, and what ``table`` says of it. ``left`` and ``right`` list their
    nodes in the order of display: each with its preorder index, its ``row``, the number of its operation, its text
    in parts [text, whether it is changed], and ``above``, its parent's place in the list. ``reordered`` tells
    whether siblings on the right changed places.
    """
    view = MappingView(comparison)
    counts = view.counts
    left, right = (
        _side(view, side, mind_map, parts)
        for side, (mind_map, parts) in enumerate(
            zip((comparison.left, comparison.right), _texts(comparison), strict=True)
        )
    )
    return {
        "ops": _ops(view, table or {}),
        "left": left,
        "right": right,
        "styles": {
            kind: {"glyph": style.glyph, "meaning": style.meaning, "count": counts[kind]}
            for kind, style in STYLES.items()
        },
        "reordered": view.reordered,
        "unit": comparison.script.unit.name,
        "table": table is not None,
    }


def _ops(view: MappingView, table: Mapping[Entry, str]) -> list[dict[str, Any]]:
    found = receipt(view.comparison)
    lines = {(line.op.source, line.op.target): line for line in found.lines}
    places = _places(view)
    return [
        {
            "kind": look.kind,
            "op": op.op,
            "source": op.source,
            "target": op.target,
            "twin": look.twin,
            "change": None if look.change is None else places[look.change],
            "cost": op.cost,
            "amount": found.unit.text(found.unit.amount(op.cost), places=2),
            "share": lines[op.source, op.target].share,
            "running": lines[op.source, op.target].running,
            "otherwise": table.get((op.source, op.target), ""),
            "notes": [note for note in op.notes if note != SAID_BY_LOOK.get(look.kind)],
        }
        for op, look in zip(view.ops, view.looks, strict=True)
    ]


def _places(view: MappingView) -> dict[int, int]:
    """The changes' numbers from the top of the outline to its end, by their numbers from the dearest."""
    met = (
        view.look(side, node).change for row in view.rows for side, node in enumerate(row) if node is not None
    )
    in_order = dict.fromkeys(change for change in met if change is not None)
    return {change: place for place, change in enumerate(in_order)}


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


def _side(view: MappingView, side: int, mind_map: MindMap, parts: Sequence[Sequence[Part]]) -> dict[str, Any]:
    tree = mind_map.tree
    row_of = {node: row for row, pair in enumerate(view.rows) if (node := pair[side]) is not None}
    place = {node: index for index, node in enumerate(row_of)}
    return {
        "name": mind_map.name or "",
        "lang": language(" ".join(tree.labels)),
        "nodes": [
            {
                "node": node,
                "row": row,
                "op": view.at[side][node],
                "above": place[tree.parents[node]] if node else -1,
                "level": tree.depths[node],
                "size": tree.sizes[node],
                "parts": [list(part) for part in parts[node]],
            }
            for node, row in row_of.items()
        ],
    }
