"""A reading as data of the outline: every node on its row, every line and every change once."""

from collections.abc import Sequence
from typing import Any

from tted_core import MindMap
from tted_core.explanation import Explanation, Node
from tted_core.report.palette import KIND_STYLES
from tted_core.report.readings import Reading
from tted_core.solvers.structure import Pair
from tted_core.words.languages import language


def outline_rows(
    explanation: Explanation, reading: Reading, *, table: bool = False, before: Sequence[Pair] = ()
) -> dict[str, Any]:
    """The outline as JSON.

    ``ops`` are the lines: each with its kind, its nodes, the topmost node of its move (``head``), whether both
    readings pair its ends (``aligned``), the number of its change in the order of display, its cost (as a number
    and as text, in ``unit``), whether it may change the claim (``flagged``), and notes. ``changes`` are listed
    beside the outline with ``table``: each with its kind, its share of the distance, its words and the line that
    stands for it (``op``). ``left`` and ``right`` list their nodes in the order of display: each with its preorder
    index, its ``row``, the number of its line, whether that line's notes stand here, its text in pieces [text,
    whether it is changed, the sentence of a part that it is, whether it may change the claim], the verb, joint and
    name that lead to its other ``end``, and ``above``, its parent's index in the list. ``old`` are pairs of
    ``before``, the script without the user's choices, that are no longer in it. ``reordered`` is true if siblings
    on the right were reordered.
    """
    comparison = explanation.comparison
    shown = [row.cells[1].node.index for row in reading.rows if row.cells[1]]
    by_script = reading.name == "script"
    return {
        "reading": reading.name,
        "ops": [
            {
                "kind": line.kind,
                "source": line.nodes[0] and line.nodes[0].index,
                "target": line.nodes[1] and line.nodes[1].index,
                "head": line.head,
                "aligned": line.is_aligned,
                "change": line.change,
                "cost": line.amount,
                "amount": line.amount_text,
                "flagged": bool(line.flags),
                "notes": line.remarks,
            }
            for line in reading.lines
        ],
        "changes": [
            {
                "op": each.line.number,
                "kind": each.line.kind,
                "share": each.share,
                "words": " ".join([each.words, *(f"! {flag.words}" for flag in each.flags)]),
                "flagged": bool(each.flags),
            }
            for each in reading.changes
        ],
        "left": _side(reading, 0, comparison.left),
        "right": _side(reading, 1, comparison.right),
        "styles": {
            kind: {"glyph": style.glyph, "meaning": style.meaning, "count": part.count}
            for kind, part in reading.by_kind.items()
            for style in [KIND_STYLES[kind]]
        },
        "old": sorted(set(before) - set(comparison.script.pairs)) if by_script else [],
        "reordered": shown != sorted(shown),
        "unit": reading.unit.name,
        "table": table,
    }


def _side(reading: Reading, side: int, mind_map: MindMap) -> dict[str, Any]:
    tree, index_of = mind_map.tree, dict[Node, int]()
    nodes: list[dict[str, Any]] = []
    for number, row in enumerate(reading.rows):
        if not (cell := row.cells[side]):
            continue
        node, line = cell.node, row.line
        index_of[node] = len(nodes)
        nodes.append(
            {
                "node": node.index,
                "row": number,
                "op": line.number,
                "last": line.own[-1] is node,
                "above": index_of[node.parent] if node.parent else -1,
                "level": node.level,
                "size": tree.sizes[node.index],
                "parts": [
                    [piece.text, piece.changed, piece.part and piece.part.number, piece.flagged]
                    for piece in cell.pieces
                ],
                "end": cell.goal and cell.goal[1:],
            }
        )
    return {"name": mind_map.name or "", "lang": language(" ".join(tree.labels)), "nodes": nodes}
