"""What drives the score: the same two maps under other options, side by side; and where the baseline disagrees."""

from collections.abc import Iterable
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tted_core import Comparison
from tted_core.batch.settings import combined
from tted_core.contexts import CONTEXTS
from tted_core.distances import distances_at_hand
from tted_core.errors import LimitError, OptionsError
from tted_core.explain.alternatives import Alternative, alternatives, disagreement, effects
from tted_core.foundations.monitor import Monitor
from tted_core.method import Method
from tted_core.solvers import SOLVERS
from tted_core.solvers.structure import Pair
from ui import models
from ui.compare.orders_table import proof
from ui.errors import show_error
from ui.exports import table_exports
from ui.model_choice import offered_encoders
from ui.running import begun, watched
from ui.text import plural

UNORDERED_SECONDS = 10.0
"""For each variant in the order that may take long."""

SHOWN = ("encoder", "context", "distance", "order")
"""The options that vary, in the order of the table's columns."""

FIRST = 3
"""Settings of a kind that are chosen at first; there may be many."""


def drivers_tab(result: Comparison) -> None:
    """Draw the choice of settings, the table of variants, and the disagreement with the baseline."""
    options = result.method
    first, second = st.columns(2)
    encoders = _several(first, "Encoders", offered_encoders(), [_encoder(options.model)])
    contexts = _several(second, "Contexts", list(CONTEXTS), _at_first(CONTEXTS, options.context))
    offered = distances_at_hand()
    at_first = [name for name in _at_first(offered, options.distance) if name in offered]
    distances = _several(first, "Distances", list(offered), at_first)
    orders = _several(second, "Orders", list(SOLVERS), list(SOLVERS))
    methods = _combined(options, encoders=encoders, contexts=contexts, distances=distances, orders=orders)
    key = (result.signature, methods)
    count = len(methods)
    clicked = st.button(
        f"Compare under {plural(count, 'combination')}",
        disabled=not count,
        help="Texts are encoded once for each encoder and context; you can stop it and keep what is done.",
    )
    if clicked or begun("comparison/variants", key):
        found = watched(
            "comparison/variants",
            key,
            partial(_compare, result, methods),
            stop_help="Keeps the variants compared so far.",
            long=True,
        )
        _table(found, result, count)
    _disagreement(result)


def _encoder(current: str) -> str:
    """The comparison's encoder, or the first one if its distance has none."""
    offered = offered_encoders()
    return current if current in offered else offered[0]


def _combined(options: Method, **several: Iterable[str]) -> tuple[Method, ...]:
    """The methods that go together, with the other options as they are."""
    seconds = options.time_limit or UNORDERED_SECONDS
    try:
        return combined(gaps=(options.gap,), powers=(options.power,), time_limit=seconds, **several)
    except OptionsError:  # none of the distances goes with one of the contexts
        return ()


def _at_first(names: Iterable[str], current: str) -> list[str]:
    return list(dict.fromkeys([current, *names]))[:FIRST]


def _several(column: DeltaGenerator, label: str, names: list[str], at_first: list[str]) -> list[str]:
    return column.pills(
        label, names, selection_mode="multi", default=at_first, wrap=True, key=f"variants-{label}"
    )


def _compare(
    result: Comparison,
    methods: tuple[Method, ...],
    monitor: Monitor,
) -> tuple[Alternative, ...]:
    return alternatives(result, methods, models.models(), monitor=monitor)


def _table(found: tuple[Alternative, ...], result: Comparison, wanted: int) -> None:
    options = result.method
    pairs = result.script.count("match") + result.script.count("replace")
    scores = {each.method: each.comparison.normalized for each in found}
    if len(found) < wanted:
        st.caption(f"Stopped: {len(found)} of {wanted} combinations were compared.")
    st.markdown(effects_sentence(effects(scores)))
    table = pd.DataFrame(
        {
            "Shown": "●" if {**each.method.columns, "depth": options.depth} == options.columns else "",
            **{name.capitalize(): each.method.columns[name] for name in SHOWN},
            "Normalized": each.comparison.normalized,
            "TTED": each.comparison.tted,
            "Operations": len(each.comparison.script.ops),
            "Changes": len(each.comparison.script.ops) - each.comparison.script.count("match"),
            f"Same pairs (of {pairs})": each.same_pairs,
            "Proof": proof(each.comparison),
        }
        for each in found
    )
    st.dataframe(
        table,
        hide_index=True,
        width="stretch",
        column_config={
            "Shown": st.column_config.TextColumn(width="small", help="● is the comparison on screen."),
            "Normalized": st.column_config.ProgressColumn(format="%.3f", min_value=0.0, max_value=1.0),
            "TTED": st.column_config.NumberColumn(
                format="%.4f", help="Comparable under the same encoder, context and distance only."
            ),
            "Changes": st.column_config.NumberColumn(help="All operations except matches."),
            f"Same pairs (of {pairs})": st.column_config.NumberColumn(
                help="Node pairs of the comparison on screen that this variant has too."
            ),
        },
    )
    table_exports(table, "variants")


def effects_sentence(found: dict[str, float]) -> str:
    """What moves the normalized distance most, in words."""
    if not found:
        return "Choose two settings of an option or more to see its effect on the score."
    ranked = sorted(found.items(), key=lambda item: -item[1])
    parts = [f"the **{option}** moves it by {change:.3f}" for option, change in ranked]
    return (
        f"What drives the normalized distance here: {', '.join(parts)} (from the lowest to the highest setting, "
        "on average over the settings of the others)."
    )


def _disagreement(result: Comparison) -> None:
    st.markdown("**Where ROUGE pairs nodes differently**")
    try:
        found = disagreement(result)
    except LimitError as error:
        show_error(error)
        return
    st.markdown(
        f"{plural(len(found.both), 'pair')} in both mappings, {len(found.only_tted)} in TTED's only, "
        f"{len(found.only_baseline)} in the baseline's only. The baseline sees shared words of nodes and their "
        "parents, TTED meaning and structure. Roots are left out: the baseline matches edges, and a root has none "
        "above it."
    )
    rows = [
        *(_row("TTED only", pair, result) for pair in found.only_tted),
        *(_row("rouge_sim only", pair, result) for pair in found.only_baseline),
    ]
    if rows:
        table = pd.DataFrame(rows)
        st.dataframe(
            table,
            hide_index=True,
            width="stretch",
            height=min(38 + 35 * len(rows), 400),
            column_config={
                "Cost": st.column_config.NumberColumn(
                    format="%.4f", width="small", help="TTED's cost of replacing one by the other."
                )
            },
        )
        table_exports(table, "disagreement")


def _row(who: str, pair: Pair, result: Comparison) -> dict[str, object]:
    return {
        "Mapped by": who,
        "Left node": result.left.tree.labels[pair[0]],
        "Right node": result.right.tree.labels[pair[1]],
        "Cost": float(result.costs[pair]),
    }
