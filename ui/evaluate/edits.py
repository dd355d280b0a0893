"""The tab of edits: statuses of the sentences, and costs of the operations."""

import pandas as pd
import streamlit as st

from tted_core.batch.controls import BATCH_CONTROLS
from tted_core.batch.table import COSTS
from tted_core.figures.systems import edit_bars
from tted_core.matching.records import CLAIMS, SHARES, STATUSES
from ui.evaluate.batches import Batch
from ui.evaluate.results import number_columns, show_results
from ui.exports import data_table, figure
from ui.part import Part

TITLES = {CLAIMS: "may claim something else"} | {
    name: f"{name.removeprefix('cost_')}: cost" for name in COSTS
}
"""Column of a batch -> its title here: sentences whose claim may have changed, and costs of operations."""


def _draw() -> None:
    """Draw the sentences of each status per document, and the table of their numbers."""
    means = _means(show_results())
    if means.empty:
        return
    totals = means[["system", *STATUSES]].melt("system", var_name="kind", value_name="sentences")
    st.markdown("**Sentences by status**, per document")
    with st.container(key="wide-figure"):
        figure(edit_bars(totals.to_dict("records")), "edits", "content")
    table = means.rename(columns=TITLES)
    columns = number_columns(table, "%.2f")
    data_table(table, "edits-means", column_config=columns, key="edits-means-table")
    st.caption(
        "Statuses are those of Compare. Coverage: share of the reference that is in the output, by cost of "
        "deletion; support: share of the output that is in the reference. Costs are those of the script's "
        "operations."
    )


def _means(batch: Batch) -> pd.DataFrame:
    """A row of means for each system, over the documents that all of them have; none if nothing was counted."""
    results = batch.results
    columns = [name for name in (*STATUSES, CLAIMS, *SHARES, *COSTS) if name in results.scores]
    rows = pd.DataFrame({name: results.scores[name] for name in columns})
    rows.insert(0, "system", results.table["system"] if batch.has_systems else "all pairs")
    kept = (results.of_setting == 0) & ~results.failed & ~rows["system"].isin(BATCH_CONTROLS)
    if not set(STATUSES) <= set(columns):
        return rows.iloc[:0]
    rows = rows[kept]
    if batch.has_systems:
        systems = rows.groupby(results.table["id"][kept])["system"].transform("nunique")
        rows = rows[systems == rows["system"].nunique()]
    return rows.groupby("system", sort=False).mean().reset_index()


EDITS_TAB = Part("Edits", _draw)
