"""The mapping of two maps as outlines side by side, matched nodes on one row, or as a graph, and what is selected.

Both views have the same nodes, filters, keys and selection, and one component draws them. A graph of pyvis has no
folding, no keys and no selection, so pyvis draws the file to download only (``ui/compare/graph_file.py``).

``st.session_state["selected"]`` holds the selection, which all parts of a page share. Call ``select`` in a
widget's callback, so that everything on the page is drawn with the new selection. "reveals" counts the selections
to which the outline scrolls, and "outline-picks" the component's picks that the page has acted on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Condition
from typing import Any

import streamlit as st
from cachetools import LRUCache, cached
from cachetools.keys import hashkey

from tted_core import Comparison, MindMap
from tted_core.explain.build import explain
from tted_core.explanation import Explanation, Node
from tted_core.report.palette import KIND_STYLES
from tted_core.report.readings import ComparisonReading, read_script, read_sentences
from tted_core.report.wording import how_sure
from tted_core.script import EditOp
from tted_core.solvers.structure import Pair
from tted_core.words.languages import language
from ui.fields import Field, choice
from ui.page import component
from ui.text import counted

# Nodes of the explanations that are kept: 200 pairs of small maps, or ten of 1,000 nodes, 7 kB a node.
NODES_KEPT = 20_000

# The open reading and view: buttons of the component choose them.
# The edit script opens first: in seven of twelve real pairs, some changed sentences had no cost of their own
# (up to 9 of 19), while the script's costs, one for each line, add up to the number in the head.
READING_CHOICE = choice("reading", "Reading", ("script", "sentences"), "script")
VIEW_CHOICE = choice("view", "View", ("outline", "graph"), "outline")

SCRIPT_FILES = tuple(
    f"{name}.js"
    for name in (
        "elements",
        "links",
        "drawing",
        "shown",
        "tools",
        "ruler",
        "table",
        "keys",
        "drawer",
        "outline",
        "graph",
        "view",
    )
)

_outline = component(Path(__file__).parent / "outline", SCRIPT_FILES, shared=("present.js",))


@cached(
    LRUCache(NODES_KEPT, getsizeof=lambda explanation: sum(map(len, explanation.trees))),
    # Comparisons are equal by their signatures; names of maps and notes of operations aren't in them.
    key=lambda comparison: hashkey(comparison, comparison.left, comparison.right, comparison.script),
    condition=Condition(),
)
def explain_comparison(comparison: Comparison) -> Explanation:
    """The explanation of a comparison; those of the last ones are kept, as every part of a page asks for it."""
    return explain(comparison)


def open_reading(comparison: Comparison) -> ComparisonReading:
    """The reading that Compare shows."""
    read = read_script if open_value(READING_CHOICE) == "script" else read_sentences
    return read(explain_comparison(comparison))


def draw_mapping(result: Comparison, free: Comparison | None = None) -> None:
    """Draw the open view; a click or Enter selects a pair.

    Args:
        result: what to draw.
        free: on Compare, the comparison without the user's choices: then there is a choice of the reading, and the
            list of changes stands beside the outline. Without it, the sentences are drawn.
    """
    take_pick()
    if free:
        settle(result)
    else:  # a sentence is selected, not an operation: the script may pair its node with one of another sentence
        end_selection_in_other_maps(result)
    explanation = explain_comparison(result)
    reading = open_reading(result) if free else read_sentences(explanation)
    before = free.script.pairs if free else ()
    rows = outline_rows(explanation, reading, table=free is not None, before=before)
    foot = {"tted": reading.unit.text(reading.whole)}
    if free:
        foot |= {"relation": _relation(explanation), "proof": how_sure(result)}
    _outline(
        data=[  # a list, since Streamlit imports pandas and pyarrow (100 MB) to look for tables in a mapping
            {
                "view": open_value(VIEW_CHOICE),
                "rows": rows,
                "foot": foot,
                "selected": [read_selection().source, read_selection().target],
                "reveals": st.session_state.get("reveals", 0),
                "picks": st.session_state.get("outline-picks", 0),
            }
        ],
        key="outline",
        on_picked_change=lambda: None,
    )


def _relation(explanation: Explanation) -> str:
    """The differences between the edit script and the sentences, in words."""
    far = sum(not each.is_near for each in explanation.operations)
    apart = sum(not each.is_aligned for each in explanation.sentences)
    if far:
        return f"TTED pairs {counted(far, 'sentence')} that don't correspond: it costs less"
    if apart:
        return f"TTED can't pair {counted(apart, 'sentence')} that moved, merged or split"
    return "Both readings pair the same sentences"


def open_value(field: Field) -> str:
    """The open reading or view."""
    return str(st.session_state.get(field.name, field.default))


def take_pick() -> None:
    """Select the pair, and open the reading and the view, that were picked since the page last ran."""
    # A callback would lose clicks: if another one comes while it runs, Streamlit ends it at its next use of the
    # session and doesn't call it again.
    picked = getattr(st.session_state.get("outline"), "picked", None)
    if not picked or picked[-1] == st.session_state.get("outline-picks", 0):
        return
    source, target, reading, view, count = picked
    select(source, target, reveal=False)  # it is in view: somebody has just clicked it
    st.session_state["outline-picks"] = count
    opened = {**READING_CHOICE.read(reading), **VIEW_CHOICE.read(view)}
    if opened != {each.name: open_value(each) for each in (READING_CHOICE, VIEW_CHOICE)}:
        st.session_state.update(opened)
        st.rerun()  # the whole page: its address and its head follow


def outline_rows(
    explanation: Explanation, reading: ComparisonReading, *, table: bool = False, before: Sequence[Pair] = ()
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


def _side(reading: ComparisonReading, side: int, mind_map: MindMap) -> dict[str, Any]:
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


@dataclass(frozen=True)
class Selection:
    """Preorder indices of the left and the right node, None on a side without one; false if empty."""

    source: int | None = None
    target: int | None = None

    def __bool__(self) -> bool:
        return self != Selection()


def read_selection() -> Selection:
    """The current selection; after ``settle``, an operation of the script on screen, or empty."""
    selection: Selection = st.session_state.get("selected", Selection())
    return selection


def select(source: int | None, target: int | None, *, reveal: bool = True) -> None:
    """Select a pair, or one node and None. ``reveal`` makes the outline scroll to it, even if it was selected."""
    st.session_state["selected"] = Selection(source, target)
    if reveal:
        st.session_state["reveals"] = st.session_state.get("reveals", 0) + 1


def end_selection_in_other_maps(comparison: Comparison) -> None:
    """Select nothing if the selection was made in other maps than those of the comparison."""
    maps = (comparison.left.tree.digest, comparison.right.tree.digest)
    if st.session_state.get("selected-maps", maps) != maps:
        select(None, None, reveal=False)
    st.session_state["selected-maps"] = maps


def settle(comparison: Comparison) -> EditOp | None:
    """The selected operation of the comparison that is now on screen, None if nothing is selected.

    Other maps end the selection. With other options the same nodes may be paired differently: the selection then
    stays with its left node, or its right one if it has no left one, and takes the new partner.
    """
    end_selection_in_other_maps(comparison)
    selection = read_selection()
    side = "source" if selection.source is not None else "target"
    node = getattr(selection, side)
    op = (
        None
        if node is None
        else next((op for op in comparison.script.ops if getattr(op, side) == node), None)
    )
    select(op.source if op else None, op.target if op else None, reveal=False)
    return op
