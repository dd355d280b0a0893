"""One map against several: a row of them with their scores, one click to show each, and the table of all."""

import math
from collections.abc import Sequence
from dataclasses import replace
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
from ui.map_card import set_option
from ui.map_source import Given, ReadingOptions, distinct
from ui.models import models
from ui.running import run_watched
from ui.text import in_page_words, markdown_escaped, plural, shortened

SEVERAL = 100
"""Maps that are compared with the left one at once."""

COLUMNS_OF_SCORES = ("Map", "Normalized", "TTED", "Coverage", "ROUGE Sim", "Problem")
"""What ``compare_each`` finds of a map."""


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
    table = pd.DataFrame(found, columns=COLUMNS_OF_SCORES)
    table = table.sort_values("Normalized", kind="stable", ignore_index=True)
    if right.shown.name != right.options.shown:  # none was chosen
        right = replace(right, options=ReadingOptions(shown=table["Map"][0]))
    _row(table, left, right)
    with below:
        st.markdown(
            f"**{plural(len(table), 'map')}** compared with {markdown_escaped(left.shown.name or 'the left map')}"
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
    left: MindMap, maps: Sequence[MindMap], options: Method, monitor: Monitor
) -> list[dict[str, object]]:
    """The name of each map with its scores against the left one, or with the reason why it can't be compared.

    Maps that were not reached before it was stopped have neither.
    """
    found: list[dict[str, object]] = []
    for number, each in enumerate(maps):
        monitor.stage(f"Comparing map {number + 1} of {len(maps)}", number / len(maps))
        found.append({"Map": each.name or "map"})
        if monitor.stopped:
            continue
        try:
            result = compare_maps(left, each, options, models(), baselines=USUAL)
        except TTEDError as error:
            found[-1]["Problem"] = in_page_words(error.text)
            continue
        rouge = result.baselines["rouge_sim"]
        found[-1] |= {
            "Normalized": result.normalized,
            "TTED": result.tted,
            "Coverage": explain(result).matching.shares(result.costs)[0],
            "ROUGE Sim": rouge.sim if isinstance(rouge, BaselineScore) else math.nan,
        }
    return found


def _row(table: pd.DataFrame, left: Given, right: Given) -> None:
    """Draw the choices of the reference, which may be any of the maps, and of the map to show."""
    scores = dict(zip(table["Map"], table["Normalized"], strict=True))
    choice, row = st.columns([1, 4], vertical_alignment="bottom")
    every = (left.shown, *right.maps)
    st.session_state.update({"several-reference": 0, "several-map": right.shown.name})
    choice.selectbox(
        "Reference",
        range(len(every)),
        format_func=lambda number: f"{number + 1}: {shortened(every[number].name or 'the left map', 60)}",
        key="several-reference",
        on_change=_choose_reference,
        args=(left, right),
    )
    row.radio(  # arrow keys walk along it, unlike along pills
        "Right map, the nearest first",
        list(scores),
        format_func=lambda name: (
            f"{markdown_escaped(shortened(name, 32))} "
            + ("–" if pd.isna(scores[name]) else f"**{scores[name]:.3f}**")
        ),
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
    st.session_state["left"] = Given(distinct((reference, *kept)), left.unread)
    st.session_state["right"] = Given(distinct(others), right.unread)
