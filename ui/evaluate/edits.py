"""The tab of edits: what drives the difference, by kind of edit and level, and the score by depth."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from tted_core.baselines import SUITE
from tted_core.batch.controls import CONTROLS
from tted_core.batch.settings import BatchOptions
from tted_core.figures import depth_scores, edit_bars
from tted_core.foundations.monitor import Monitor
from tted_core.method import Method
from tted_core.systems import SystemScores, depth_means, measure_by_depth, measure_systems
from tted_core.systems.documents import PAIRS, collections_of
from tted_core.systems.drivers import KINDS, Operations
from ui.comparisons import reads_word_models
from ui.errors import show_errors
from ui.evaluate.results import Look, draw_method_line, looked_at, method_line
from ui.evaluate.view import TABS
from ui.exports import data_table, figure, table_exports
from ui.many.batches import Batch
from ui.part import Part
from ui.processes import loading
from ui.running import watched_on_demand

KIND_COLUMNS = ("system", "kind", "level", "sentences", "cost")


@dataclass(frozen=True)
class Found:
    """Mean operations of each system, and the scores of the first 1, 2, ... levels."""

    operations: Mapping[str, Operations]
    depths: tuple[SystemScores, ...]


def _edits() -> None:
    """Draw the tab."""
    look = looked_at()
    if look is None:
        return
    draw_method_line(*method_line(look))
    _counts(look)
    with show_errors():
        _by_level(look)


def _counts(look: Look) -> None:
    """Draw what became of the sentences by kind, as far as the rows tell."""
    table = look.results.table
    if not set(KINDS) <= set(table.column_names):
        return
    rows = pd.DataFrame({kind: look.results.scores[kind] for kind in KINDS if kind in look.results.scores})
    rows.insert(0, "system", table["system"].to_pylist() if look.has_systems else PAIRS)
    rows = rows[(look.results.of_setting == 0) & ~look.results.failed & ~rows["system"].isin(CONTROLS)]
    means = rows.groupby("system", sort=False).mean().reset_index()
    if means.empty:
        return
    st.markdown("**What became of the sentences**, per document")
    long = means.melt("system", var_name="kind", value_name="sentences")
    figure(edit_bars(long.to_dict("records"), "sentences", KINDS), "edits-by-kind")
    number = st.column_config.NumberColumn(format="%.2f")
    data_table(
        means, "edits-means", column_config=dict.fromkeys(means.columns[1:], number), key="edits-means-table"
    )


def _by_level(look: Look) -> None:
    """Draw kinds by level and the score by depth, once they are asked for."""
    batch = look.batch
    options = BatchOptions((Method.of_columns(look.results.settings[0]),), reading=batch.reading)
    if batch.options is not None:
        suite = tuple(name for name in batch.options.baselines if name in SUITE)
        options = replace(options, baselines=suite, equivalence=batch.options.equivalence)
    found = watched_on_demand(
        "evaluate-edits",
        (batch.place, options),
        partial(_looked, batch, options),
        label="Costs, levels and coverage",
        stop_help="Stops looking.",
        word_models=reads_word_models(options.methods[0].distance, *options.baselines),
    )
    if found is None:
        st.caption(
            "What the edits cost and on which level they are, how much of the reference is covered, and the score "
            "by depth. Reads and compares the maps once more."
        )
        return
    what = st.segmented_control(
        "Show", ["cost", "sentences"], default="cost", required=True, key="edits-shown", persist_state="page"
    )
    rows = [row for system, each in found.operations.items() for row in _rows(system, each)]
    with st.container(key="wide-figure"):
        figure(edit_bars(rows, what, KINDS, by_level=True), "edits-by-level", "content")
    st.caption(
        "Per document, by level from the root: the level in the reference; of extra sentences, in the output."
    )
    shares = pd.DataFrame(
        {
            "system": system,
            "coverage ↑": each.coverage,
            "support ↑": each.support,
            **{f"cost of {kind}": each.costs[row].sum() for row, kind in enumerate(KINDS)},
        }
        for system, each in found.operations.items()
    )
    number = st.column_config.NumberColumn(format="%.3f")
    data_table(
        shares, "edits-shares", column_config=dict.fromkeys(shares.columns[1:], number), key="evaluate-shares"
    )
    st.caption(
        "Coverage: the share of the reference that is in the output (the same, reworded or moved), by cost; "
        "support: the share of the output that is in the reference."
    )
    if len(found.depths) > 1:
        _by_depth(found.depths)
    with st.expander("More: every kind and level", key="edits-more"):
        data_table(pd.DataFrame(rows, columns=list(KIND_COLUMNS)), "edits-every", key="evaluate-operations")


def _rows(system: str, operations: Operations) -> list[dict[str, Any]]:
    """A row for each kind and level that has any."""
    return [
        {
            "system": system,
            "kind": KINDS[kind],
            "level": int(level),
            "sentences": float(operations.counts[kind, level]),
            "cost": float(operations.costs[kind, level]),
        }
        for kind, level in np.argwhere(operations.counts)
    ]


def _by_depth(depths: tuple[SystemScores, ...]) -> None:
    """Draw a measure by the number of levels compared: the figure, and the table of its means."""
    measure = st.selectbox(
        "By depth", list(depths[0].measures), key="evaluate-depth-measure", width=260, persist_state="page"
    )
    figure(depth_scores(depths, measure), "systems-depth")
    rows = [row for row in depth_means(depths) if row.measure == measure]
    means: dict[str, dict[str, float]] = {}
    for row in rows:
        means.setdefault(row.system, {})[f"k = {row.k}"] = row.mean
    table = pd.DataFrame({"system": system, **each} for system, each in means.items())
    format_mean = st.column_config.NumberColumn(format="%.4f")
    st.dataframe(
        table,
        hide_index=True,
        width="stretch",
        column_config=dict.fromkeys(table.columns[1:], format_mean),
        key="evaluate-depth-table",
    )
    table_exports(table, "systems-depth-means", "systems-by-depth")
    counts = {row.k: row.n for row in rows}
    st.caption(
        "Means of the maps trimmed to k levels, as many as the deepest reference has, over documents that "
        "have a value for every system: " + ", ".join(f"{n:,} for k = {k}" for k, n in counts.items()) + "."
    )


def _looked(batch: Batch, options: BatchOptions, monitor: Monitor) -> Found:
    references, systems = collections_of(batch.inputs())
    how: dict[str, Any] = {"load": loading.encoder, "monitor": monitor}
    every = [references]
    measured = measure_systems(every, systems, options, **how)
    depths = measure_by_depth(every, systems, options, options.depth or measured.levels, **how)
    return Found(measured.drivers, depths)


EDITS = Part(TABS["edits"], _edits)
