"""The tab of edits: statuses of the sentences by level, and costs of the operations."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from tted_core.batch.controls import BATCH_CONTROLS
from tted_core.batch.pairs import ALL_PAIRS
from tted_core.batch.table import COSTS, BatchOptions
from tted_core.figures.systems import edit_bars
from tted_core.foundations.monitor import Monitor
from tted_core.matching.records import CLAIMS, SHARES
from tted_core.method import Method
from tted_core.systems import Measured, measure_systems
from tted_core.systems.operations import KINDS, Operations
from ui import models
from ui.errors import show_errors
from ui.evaluate.batches import Batch
from ui.evaluate.results import number_columns, show_results
from ui.exports import data_table, figure
from ui.part import Part
from ui.running import run_on_demand, run_watched

TITLES = {CLAIMS: "may claim something else"} | {
    name: f"{name.removeprefix('cost_')}: cost" for name in COSTS
}
"""Column of a batch -> its title here: sentences whose claim may have changed, and costs of operations."""

MOST_AT_ONCE = 2_000
"""Rows up to which levels, for which all maps are read and compared again, need no click."""


def _draw() -> None:
    """Draw the tab: the figure and the table first, though the levels in them are computed below."""
    batch = show_results()
    view, key = st.container(), (batch.folder, len(batch.results))
    run = partial(run_on_demand, label="Levels")
    if len(batch.results) <= MOST_AT_ONCE:
        run = partial(run_watched, long=True, shared=True)
    # Of the first setting; the maps are read and compared again.
    options = BatchOptions((Method.of_columns(batch.results.settings[0]),), reading=batch.reading)

    def measure(monitor: Monitor) -> Measured:
        return measure_systems(batch.inputs(), options, controls=(), load=models.encoder, monitor=monitor)

    measured: Measured | None = None
    with show_errors():
        measured = run("evaluate-edits", key, measure, stop_help="Leaves levels out.")
    with view:
        _statuses(batch, measured.drivers if measured else {})


def _statuses(batch: Batch, drivers: Mapping[str, Operations]) -> None:
    """Draw the sentences of each status per document, in total and by level, and the table of their numbers."""
    means = _means(batch)
    if means.empty:
        return
    totals = means[["system", *KINDS]].melt("system", var_name="kind", value_name="sentences")
    by_level = [
        {"system": system, "kind": KINDS[kind], "level": level, "sentences": float(each.counts[kind, level])}
        for system, each in drivers.items()
        for kind, level in np.argwhere(each.counts).tolist()
    ]
    st.markdown("**Sentences by status**, per document" + " and level" * bool(by_level))
    with st.container(key="wide-figure"):
        figure(edit_bars([*totals.to_dict("records"), *by_level]), "edits-by-level", "content")
    table = means.rename(columns=TITLES)
    columns = number_columns(table, "%.2f")
    data_table(table, "edits-means", column_config=columns, key="edits-means-table")
    st.caption(
        "Statuses are those of Compare. Levels are those in the reference, of extra sentences in the output. "
        "Coverage: share of the reference that is in the output, by cost of deletion; support: share of the "
        "output that is in the reference. Costs are those of the script's operations."
    )


def _means(batch: Batch) -> pd.DataFrame:
    """A row of means for each system, over the documents that all of them have; none if nothing was counted."""
    results = batch.results
    columns = [name for name in (*KINDS, CLAIMS, *SHARES, *COSTS) if name in results.scores]
    rows = pd.DataFrame({name: results.scores[name] for name in columns})
    rows.insert(0, "system", results.table["system"] if batch.has_systems else ALL_PAIRS)
    kept = (results.of_setting == 0) & ~results.failed & ~rows["system"].isin(BATCH_CONTROLS)
    if not set(KINDS) <= set(columns):
        return rows.iloc[:0]
    rows = rows[kept]
    if batch.has_systems:
        systems = rows.groupby(results.table["id"][kept])["system"].transform("nunique")
        rows = rows[systems == rows["system"].nunique()]
    return rows.groupby("system", sort=False).mean().reset_index()


EDITS_TAB = Part("Edits", _draw)
