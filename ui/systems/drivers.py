"""What drives a difference: the operations of each system's scripts, and the score by depth, from the maps."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from tted_core.baselines import SUITE
from tted_core.batch.settings import BatchOptions
from tted_core.figures import depth_scores
from tted_core.formats.folder import Confined
from tted_core.method import Method
from tted_core.monitor import Monitor
from tted_core.systems import Scores, depth_means, measure_by_depth, measure_systems
from tted_core.systems.documents import collections_of
from tted_core.systems.drivers import KINDS, Operations
from ui import cache
from ui.exports import figure, table_exports
from ui.many.kept_batches import Batch, results_of
from ui.running import watched_on_demand


@dataclass(frozen=True)
class Found:
    """Mean operations of each system, and the scores of the first 1, 2, ... levels."""

    operations: Mapping[str, Operations]
    depths: tuple[Scores, ...]


def drivers(batch: Batch) -> None:
    """Draw the operations and the score by depth, once they are asked for."""
    setting = results_of(batch).settings[0]
    options = BatchOptions((Method.of_columns(setting),), reading=batch.reading)
    if batch.options is not None:
        suite = tuple(name for name in batch.options.baselines if name in SUITE)
        options = replace(options, baselines=suite, equivalence=batch.options.equivalence)
    found = watched_on_demand(
        "systems-drivers",
        (batch.place, options),
        partial(_looked, batch, batch.files, options),
        label="Look into the scripts",
        stop_help="Stops looking.",
        in_server="linear_bertscore" in options.baselines,
    )
    if found is None:
        st.caption(
            "How many sentences are the same, reworded, moved, replaced, missing and extra on each level, how "
            "much of the reference is covered, and the score by depth. Reads and compares the maps once more."
        )
        return
    table = _table(found.operations)
    st.dataframe(table, hide_index=True, width="stretch", key="systems-operations")
    table_exports(table, "systems-operations-table", "systems-operations")
    st.caption(
        "Sentences per document, their cost in brackets, then by level from the root. Coverage: the share of the "
        "reference that is in the output (the same, reworded or moved), by cost; support: the share of the output "
        "that is in the reference."
    )
    if len(found.depths) > 1:
        _by_depth(found.depths)


def _by_depth(depths: tuple[Scores, ...]) -> None:
    """Draw a measure by the number of levels compared: the figure, and the table of its means."""
    measure = st.selectbox(
        "By depth", list(depths[0].measures), key="systems-depth-measure", width=260, persist_state="page"
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
        key="systems-depth-table",
    )
    table_exports(table, "systems-depth-means", "systems-by-depth")
    counts = {row.k: row.n for row in rows}
    st.caption(
        "Means of the maps trimmed to k levels, as many as the deepest reference has, over documents that "
        "have a value for every system: " + ", ".join(f"{n:,} for k = {k}" for k, n in counts.items()) + "."
    )


def _table(operations: Mapping[str, Operations]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "system": system,
            **{kind: _cell(each, row) for row, kind in enumerate(KINDS)},
            "coverage": f"{each.coverage:.3f}",
            "support": f"{each.support:.3f}",
        }
        for system, each in operations.items()
    )


def _cell(operations: Operations, row: int) -> str:
    counts, costs = operations.counts[row], operations.costs[row].sum()
    levels = " · ".join(f"{count:.2g}" for count in counts) if counts.any() else ""
    return f"{counts.sum():.2f} ({costs:.3g})" + (f": {levels}" if levels else "")


def _looked(
    batch: Batch,
    files: Confined,
    options: BatchOptions,
    monitor: Monitor,
) -> Found:
    references, systems = collections_of(batch.inputs(files))
    how: dict[str, Any] = {"load": cache.encoder, "monitor": monitor}
    every = [references]
    measured = measure_systems(every, systems, options, **how)
    depths = measure_by_depth(every, systems, options, options.depth or measured.levels, **how)
    return Found(measured.drivers, depths)
