"""The edit script as a sortable table whose costs sum to the distance."""

import pandas as pd
import streamlit as st

from tted_core import Comparison
from ui.compare.doubt import doubt_notice, doubt_text
from ui.exports import table_exports
from ui.palette import STYLES
from ui.text import plural


def script_table(result: Comparison) -> None:
    """Draw the table and the sum."""
    left, right = result.left.tree, result.right.tree
    found = doubt_notice(result)
    rows = [
        {
            "Operation": f"{STYLES[op.op].glyph} {op.op}",
            "Cost": op.cost,
            "Otherwise": doubt_text(found, (op.source, op.target)),
            "Left node": "" if op.source is None else left.labels[op.source],
            "Right node": "" if op.target is None else right.labels[op.target],
            "Note": "; ".join(op.notes),
            "Left no.": op.source,
            "Right no.": op.target,
        }
        for op in result.script.ops
    ]
    table = pd.DataFrame(rows).astype({"Left no.": "Int64", "Right no.": "Int64"})
    st.dataframe(
        table,
        hide_index=True,
        width="stretch",
        height=min(38 + 35 * len(rows), 560),
        column_config={
            "Operation": st.column_config.TextColumn(width="small"),
            "Cost": st.column_config.NumberColumn(format="%.4f", width="small"),
            "Left node": st.column_config.TextColumn(width="large"),
            "Right node": st.column_config.TextColumn(width="large"),
            "Otherwise": st.column_config.TextColumn(
                width="medium",
                help="What the best script without this operation costs more. Where that is at most 1 % of the "
                "total, the note says that the operation is not unique.",
            ),
            "Left no.": st.column_config.NumberColumn(
                width="small", help="Position in preorder; the root is 0."
            ),
            "Right no.": st.column_config.NumberColumn(
                width="small", help="Position in preorder; the root is 0."
            ),
        },
    )
    table_exports(table, "edit-script")
    total = f"{result.script.cost:.4f}"
    costs = plural(len(rows), "cost")
    power = result.options.power
    how = f"Sum of the {costs}" if power == 1 else f"The root of the sum of {costs} to the power {power:g}"
    st.markdown(f"{how}: **{total}** = TTED **{result.tted:.4f}**")
