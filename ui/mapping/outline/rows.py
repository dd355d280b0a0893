"""Data of the outline: every node on its row, every sentence and every change once."""

from typing import Any

from tted_core import MindMap
from tted_core.explain.pieces import Piece, pieces_of
from tted_core.explanation import Explanation, Sentence
from tted_core.report.html_report import listed_changes
from tted_core.report.palette import STYLES
from tted_core.words.languages import language


def outline_rows(explanation: Explanation, *, table: bool = False) -> dict[str, Any]:
    """The outline as JSON.

    ``ops`` are the sentences: each with its status (``kind``), its nodes, the topmost node of its move (``head``),
    whether the script pairs its ends (``aligned``), the number of its change in the order of display, the amount
    (as text, in ``unit``) of the operation with the same ends, whether it may change the claim (``flagged``), and
    notes. ``changes`` are listed beside the outline with ``table``, the most costly first: each with
    its status, its share of the distance, its words and the sentence that stands for it (``op``). ``left`` and
    ``right`` list their nodes in the order of display: each with its preorder index, its ``row``, the number of
    the sentence that stands for it, its text in pieces [text, whether it is changed, the sentence of a part that
    it is, whether it may change the claim], and ``above``, its parent's index in the list.
    ``reordered`` is true if siblings on the right were reordered.
    """
    counts, comparison = explanation.matching.counts, explanation.comparison
    return {
        "ops": [_op(explanation, each) for each in explanation.sentences],
        "changes": [
            {
                "op": change.top.number,
                "kind": change.kind,
                "share": change.share,
                "words": words,
                "flagged": bool(change.flags),
            }
            for change, words in listed_changes(explanation)
        ],
        "left": _side(explanation, 0, comparison.left),
        "right": _side(explanation, 1, comparison.right),
        "styles": {
            kind: {"glyph": style.glyph, "meaning": style.meaning, "count": counts[kind]}
            for kind, style in STYLES.items()
        },
        "reordered": explanation.is_reordered,
        "unit": comparison.script.unit.name,
        "table": table,
    }


def _op(explanation: Explanation, sentence: Sentence) -> dict[str, Any]:
    record = sentence.record
    return {
        "kind": record.status,
        "source": record.source,
        "target": record.target,
        "head": record.head,
        "aligned": sentence.is_aligned,
        "change": sentence.change and sentence.change.position,
        "amount": explanation.amount_text(sentence, digits=2),
        "flagged": bool(sentence.flags),
        "notes": explanation.notes(sentence),
    }


def _side(explanation: Explanation, side: int, mind_map: MindMap) -> dict[str, Any]:
    tree = mind_map.tree
    shown = [(row, pair[side]) for row, pair in enumerate(explanation.rows)]
    index_of = {node: index for index, node in enumerate(node for _, node in shown if node)}
    return {
        "name": mind_map.name or "",
        "lang": language(" ".join(tree.labels)),
        "nodes": [
            {
                "node": node.index,
                "row": row,
                "op": node.sentence.number,
                "above": index_of[node.parent] if node.parent else -1,
                "level": node.level,
                "size": tree.sizes[node.index],
                "parts": [_part(piece) for piece in pieces_of(node)],
            }
            for row, node in shown
            if node
        ],
    }


def _part(piece: Piece) -> list[Any]:
    return [piece.text, piece.changed, piece.part and piece.part.number, piece.flagged]
