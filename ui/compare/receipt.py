"""The cost receipt: every operation with its share and the running sum, and where the costs add up."""

import pandas as pd
import streamlit as st

from tted_core import Comparison, EditOp
from tted_core.explain.receipt import Branch, Part, receipt
from ui.compare.bars import Bar, bars
from ui.exports import table_exports
from ui.mapping.selection import select
from ui.palette import STYLES
from ui.text import plural

BRANCHES = 8
"""Branches drawn at most, the dearest ones."""


def receipt_tab(result: Comparison) -> None:
    """Draw the table, whose rows select what they tell of, and the bars beside it."""
    found = receipt(result)
    rows = [
        {
            "Operation": f"{STYLES[line.op.op].glyph} {line.op.op}",
            "Cost": line.op.cost,
            "Share": line.share,
            "Running sum": line.running,
            "Node": _nodes(line.op, result),
        }
        for line in found.lines
    ]
    table, drawn = st.columns([3, 2], gap="medium")
    with table:
        lines = pd.DataFrame(rows)
        st.dataframe(
            lines,
            hide_index=True,
            width="stretch",
            height=min(38 + 35 * len(rows), 620),
            key="receipt",
            on_select=lambda: _pick(result),
            selection_mode="single-row",
            column_config={
                "Operation": st.column_config.TextColumn(width="small"),
                "Cost": st.column_config.NumberColumn(format="%.4f", width="small"),
                "Share": st.column_config.NumberColumn(format="percent", width="small"),
                "Running sum": st.column_config.NumberColumn("Sum so far", format="%.4f", width="small"),
                "Node": st.column_config.TextColumn(width="large"),
            },
        )
        table_exports(lines, "cost-receipt")
        st.markdown(
            f"The last sum is **{found.lines[-1].running:.4f}** = TTED **{result.tted:.4f}**. Select a "
            "row to see the node in the mapping, and why it is there."
        )
    with drawn:
        st.html(
            bars(
                "By operation",
                (
                    _bar(f"{STYLES[kind].glyph} {kind}", part, STYLES[kind].light[1])
                    for kind, part in found.by_kind.items()
                ),
            )
            + bars("By level", (_bar(f"Level {level}", part) for level, part in found.by_level.items()))
            + bars(
                "By branch, the dearest first",
                (
                    _bar(branch_name(branch, result), part)
                    for branch, part in list(found.by_branch.items())[:BRANCHES]
                ),
            )
        )
        if len(found.by_branch) > BRANCHES:
            st.caption(f"{len(found.by_branch) - BRANCHES} more branches cost less.")


def _nodes(op: EditOp, result: Comparison) -> str:
    """The node's text, and what it becomes if it is replaced."""
    texts = [
        tree.labels[node]
        for tree, node in ((result.left.tree, op.source), (result.right.tree, op.target))
        if node is not None
    ]
    return " → ".join(dict.fromkeys(texts))


def branch_name(branch: Branch, result: Comparison) -> str:
    """A branch by the text of its topmost node."""
    tree = result.left.tree if branch.side == "left" else result.right.tree
    label = " ".join(tree.labels[branch.node].split())
    if branch.node == 0:
        return f"{branch.side} root by itself: {label}"
    return label if branch.side == "left" else f"+ {label}"


def _bar(label: str, part: Part, colour: str = "currentColor") -> Bar:
    value = f"{part.cost:.4f} · {part.share:.0%} · {plural(part.operations, 'operation')}"
    return Bar(label, part.share, value, colour)


def _pick(result: Comparison) -> None:
    chosen = st.session_state["receipt"].selection.rows
    if chosen:
        op = receipt(result).lines[chosen[0]].op
        select(op.source, op.target)
