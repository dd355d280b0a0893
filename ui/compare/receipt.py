"""The cost receipt: where the costs add up; the operations themselves are the table beside the mapping."""

import pandas as pd
import streamlit as st

from tted_core import Comparison
from tted_core.explain.receipt import Branch, Part, receipt
from tted_core.report.data import file_stem
from ui.compare.bars import Bar, bars
from ui.compare.doubt import doubt_notice, doubt_texts
from ui.exports import table_exports
from ui.palette import STYLES
from ui.text import plural

BRANCHES = 8
"""Branches drawn at most, the dearest ones."""


def receipt_tab(result: Comparison) -> None:
    """Draw the bars and the sum, say what is in doubt, and offer the operations as a table to take away."""
    found = receipt(result)
    doubt_notice(result)
    by_kind, by_branch = st.columns(2, gap="medium")
    by_kind.html(
        bars(
            "By operation",
            (
                _bar(f"{STYLES[kind].glyph} {kind}", part, STYLES[kind].light[1])
                for kind, part in found.by_kind.items()
            ),
        )
        + bars("By level", (_bar(f"Level {level}", part) for level, part in found.by_level.items()))
    )
    with by_branch:
        st.html(
            bars(
                "By branch, the dearest first",
                (
                    _bar(branch_name(branch, result), part)
                    for branch, part in list(found.by_branch.items())[:BRANCHES]
                ),
            )
        )
        if len(found.by_branch) > BRANCHES:
            st.caption(f"{len(found.by_branch) - BRANCHES} more branches cost less.")
    st.markdown(_sum(result))
    table_exports(operations_table(result), "cost-receipt", f"{file_stem(result)}-operations")


def operations_table(result: Comparison) -> pd.DataFrame:
    """Every operation, the dearest first, with its share, the sum so far and what is in doubt about it."""
    left, right = result.left.tree, result.right.tree
    otherwise = doubt_texts(result)
    rows = [
        {
            "Operation": line.op.op,
            "Cost": line.op.cost,
            "Share": line.share,
            "Sum so far": line.running,
            "Otherwise": otherwise.get((line.op.source, line.op.target), ""),
            "Left node": "" if line.op.source is None else left.labels[line.op.source],
            "Right node": "" if line.op.target is None else right.labels[line.op.target],
            "Note": "; ".join(line.op.notes),
            "Left no.": line.op.source,
            "Right no.": line.op.target,
        }
        for line in receipt(result).lines
    ]
    return pd.DataFrame(rows).astype({"Left no.": "Int64", "Right no.": "Int64"})


def _sum(result: Comparison) -> str:
    costs = plural(len(result.script.ops), "cost")
    power = result.method.power
    how = f"Sum of the {costs}" if power == 1 else f"The root of the sum of {costs} to the power {power:g}"
    return f"{how}: **{result.script.cost:.4f}** = TTED **{result.tted:.4f}**"


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
