"""The cost receipt: where the open reading's costs add up, and which operations have close alternatives."""

import streamlit as st

from tted_core import Comparison
from tted_core.explain.doubt import NOT_UNIQUE, Doubts, add_notes, doubts
from tted_core.report.html_report import report_part
from ui.compare.choices import price_text
from ui.mapping.view import explain_comparison, open_reading
from ui.running import run_watched
from ui.text import plural

MOST_CHECKED = 3_000_000
"""Operations times pairs of nodes that are checked: up to half a second."""


def receipt_tab(result: Comparison) -> None:
    """Draw how many operations have alternatives, and the receipt of the open reading, as in the report."""
    _alternatives(result)
    st.html(report_part("receipt", explain_comparison(result), reading=open_reading(result)))


def find_doubts(result: Comparison) -> Doubts | None:
    """The prices of alternatives to the operations; None where they take long."""
    work = len(result.script.ops) * len(result.left.tree) * len(result.right.tree)
    if result.method.order == "unordered" or work > MOST_CHECKED:
        return None
    return run_watched(
        "comparison/doubt",
        result.signature,
        lambda monitor: doubts(result, monitor=monitor),
        stop_help="Keeps what was checked so far; the most costly replacements come first.",
        shared=True,
        keeps=lambda found: found.complete,
    )


def with_doubts(result: Comparison) -> Comparison:
    """The comparison with a note on each operation that is known to have a close alternative."""
    found = find_doubts(result)
    return result if found is None else add_notes(result, found)


def _alternatives(result: Comparison) -> None:
    """Report which operations have close alternatives."""
    found = find_doubts(result)
    if found is None:
        st.caption("Alternatives are looked for in smaller maps only, and not in the order unordered.")
        return
    if doubtful := found.not_unique():
        words = (
            f"≈ **{plural(len(doubtful), 'operation')} of {found.operations}** have close alternatives "
            f"({NOT_UNIQUE}): another script costs at most {price_text(found.close)} more."
        )
    else:
        words = "✓ No other script comes close"
        words += f": each costs over {price_text(found.close)} more." if found.close else "."
    st.markdown(
        words if found.complete else f"{words} Only {len(found.prices)} operations were checked.",
        help="Close means within 1 % of the total, and no more than a tenth of what a node costs to delete.",
    )
