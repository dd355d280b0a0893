"""The tab of edits: statuses of the sentences by level, costs of the operations, and the score by depth."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import streamlit as st

from tted_core.baselines import SUITE
from tted_core.batch.controls import CONTROLS
from tted_core.batch.settings import BatchOptions
from tted_core.explain.correspondence import CLAIMS, SHARES
from tted_core.figures.systems import depth_scores, edit_bars
from tted_core.foundations.monitor import Monitor
from tted_core.method import Method
from tted_core.systems import Measured, depth_means, measure_by_depth, measure_systems
from tted_core.systems.documents import PAIRS, collections_of
from tted_core.systems.drivers import KINDS, PAID, Operations
from ui import models
from ui.errors import show_errors
from ui.evaluate.results import Look, looked_at, method_line, number_columns
from ui.executor import Work
from ui.exports import data_table, figure
from ui.part import Part
from ui.running import watched, watched_on_demand

Found = TypeVar("Found")

FLAGGED = "may claim something else"
"""The column of sentences whose claim may have changed, counted beside their status."""

MOST_AT_ONCE = 2_000
"""Rows up to which levels and costs, for which all maps are read and compared again, need no click."""


def _draw() -> None:
    """Draw the tab: the figure and the table first, though the levels in them are computed below."""
    look = looked_at()
    if look is None:
        return
    method_line(look)
    view, options = st.container(), _options(look)
    measured: Measured | None = None
    with show_errors():
        how: dict[str, Any] = {"stop_help": "Leaves levels and costs out."}
        key, work = (look.batch.folder, options), _work(measure_systems, look, options)
        if len(look.results) <= MOST_AT_ONCE:
            measured = watched("evaluate-edits", key, work, long=True, shared=True, **how)
        else:
            measured = watched_on_demand("evaluate-edits", key, work, label="Levels and costs", **how)
    drivers = measured.drivers if measured else {}
    with view:
        _statuses(look, drivers)
    if measured:
        with show_errors():
            _by_depth(look, options, measured.levels)


def _options(look: Look) -> BatchOptions:
    """The first setting of the batch, and its measures of the suite."""
    batch = look.batch
    options = BatchOptions((Method.of_columns(look.results.settings[0]),), reading=batch.reading)
    if batch.options is None:
        return options
    suite = tuple(name for name in batch.options.baselines if name in SUITE)
    return replace(options, baselines=suite, equivalence=batch.options.equivalence)


def _statuses(look: Look, drivers: Mapping[str, Operations]) -> None:
    """Draw the sentences of each status per document, in total and by level, and the table of their numbers."""
    means = _means(look)
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
    costs = {
        f"{operation}: cost": means["system"].map(
            {name: each.costs[row].sum() for name, each in drivers.items()}
        )
        for row, operation in enumerate(PAID)
        if drivers
    }
    _table(means.rename(columns={CLAIMS: FLAGGED}).assign(**costs), "edits-means")
    st.caption(
        "Statuses are those of Compare. Levels are those in the reference, of extra sentences in the output. "
        "Coverage: share of the reference that is in the output, by cost of deletion; support: share of the "
        "output that is in the reference. Costs are those of the script's operations."
    )
    if by_level:
        with st.expander("Every status and level", key="edits-more"):
            data_table(pd.DataFrame(by_level), "edits-every", key="evaluate-operations")


def _means(look: Look) -> pd.DataFrame:
    """A row of means for each system, over the documents that all of them have; none if nothing was counted."""
    results = look.results
    columns = [name for name in (*KINDS, CLAIMS, *SHARES) if name in results.scores]
    rows = pd.DataFrame({name: results.scores[name] for name in columns})
    rows.insert(0, "system", results.table["system"] if look.has_systems else PAIRS)
    kept = (results.of_setting == 0) & ~results.failed & ~rows["system"].isin(CONTROLS)
    if not set(KINDS) <= set(columns):
        return rows.iloc[:0]
    rows = rows[kept]
    if look.has_systems:
        systems = rows.groupby(results.table["id"][kept])["system"].transform("nunique")
        rows = rows[systems == rows["system"].nunique()]
    return rows.groupby("system", sort=False).mean().reset_index()


def _by_depth(look: Look, options: BatchOptions, levels: int) -> None:
    """Draw a measure by the number of levels compared: the figure, and the table of its means."""
    depths = watched_on_demand(
        "evaluate-depths",
        (look.batch.folder, options),
        _work(measure_by_depth, look, options, options.depth or levels),
        label="Scores by depth",
        stop_help="Leaves the scores by depth out.",
    )
    if depths is None:
        st.caption("Compares the maps again, trimmed to their first level, to two levels, and so on.")
        return
    if len(depths) < 2:
        return
    measure = st.selectbox(
        "By depth", list(depths[0].measures), key="evaluate-depth-measure", width=260, persist_state="page"
    )
    figure(depth_scores(depths, measure), "systems-depth")
    rows = pd.DataFrame(row for row in depth_means(depths) if row.measure == measure)
    rows["k"] = rows["k"].map("k = {}".format)
    _table(rows.pivot_table("mean", "system", "k", sort=False).reset_index(), "systems-by-depth", "%.4f")
    counts = ", ".join(f"{n:,} for {k}" for k, n in rows.groupby("k", sort=False)["n"].first().items())
    st.caption(
        "Means of the maps trimmed to k levels, as many as the deepest reference has, over documents that "
        f"have a value for every system: {counts}."
    )


def _table(table: pd.DataFrame, name: str, form: str = "%.2f") -> None:
    data_table(table, name, column_config=number_columns(table, form), key=f"{name}-table")


def _work(measure: Callable[..., Found], look: Look, options: BatchOptions, *given: Any) -> Work[Found]:
    """The work of measuring the systems of the batch, whose maps are read when it begins."""

    def work(monitor: Monitor) -> Found:
        references, systems = collections_of(look.batch.inputs())
        return measure([references], systems, options, *given, load=models.encoder, monitor=monitor)

    return work


EDITS = Part("Edits", _draw)
