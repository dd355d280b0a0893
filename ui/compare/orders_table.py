"""The three orders for the pair on screen: side by side, and the one that keeps more sentences in their place."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from tted_core import Comparison, MindMap
from tted_core.explain.alternatives import in_place, in_place_by_order
from tted_core.method import Method
from tted_core.solvers import SOLVERS
from tted_core.solvers.kernels import is_compiled
from ui.comparisons import compared
from ui.exports import table_exports
from ui.options import UNORDERED_SECONDS, set_option
from ui.running import found_meanwhile

SAME = 1e-9

SECONDS = 1.0
"""For the other orders, once the answer is on screen; what takes longer is said the next time."""


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


def keeps_most(kept: Mapping[str, int], now: str) -> str | None:
    """The order that keeps the most sentences in their place, if that is more than the order ``now`` keeps."""
    best = max(kept, key=kept.__getitem__)
    return best if kept[best] > kept[now] else None


def better_order(result: Comparison) -> None:
    """If another order keeps more sentences in their place, say so in one line with a button that takes it."""
    if not is_compiled():  # the solvers of other orders would take half a minute, which nobody asked for
        return
    work = partial(in_place_by_order, result)
    kept = found_meanwhile("comparison/orders", result.signature, work, seconds=SECONDS)
    if kept is None:
        return
    now = result.method.order
    better = keeps_most(kept, now)
    if better:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(
                f"The **{better}** distance keeps {kept[better]} sentences in place, this one {kept[now]}.",
                width="content",
            )
            st.button(
                f"Use {better}", key="use-order", on_click=set_option, args=("order", better), type="tertiary"
            )


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
