"""The cost receipt: where the costs add up, and the operations of the script one by one."""

import html
from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from tted_core import Comparison
from tted_core.explain.mapping_view import MappingView
from tted_core.explain.receipt import Branch, Part, Receipt, receipt
from tted_core.report.html_report import file_stem
from tted_core.report.palette import OP_STYLES
from tted_core.script import Unit
from ui.compare.doubt import doubt_notice, doubt_texts
from ui.exports import table_exports
from ui.text import html_escaped, plural, shortened

BRANCHES = 8
"""Branches drawn at most, the most costly ones."""

LABEL = 60
"""Characters of a label that are shown; the tooltip has more."""


@dataclass(frozen=True)
class Bar:
    """``share`` (0 to 1) is the bar's length, ``value`` the number in words, ``colour`` any CSS colour."""

    label: str
    share: float
    value: str
    colour: str = "currentColor"


def receipt_tab(result: Comparison) -> None:
    """Draw the bars and the sum, say what is in doubt, and list the operations."""
    found = receipt(result)
    doubt_notice(result)
    if found.unit.power != 1:
        st.caption(
            f"Shares of {found.unit.total}: costs are raised to the power {found.unit.power:g} and added up, so "
            "the shares add up and the costs themselves don't."
        )
    by_kind, by_branch = st.columns(2, gap="medium")
    by_kind.html(
        bars(
            "By operation",
            (
                _bar(f"{OP_STYLES[kind].glyph} {kind}", part, found.unit, OP_STYLES[kind].light[1])
                for kind, part in found.by_kind.items()
            ),
        )
        + bars(
            "By level", (_bar(f"Level {level}", part, found.unit) for level, part in found.by_level.items())
        )
    )
    with by_branch:
        st.html(
            bars(
                "By branch, most costly first",
                [_bar(name, part, found.unit) for name, part in _branches(found, result)],
            )
        )
    st.markdown(_sum(result))
    every = st.expander("Costs: every operation of the script", key="receipt-costs", on_change="rerun")
    if every.open:
        table = operations_table(result)
        with every:
            st.dataframe(table, hide_index=True, width="stretch", height=min(38 + 35 * len(table), 420))
            table_exports(table, "cost-receipt", f"{file_stem(result)}-operations")


def operations_table(result: Comparison) -> pd.DataFrame:
    """Every operation, the most costly first, with its share, the sum so far and what is in doubt about it.

    "Change" is the place in the list of changes of the one it is put down to: a move's operations have the same.
    """
    left, right = result.left.tree, result.right.tree
    otherwise = doubt_texts(result)
    found, view = receipt(result), MappingView(result)
    is_cost, share = found.unit.power == 1, found.unit.name.capitalize()
    rows = [
        {
            "Change": change + 1
            if (change := view.payer[line.op.source, line.op.target]) is not None
            else None,
            "Status": view.status_of(line.op),
            "Operation": line.op.op,
            **({"Cost": line.op.cost, "Share": line.share} if is_cost else {share: line.share}),
            "Sum so far": line.running,
            "Otherwise": otherwise.get((line.op.source, line.op.target), ""),
            "Left node": "" if line.op.source is None else left.labels[line.op.source],
            "Right node": "" if line.op.target is None else right.labels[line.op.target],
            "Note": "; ".join(line.op.notes),
            "Left no.": line.op.source,
            "Right no.": line.op.target,
        }
        for line in found.lines
    ]
    return pd.DataFrame(rows).astype({"Change": "Int64", "Left no.": "Int64", "Right no.": "Int64"})


def _sum(result: Comparison) -> str:
    unit, count = result.script.unit, sum(op.cost > 0 for op in result.script.ops)
    if unit.power == 1:
        what = f"costs of {plural(count, 'operation')}"
        return f"Sum of the {what}: **{unit.whole:.4f}** = TTED **{result.tted:.4f}**"
    every = unit.text(unit.amount(*(op.cost for op in result.script.ops)))
    what = f"{plural(count, 'share')} of {unit.total}"
    return f"Sum of the {what}: **{every}**, where d = TTED **{result.tted:.4f}**"


def _branches(found: Receipt, result: Comparison) -> list[tuple[str, Part]]:
    """The most costly branches by name, and all others as one part, so that they add up."""
    every = [(branch_name(branch, result), part) for branch, part in found.by_branch.items()]
    rest = [part for _, part in every[BRANCHES:]]
    if not rest:
        return every
    sums = (sum(values) for values in zip(*((p.operations, p.amount, p.share) for p in rest), strict=True))
    return [*every[:BRANCHES], (f"{len(rest)} more branch{'es' if len(rest) > 1 else ''}", Part(*sums))]


def branch_name(branch: Branch, result: Comparison) -> str:
    """A branch by the text of its topmost node."""
    tree = result.left.tree if branch.side == "left" else result.right.tree
    label = " ".join(tree.labels[branch.node].split())
    if branch.node == 0:
        return f"{branch.side} root alone: {label}"
    return label if branch.side == "left" else f"+ {label}"


def _bar(label: str, part: Part, unit: Unit, colour: str = "currentColor") -> Bar:
    share = f" · {part.share:.0%}" if unit.power == 1 else ""
    value = f"{unit.text(part.amount)}{share} · {plural(part.operations, 'operation')}"
    return Bar(label, part.share, value, colour)


def bars(title: str, rows: Iterable[Bar]) -> str:
    """HTML of a titled list, which can be read aloud and printed; labels are users' texts."""
    items = "".join(
        '<li style="margin:.35rem 0">'
        '<div style="display:flex;justify-content:space-between;gap:1rem;font-size:.875rem">'
        f'<span title="{html.escape(shortened(row.label, 500))}" style="overflow-wrap:anywhere">'
        f"{html_escaped(shortened(row.label, LABEL))}</span>"
        f'<span style="white-space:nowrap;font-variant-numeric:tabular-nums">{html.escape(row.value)}</span></div>'
        '<div style="height:.5rem;border-radius:3px;background:rgba(128,128,128,.18)">'
        f'<div style="height:100%;border-radius:3px;width:{100 * min(max(row.share, 0.0), 1.0):.2f}%;'
        f'background:{row.colour};opacity:.75"></div></div></li>'
        for row in rows
    )
    return (
        f'<div style="font-weight:600;font-size:.9rem">{html.escape(title)}</div>'
        f'<ul style="list-style:none;padding:0;margin:.25rem 0 1rem">{items}</ul>'
    )
