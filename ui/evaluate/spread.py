"""The ranking of pairs without systems: the spread of their scores, and any two scores compared."""

from collections.abc import Mapping
from functools import partial
from typing import TypeAlias

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from tted_core.batch.results import worst_is_largest
from tted_core.figures import score_histogram, score_scatter
from tted_core.figures.scores import MOST_POINTS
from tted_core.foundations.monitor import Monitor
from tted_core.foundations.stats import mean_interval
from tted_core.systems.scores import OF_A_BATCH
from tted_core.systems.statistics import RESAMPLES
from ui.evaluate.results import Look, chosen, method_line, setting_in_words
from ui.exports import data_table, figure
from ui.running import watched
from ui.text import markdown_escaped, plural

Scores: TypeAlias = NDArray[np.float64]

START = "normalized"

MOST_RESAMPLED = 10_000
"""Of more pairs, resampling takes long, and the interval is narrow."""


def draw_spread(look: Look) -> None:
    """Draw the means of the scores by setting, and the figures of the first setting."""
    results = look.results
    first = np.flatnonzero((results.of_setting == 0) & ~results.failed)
    scores = {
        name: values[first] for name, values in results.scores.items() if np.isfinite(values[first]).any()
    }
    if START not in scores:
        st.info("There is nothing to draw: none of these pairs has a score.")
        return
    for number in range(len(results.settings)):
        kept = (results.of_setting == number) & ~results.failed
        values = {name: results.scores[name][kept] for name in OF_A_BATCH if name in results.scores}
        if kept.any():
            key = look.batch.folder, len(results), number
            make = partial(_means, values)
            means = watched("evaluate-means", key, make, stop_help="Ends without these means.", shared=True)
            row = means.iloc[0]
            interval = (
                "" if np.isnan(row["to"]) else f" (95 % interval {row['95 % from']:.3f} to {row['to']:.3f})"
            )
            by = f", by {setting_in_words(results, number)}" if len(results.settings) > 1 else ""
            sentence = f"{START} is {row['mean']:.3f} on average{interval}{by}"
            st.markdown(f"**{markdown_escaped(sentence)}.** {plural(int(row['pairs']), 'pair')}.")
            method_line(look, number)
            columns = dict.fromkeys(means.columns[2:], st.column_config.NumberColumn(format="%.3f"))
            name = f"spread-{number}"
            data_table(means, name, height="content", column_config=columns, key=f"{name}-table")
    with st.container(horizontal=True):
        across = chosen("Score", "x", scores, START, width=170)
        # A measure of another kind is the most informative beside it, then a size.
        liked = [name for name in scores if name.startswith("rouge")]
        start = next(name for name in (*liked, "left_nodes", *scores) if name in scores and name != START)
        upwards = chosen("Against", "y", scores, start, width=170)
    left, right = st.columns(2)
    with left:
        figure(score_histogram(across, scores[across]), "score-histogram")
    with right:
        names = results.table["id"].iloc[first].tolist() if len(first) <= MOST_POINTS else []
        figure(score_scatter((across, upwards), scores[across], scores[upwards], names), "score-scatter")


def _means(scores: Mapping[str, Scores], monitor: Monitor) -> pd.DataFrame:
    """A row per measure: number of pairs, mean with interval, median and extremes."""
    rows = []
    for name in monitor.over(list(scores), "Resampling"):
        values = scores[name][np.isfinite(scores[name])]
        if len(values):
            interval = mean_interval(values, RESAMPLES, seed=0) if len(values) <= MOST_RESAMPLED else None
            low, high = interval or (np.nan, np.nan)
            arrow = "↓" if worst_is_largest(name) else "↑"
            spread = np.median(values), values.min(), values.max()
            rows.append((f"{name} {arrow}", len(values), values.mean(), low, high, *spread))
    columns = ["measure", "pairs", "mean", "95 % from", "to", "median", "smallest", "largest"]
    return pd.DataFrame(rows, columns=columns)
