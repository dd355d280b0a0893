"""What drives a difference: the operations of each system's scripts, and the score by depth, from the maps."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from tted_core.batch.controls import CONTROLS
from tted_core.batch.settings import BatchOptions
from tted_core.figures import depth_scores
from tted_core.formats.folder import Confined
from tted_core.method import Method
from tted_core.monitor import Monitor
from tted_core.systems import Scores, measure_by_depth, measure_systems
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
    options = BatchOptions((Method.of_columns(setting),), roots=batch.roots)
    found = watched_on_demand(
        "systems-drivers",
        (batch.place, options),
        partial(_looked, batch, batch.files, options),
        label="Look into the scripts",
        stop_help="Stops looking.",
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
        figure(depth_scores(found.depths), "systems-depth")


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
    inputs = batch.inputs(files)
    references: dict[str, Any] = {}
    systems: dict[str, list[tuple[str, Any]]] = {}
    for item, (left, right), system in zip(
        inputs.ids, inputs.pairs.tolist(), inputs.further["system"], strict=True
    ):
        if system in CONTROLS:
            continue
        references.setdefault(item, inputs.maps[left][1])
        systems.setdefault(system, []).append((item, inputs.maps[right][1]))
    how: dict[str, Any] = {"load": cache.fresh_encoder, "monitor": monitor}
    every = [list(references.items())]
    measured = measure_systems(every, systems, options, **how)
    depths = measure_by_depth(every, systems, options, options.depth or measured.levels, **how)
    return Found(measured.drivers, depths)
