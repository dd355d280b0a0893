"""One map against several: a row of them with their scores, one click to show each, and the table of all."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tted_core import MindMap
from tted_core.batch.memory import compare_many
from tted_core.batch.table import rows_of
from tted_core.errors import Interrupted, check_limit
from tted_core.foundations.monitor import Monitor
from tted_core.method import Method
from ui.map_card import set_option
from ui.map_source import Given, ReadingOptions, tell_apart
from ui.models import models
from ui.page import data_table
from ui.running import run_watched
from ui.text import counted, markdown_escaped, shorten

if TYPE_CHECKING:
    import pandas as pd

SEVERAL = 100  # maps that are compared with the left one at once

# Columns of ``compare_many`` in the table, and their titles.
SCORE_COLUMNS = {
    "normalized": "Normalized",
    "tted": "TTED",
    "coverage": "Coverage",
    "rouge_sim": "ROUGE Sim",
    "error": "Problem",
}


def choose_of_several(left: Given, right: Given, method: Method, below: DeltaGenerator) -> Given:
    """Draw the row of the right side's maps, the nearest first, and the table of all below; nothing for one map.

    Returns the right side with the map to show: the chosen one, else the nearest.

    Raises:
        LimitError: more maps than are compared at once.
    """
    if len(right.maps) < 2:
        return right
    check_limit(
        len(right.maps), SEVERAL, "maps on the right side", "compare them on the page Evaluate, as a zip"
    )
    found = run_watched(
        "several",
        (left.shown, right.maps, method),
        partial(compare_each, left.shown, right.maps, method),
        stop_help="Keeps the maps compared so far.",
        shared=True,
    )
    import pandas as pd  # 60 MB that two maps don't need

    table = (
        pd.DataFrame(found, columns=[*SCORE_COLUMNS])
        .rename(columns=SCORE_COLUMNS)
        .reindex(range(len(right.maps)))
    )
    table.insert(0, "Map", [each.name or "map" for each in right.maps])
    table = table.sort_values("Normalized", kind="stable", ignore_index=True)
    if right.shown.name != right.options.shown:  # none was chosen
        right = replace(right, options=ReadingOptions(shown=table["Map"][0]))
    _row(table, left, right)
    with below:
        st.markdown(
            f"**{counted(len(table), 'map')}** compared with {markdown_escaped(left.shown.name or 'the left map')}"
        )
        data_table(
            table.dropna(axis="columns", how="all").fillna({"Problem": ""}),
            "several-maps",
            column_config={
                "Normalized": st.column_config.NumberColumn(format="%.3f", help="Lower = more alike"),
                "TTED": st.column_config.NumberColumn(format="%.4f", help="Lower = more alike"),
                "Coverage": st.column_config.NumberColumn(format="percent", help="Higher = more alike"),
                "ROUGE Sim": st.column_config.NumberColumn(format="%.1f", help="Higher = more alike"),
                "Problem": st.column_config.TextColumn(width="large"),
            },
        )
    return right


def compare_each(
    left: MindMap, maps: Sequence[MindMap], method: Method, monitor: Monitor
) -> list[dict[str, Any]]:
    """A row of scores for each map against the left one, as of ``compare_many``; fewer if it was stopped."""
    found: list[dict[str, Any]] = []
    with suppress(Interrupted):
        rows = compare_many(
            [(left, each) for each in maps],
            method,
            models(),
            baselines=["rouge_sim"],
            sentences=True,
            monitor=monitor,
        )
        for number in range(len(rows)):  # one by one, so that those before it was stopped are kept
            monitor.stage(f"Comparing map {number + 1} of {len(rows)}", number / len(rows))
            found += rows_of(rows.prepared, rows.options, rows.pairs[[number]], monitor)
    return found


def _row(table: "pd.DataFrame", left: Given, right: Given) -> None:
    """Draw the choices of the reference, which may be any of the maps, and of the map to show."""
    written = table["Normalized"].map("**{:.3f}**".format, na_action="ignore").fillna("–")
    scores = dict(zip(table["Map"], written, strict=True))
    choice, row = st.columns([1, 4], vertical_alignment="bottom")
    every = (left.shown, *right.maps)
    st.session_state.update({"several-reference": 0, "several-map": right.shown.name})
    choice.selectbox(
        "Reference",
        range(len(every)),
        format_func=lambda number: f"{number + 1}: {shorten(every[number].name or 'the left map', 60)}",
        key="several-reference",
        on_change=_choose_reference,
        args=(left, right),
    )
    row.radio(  # arrow keys walk along it, unlike along pills
        "Right map, the nearest first",
        list(scores),
        format_func=lambda name: f"{markdown_escaped(shorten(name, 32))} {scores[name]}",
        horizontal=True,
        key="several-map",
        on_change=set_option,
        args=("right", "shown", "several-map"),
    )


def _choose_reference(left: Given, right: Given) -> None:
    """Exchange the reference for a map of the right side; no map is dropped."""
    others = [left.shown, *right.maps]
    reference = others.pop(st.session_state["several-reference"])
    kept = (each for each in left.maps if each is not left.shown)
    st.session_state["left"] = Given(tell_apart((reference, *kept)), left.unread)
    st.session_state["right"] = Given(tell_apart(others), right.unread)
