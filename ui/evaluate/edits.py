"""The tab of edits: what became of the sentences, by level, what the operations cost, and the score by depth."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from tted_core.baselines import SUITE
from tted_core.batch.controls import CONTROLS
from tted_core.batch.settings import BatchOptions
from tted_core.explain.correspondence import CLAIMS
from tted_core.figures import depth_scores, edit_bars
from tted_core.foundations.monitor import Monitor
from tted_core.method import Method
from tted_core.systems import SystemScores, depth_means, measure_by_depth, measure_systems
from tted_core.systems.documents import PAIRS, collections_of
from tted_core.systems.drivers import KINDS, PAID, Operations
from ui import models
from ui.errors import show_errors
from ui.evaluate.results import Look, looked_at, method_line
from ui.exports import data_table, figure
from ui.many.batches import Batch
from ui.part import Part
from ui.running import watched_on_demand

FLAGGED = "may claim something else"
"""The column of sentences whose claim may have changed, whatever became of them."""


def _draw() -> None:
    """Draw the tab."""
    look = looked_at()
    if look is None:
        return
    method_line(look)
    if set(KINDS) <= set(look.results.table.column_names):
        _counts(look)
    with show_errors():
        _by_level(look)


def _counts(look: Look) -> None:
    """Draw what became of the sentences by kind, as the rows say."""
    results = look.results
    counted = [name for name in (*KINDS, CLAIMS) if name in results.scores]
    rows = pd.DataFrame({name: results.scores[name] for name in counted})
    rows.insert(0, "system", results.table["system"].to_pylist() if look.has_systems else PAIRS)
    rows = rows[(results.of_setting == 0) & ~results.failed & ~rows["system"].isin(CONTROLS)]
    means = rows.groupby("system", sort=False).mean().reset_index()
    if means.empty:
        return
    st.markdown("**What became of the sentences**, per document")
    kinds = means.drop(columns=CLAIMS, errors="ignore")
    long = kinds.melt("system", var_name="kind", value_name="sentences")
    figure(edit_bars(long.to_dict("records"), "sentences"), "edits-by-kind")
    _table(means.rename(columns={CLAIMS: FLAGGED}), "edits-means", "%.2f")


def _table(table: pd.DataFrame, name: str, form: str) -> None:
    number = st.column_config.NumberColumn(format=form)
    data_table(table, name, column_config=dict.fromkeys(table.columns[1:], number), key=f"{name}-table")


def _by_level(look: Look) -> None:
    """Draw kinds by level and the score by depth, once they are asked for."""
    batch = look.batch
    options = BatchOptions((Method.of_columns(look.results.settings[0]),), reading=batch.reading)
    if batch.options is not None:
        suite = tuple(name for name in batch.options.baselines if name in SUITE)
        options = replace(options, baselines=suite, equivalence=batch.options.equivalence)
    found = watched_on_demand(
        "evaluate-edits",
        (batch.folder, options),
        partial(_measured, batch, options),
        label="Costs, levels and coverage",
        stop_help="Stops looking.",
    )
    if found is None:
        st.caption(
            "On which level the sentences are, what the operations cost, how much of the reference is covered, "
            "and the score by depth. Reads and compares the maps once more."
        )
        return
    drivers, depths = found
    rows = [row for system, each in drivers.items() for row in _rows(system, each)]
    with st.container(key="wide-figure"):
        figure(edit_bars(rows, "sentences", by_level=True), "edits-by-level", "content")
    st.caption(
        "Per document, by level from the root: the level in the reference; of extra sentences, in the output."
    )
    shares = (
        {
            "system": system,
            "coverage ↑": each.coverage,
            "support ↑": each.support,
            **{f"{operation}: cost": costs.sum() for operation, costs in zip(PAID, each.costs, strict=True)},
        }
        for system, each in drivers.items()
    )
    _table(pd.DataFrame(shares), "edits-shares", "%.3f")
    st.caption(
        "Coverage: the share of the reference that is in the output, by cost of deletion; parts of longer nodes "
        "count by their words. Support: the share of the output that is in the reference. The costs are those of "
        "the script's operations per document."
    )
    if len(depths) > 1:
        _by_depth(depths)
    with st.expander("More: every kind and level", key="edits-more"):
        data_table(pd.DataFrame(rows), "edits-every", key="evaluate-operations")


def _rows(system: str, operations: Operations) -> list[dict[str, Any]]:
    """A row for each kind and level that has any."""
    return [
        {
            "system": system,
            "kind": KINDS[kind],
            "level": int(level),
            "sentences": float(operations.counts[kind, level]),
        }
        for kind, level in np.argwhere(operations.counts)
    ]


def _by_depth(depths: Sequence[SystemScores]) -> None:
    """Draw a measure by the number of levels compared: the figure, and the table of its means."""
    measure = st.selectbox(
        "By depth", list(depths[0].measures), key="evaluate-depth-measure", width=260, persist_state="page"
    )
    figure(depth_scores(depths, measure), "systems-depth")
    means: dict[str, dict[str, Any]] = {}
    counts = {}
    for row in depth_means(depths):
        if row.measure == measure:
            means.setdefault(row.system, {"system": row.system})[f"k = {row.k}"] = row.mean
            counts[f"k = {row.k}"] = f"{row.n:,} for k = {row.k}"
    _table(pd.DataFrame(means.values()), "systems-by-depth", "%.4f")
    st.caption(
        "Means of the maps trimmed to k levels, as many as the deepest reference has, over documents that "
        f"have a value for every system: {', '.join(counts.values())}."
    )


def _measured(
    batch: Batch, options: BatchOptions, monitor: Monitor
) -> tuple[Mapping[str, Operations], Sequence[SystemScores]]:
    """The mean operations of each system, and the scores of the first 1, 2, ... levels."""
    references, systems = collections_of(batch.inputs())
    how: dict[str, Any] = {"load": models.encoder, "monitor": monitor}
    measured = measure_systems([references], systems, options, **how)
    levels = options.depth or measured.levels
    return measured.drivers, measure_by_depth([references], systems, options, levels, **how)


EDITS = Part("Edits", _draw)
