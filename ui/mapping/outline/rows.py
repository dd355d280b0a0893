"""Data of the outline: every node on its row, every line and every change once, in one of two readings.

A line of the edit script is an operation, one of the sentences is what became of a sentence. In both, the lines'
costs add up to the distance.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from tted_core import MindMap
from tted_core.explain.pieces import Piece, pieces_of
from tted_core.explanation import Explanation, Node, Operation, Row, Sentence
from tted_core.matching.records import QUIET
from tted_core.report.html_report import listed_changes
from tted_core.report.palette import OP_STYLES, STYLES
from tted_core.report.words import END_ISOLATE, ISOLATE, LABEL_CHARACTERS, where_they_differ
from tted_core.solvers.structure import Pair
from tted_core.words.languages import language
from ui.text import shortened

Reading: TypeAlias = Literal["script", "sentences"]


def outline_rows(
    explanation: Explanation, reading: Reading, *, table: bool = False, before: Sequence[Pair] = ()
) -> dict[str, Any]:
    """The outline as JSON.

    ``ops`` are the lines: each with its kind, its nodes, the topmost node of its move (``head``), whether both
    readings pair its ends (``aligned``), the number of its change in the order of display, its cost (as a number
    and as text, in ``unit``), whether it may change the claim (``flagged``), and notes. ``changes`` are listed
    beside the outline with ``table``, the most costly first: each with its kind, its share of the distance, its
    words and the line that stands for it (``op``). ``left`` and ``right`` list their nodes in the order of
    display: each with its preorder index, its ``row``, the number of its line, its text in pieces [text, whether
    it is changed, the sentence of a part that it is, whether it may change the claim], and ``above``, its parent's
    index in the list. ``old`` are pairs of ``before``, the script without the user's choices, that are no longer
    in it. ``reordered`` is true if siblings on the right were reordered.
    """
    by_script, comparison = reading == "script", explanation.comparison
    rows = explanation.script_rows if by_script else explanation.rows
    ops = (
        _operations(explanation)
        if by_script
        else [_sentence(explanation, each) for each in explanation.sentences]
    )
    counts = Counter(op["kind"] for op in ops)
    shown = [row.right.index for row in rows if row.right]
    return {
        "reading": reading,
        "ops": ops,
        "changes": _costly(explanation, ops) if by_script else _changes(explanation),
        "left": _side(explanation, 0, comparison.left, rows, by_script=by_script),
        "right": _side(explanation, 1, comparison.right, rows, by_script=by_script),
        "styles": {
            kind: {"glyph": style.glyph, "meaning": style.meaning, "count": counts[kind]}
            for kind, style in (OP_STYLES if by_script else STYLES).items()
        },
        "old": sorted(set(before) - set(comparison.script.pairs)) if by_script else [],
        "reordered": shown != sorted(shown),
        "unit": comparison.script.unit.name,
        "table": table,
    }


def _operations(explanation: Explanation) -> list[dict[str, Any]]:
    choices, unit = explanation.comparison.choices, explanation.comparison.script.unit
    costly = (
        node.operation for row in explanation.script_rows for node in row.nodes if node.operation.edit.cost
    )
    position = {operation: number for number, operation in enumerate(dict.fromkeys(costly))}
    found = []
    for operation in explanation.operations:
        edit = operation.edit
        sentences = dict.fromkeys(node.sentence for node in operation.nodes if node)
        flags = [f"! {flag.words}" for each in sentences for flag in each.flags]
        forced = ["forced by you"] * ((edit.source, edit.target) in choices.forced)
        amount = unit.amount(edit.cost)
        found.append(
            {
                "kind": edit.op,
                "source": edit.source,
                "target": edit.target,
                "head": None,
                "aligned": operation.is_near,
                "change": position.get(operation),
                "cost": amount,
                "amount": unit.text(amount, 3) if amount else "0",
                "flagged": bool(flags),
                "notes": [*forced, *flags, *edit.notes],
            }
        )
    return found


def _sentence(explanation: Explanation, sentence: Sentence) -> dict[str, Any]:
    record, unit = sentence.record, explanation.comparison.script.unit
    amount = unit.amount(*(each.edit.cost for each in sentence.operations))
    return {
        "kind": record.status,
        "source": record.source,
        "target": record.target,
        "head": record.head,
        "aligned": sentence.is_aligned,
        "change": sentence.change and sentence.change.position,
        "cost": amount,
        "amount": unit.text(amount, 3) if amount else "" if record.status in QUIET else "–",
        "flagged": bool(sentence.flags),
        "notes": explanation.notes(sentence),
    }


def _changes(explanation: Explanation) -> list[dict[str, Any]]:
    return [
        {
            "op": change.top.number,
            "kind": change.kind,
            "share": change.share,
            "words": words,
            "flagged": bool(change.flags),
        }
        for change, words in listed_changes(explanation)
    ]


def _costly(explanation: Explanation, lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The operations that cost something, the most costly first."""
    script = explanation.comparison.script
    whole = script.unit.amount(*(op.cost for op in script.ops))
    numbers = [number for number, line in enumerate(lines) if line["cost"]]
    return [
        {
            "op": number,
            "kind": lines[number]["kind"],
            "share": lines[number]["cost"] / whole,
            "words": _words(explanation.operations[number], lines[number]["notes"]),
            "flagged": lines[number]["flagged"],
        }
        for number in sorted(numbers, key=lambda number: -lines[number]["cost"])
    ]


def _words(operation: Operation, notes: Sequence[str]) -> str:
    labels = [node.label for node in operation.nodes if node]
    shown = where_they_differ(labels[0], labels[1]) if len(labels) == 2 else labels
    texts = (f"{ISOLATE}{shortened(each, LABEL_CHARACTERS)}{END_ISOLATE}" for each in shown)
    return " ".join([" → ".join(texts), *(note for note in notes if note.startswith("!"))])


def _side(
    explanation: Explanation, side: int, mind_map: MindMap, rows: Sequence[Row], *, by_script: bool
) -> dict[str, Any]:
    tree = mind_map.tree
    shown = [(row, node) for row, pair in enumerate(rows) if (node := pair[side])]
    index_of: dict[Node, int] = {node: index for index, (_, node) in enumerate(shown)}
    number_of = {each: number for number, each in enumerate(explanation.operations)}
    return {
        "name": mind_map.name or "",
        "lang": language(" ".join(tree.labels)),
        "nodes": [
            {
                "node": node.index,
                "row": row,
                "op": number_of[node.operation] if by_script else node.sentence.number,
                "above": index_of[node.parent] if node.parent else -1,
                "level": node.level,
                "size": tree.sizes[node.index],
                "parts": [_part(piece) for piece in pieces_of(node, by_script=by_script)],
            }
            for row, node in shown
        ],
    }


def _part(piece: Piece) -> list[Any]:
    return [piece.text, piece.changed, piece.part and piece.part.number, piece.flagged]
