"""One map against several: a row of them with their scores, one click to show each, and the table of all."""

import math
from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tted_core import MindMap, TTEDError
from tted_core.baselines import USUAL, BaselineScore
from tted_core.compare import compare_maps
from tted_core.explain.build import explain
from tted_core.foundations.limits import check_limit
from tted_core.foundations.monitor import Monitor
from tted_core.method import Method
from ui.exports import data_table
from ui.inputs import SEVERAL, maps_on
from ui.models import models
from ui.running import watched
from ui.sides import RIGHT
from ui.text import in_page_words, markdown_escaped, plural, shortened

MEASURES = ("Normalized", "TTED", "Coverage", "ROUGE Sim")
"""The scores in the table, named as in ``compare_each``."""

SHEET = RIGHT.state("sheet")
"""The session key of the number of the right map that is shown, from 1."""


def draw_several(left: MindMap, right: MindMap, method: Method, below: DeltaGenerator) -> None:
    """Draw the row of the right side's maps, the nearest first, and the table of all below; nothing for one map.

    Raises:
        LimitError: more maps than are compared at once.
    """
    if len(right.maps) < 2:
        return
    check_limit(
        len(right.maps), SEVERAL, "maps on the right side", "compare them on the page Evaluate, as a zip"
    )
    maps, unread = maps_on(RIGHT)
    found = watched(
        "several",
        (left, maps, method),
        partial(compare_each, left, maps, method),
        stop_help="Keeps the maps compared so far.",
        shared=True,
    )
    table = scores_table([each.name or "" for each in maps], found, unread)
    _row(table)
    with below:
        st.markdown(
            f"**{plural(len(table), 'map')}** compared with {markdown_escaped(left.name or 'the left map')}"
        )
        data_table(
            table,
            "several-maps",
            column_config={
                "Normalized": st.column_config.NumberColumn(format="%.3f", help="Lower = more alike"),
                "TTED": st.column_config.NumberColumn(format="%.4f", help="Lower = more alike"),
                "Coverage": st.column_config.NumberColumn(format="percent", help="Higher = more alike"),
                "ROUGE Sim": st.column_config.NumberColumn(format="%.1f", help="Higher = more alike"),
                "Problem": st.column_config.TextColumn(width="large"),
            },
        )


def compare_each(
    left: MindMap, maps: Sequence[MindMap], options: Method, monitor: Monitor
) -> list[dict[str, float] | TTEDError]:
    """The scores of each map against the left one, by name, or the reason why it can't be compared.

    Maps that were not reached before it was stopped are missing at the end.
    """
    found: list[dict[str, float] | TTEDError] = []
    for number, each in enumerate(maps):
        monitor.stage(f"Comparing map {number + 1} of {len(maps)}", number / len(maps))
        if monitor.stopped:
            break
        try:
            result = compare_maps(left, each, options, models(), baselines=USUAL)
        except TTEDError as error:
            found.append(error)
            continue
        rouge = result.baselines["rouge_sim"]
        found.append(
            {
                "Normalized": result.normalized,
                "TTED": result.tted,
                "Coverage": explain(result).matching.shares(result.costs)[0],
                "ROUGE Sim": rouge.sim if isinstance(rouge, BaselineScore) else math.nan,
            }
        )
    return found


def scores_table(
    names: Sequence[str], found: Sequence[dict[str, float] | TTEDError], unread: Mapping[str, TTEDError]
) -> pd.DataFrame:
    """A row for each map, the nearest first; the index is its number, missing (<NA>) where it can't be read."""
    rows = [
        {"Map": name, **({"Problem": str(each)} if isinstance(each, TTEDError) else each)}
        for name, each in zip(names, (*found, *[{}] * len(names)), strict=False)
    ]
    rows += [{"Map": name, "Problem": str(error)} for name, error in unread.items()]
    numbers = pd.array([*range(1, len(names) + 1), *[pd.NA] * len(unread)], "Int64")
    table = pd.DataFrame(rows, index=numbers, columns=["Map", *MEASURES, "Problem"])
    table = table.sort_values("Normalized", kind="stable").dropna(axis="columns", how="all")
    if "Problem" in table:
        table["Problem"] = table["Problem"].fillna("").map(in_page_words)
    return table


def _row(table: pd.DataFrame) -> None:
    chips = table[table.index.notna()]
    labels = {
        number: f"{markdown_escaped(shortened(row['Map'], 32))} "
        + (f"**{row['Normalized']:.3f}**" if pd.notna(row["Normalized"]) else "–")
        for number, row in chips.iterrows()
    }
    st.session_state["several-map"] = st.session_state[SHEET]
    st.radio(  # arrow keys walk along it, unlike along pills
        "Right map, the nearest first",
        list(labels),
        format_func=labels.__getitem__,
        horizontal=True,
        key="several-map",
        on_change=lambda: st.session_state.update({SHEET: st.session_state["several-map"]}),
    )
