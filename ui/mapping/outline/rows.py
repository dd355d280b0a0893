"""Data of the outline: every node on its row, every outcome and every change once."""

from collections.abc import Sequence
from typing import Any

from tted_core import Comparison, MindMap
from tted_core.explain.mapping_view import MappingView
from tted_core.report.html_report import listed_changes
from tted_core.report.palette import STYLES
from tted_core.words.languages import language


def outline_rows(comparison: Comparison, *, table: bool = False) -> dict[str, Any]:
    """The outline as JSON.

    ``ops`` are the outcomes: each with its status (``kind``), its nodes, the topmost node of its move (``head``),
    whether the script pairs its ends (``aligned``), the number of its change in the order of display, the amount
    (as text, in ``unit``) of the operation with the same ends, whether it may change the claim (``flagged``), and
    notes. ``changes`` are listed beside the outline with ``table``, the most costly first: each with
    its status, its share of the distance, its sentence and the outcome that stands for it (``op``). ``left`` and
    ``right`` list their nodes in the order of display: each with its preorder index, its ``row``, the number of
    the outcome that stands for it, its text in pieces [text, whether it is changed, the outcome of a part that it
    is, whether it may change the claim], and ``above``, its parent's index in the list.
    ``reordered`` is true if siblings on the right were reordered.
    """
    view = MappingView(comparison)
    counts = view.counts
    left, right = _side(view, 0, comparison.left), _side(view, 1, comparison.right)
    ops = _ops(view)
    return {
        "ops": ops,
        "changes": _changes(view, ops),
        "left": left,
        "right": right,
        "styles": {
            kind: {"glyph": style.glyph, "meaning": style.meaning, "count": counts[kind]}
            for kind, style in STYLES.items()
        },
        "reordered": view.reordered,
        "unit": comparison.script.unit.name,
        "table": table,
    }


def _ops(view: MappingView) -> list[dict[str, Any]]:
    positions = view.change_positions
    return [
        {
            "kind": each.status,
            "source": each.source,
            "target": each.target,
            "head": each.head,
            "aligned": view.is_aligned(number),
            "change": None if change is None else positions[change],
            "amount": view.amount_text(number, digits=2),
            "flagged": bool(view.flags[number]),
            "notes": view.notes(number),
        }
        for number, (each, change) in enumerate(zip(view.outcomes, view.change_of, strict=True))
    ]


def _changes(view: MappingView, ops: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for change, share, words in listed_changes(view):
        side, node = (1, change.target) if change.source is None else (0, change.source)
        number = view.at[side][node or 0]
        members = [op for op in ops if op["change"] is not None and op["change"] == ops[number]["change"]]
        found.append(
            {
                "op": number,
                "kind": change.kind,
                "share": share,
                "words": words,
                "flagged": any(op["flagged"] for op in members),
            }
        )
    return found


def _side(view: MappingView, side: int, mind_map: MindMap) -> dict[str, Any]:
    tree = mind_map.tree
    row_of = {node: row for row, pair in enumerate(view.rows) if (node := pair[side]) is not None}
    index_of = {node: index for index, node in enumerate(row_of)}
    return {
        "name": mind_map.name or "",
        "lang": language(" ".join(tree.labels)),
        "nodes": [
            {
                "node": node,
                "row": row,
                "op": view.at[side][node],
                "above": index_of[tree.parents[node]] if node else -1,
                "level": tree.depths[node],
                "size": tree.sizes[node],
                "parts": [list(piece) for piece in view.pieces(side, node)],
            }
            for node, row in row_of.items()
        ],
    }
