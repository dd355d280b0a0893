"""The three orders for the pair on screen: side by side, and the one that keeps more sentences in their place."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from tted_core import Comparison, MindMap
from tted_core.explain.correspondence import correspondence
from tted_core.method import Method
from tted_core.solvers import SOLVERS
from ui.comparisons import compared
from ui.exports import table_exports
from ui.options import UNORDERED_SECONDS

SAME = 1e-9


def orders_table(left: MindMap, right: MindMap, options: Method) -> None:
    """Compare in every order, and draw the table and the sentence."""
    results = {order: compared(left, right, _in_order(options, order)) for order in SOLVERS}
    table = pd.DataFrame(
        {
            "Order": order,
            "TTED": result.tted,
            "Normalized": result.normalized,
            "Proof": proof(result),
            "In place": in_place(result),
            "= match": result.script.count("match"),
            "~ replace": result.script.count("replace"),
            "− delete": result.script.count("delete"),
            "+ insert": result.script.count("insert"),
        }
        for order, result in results.items()
    )
    st.dataframe(
        table,
        hide_index=True,
        column_config={
            "TTED": st.column_config.NumberColumn(format="%.4f"),
            "Normalized": st.column_config.NumberColumn(format="%.3f"),
        },
    )
    table_exports(table, "three-orders")
    st.markdown(difference({order: result.tted for order, result in results.items()}))
    if not all(result.proven for result in results.values()):
        st.caption(f"The unordered search ended after its time limit ({UNORDERED_SECONDS:g} s unless set).")


def in_place(result: Comparison) -> int:
    """Return how many sentences are the same or reworded in their place."""
    count = correspondence(result).counts
    return count["same"] + count["reworded"]


def _in_order(options: Method, order: str) -> Method:
    """The same options in another order."""
    seconds = (options.time_limit or UNORDERED_SECONDS) if order == "unordered" else None
    return replace(options, order=order, time_limit=seconds)


def proof(result: Comparison) -> str:
    """How near the optimum the script is."""
    if result.proven:
        return "proven optimal"
    return f"within {result.excess:.1%}" if result.lower_bound > 0 else "no bound yet"


def difference(tted: dict[str, float]) -> str:
    """What the three numbers say about the pair."""
    ordered, constrained, unordered = tted["ordered"], tted["constrained"], tted["unordered"]
    if max(tted.values()) - min(tted.values()) <= SAME:
        return "All three agree: the best script neither reorders siblings nor takes branches apart."
    parts = []
    if ordered - unordered > SAME:
        parts.append(f"Keeping the order of siblings adds {ordered - unordered:.4f}")
    if constrained - unordered > SAME:
        parts.append(f"keeping branches apart adds {constrained - unordered:.4f}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}. Only the unordered distance requires neither."
