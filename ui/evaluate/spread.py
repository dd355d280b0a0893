"""The ranking of pairs without systems: the spread of their scores, and any two scores compared."""

from collections.abc import Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from tted_core.batch.results import RowNumbers, worst_is_largest
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
    rows = np.flatnonzero(~results.failed)
    scores = {
        name: values[rows] for name, values in results.scores.items() if np.isfinite(values[rows]).any()
    }
    if START not in scores:
        st.info("There is nothing to draw: none of these pairs has a score.")
        return
    for number in range(len(results.settings)):
        means = _means(look, number, rows[results.of_setting[rows] == number])
        if means:
            mean, low, high, pairs = (means[0][name] for name in ("mean", "95 % from", "to", "pairs"))
            between = "" if low is None else f" (95 % interval {low:.3f} to {high:.3f})"
            sentence = f"{START} is {mean:.3f} on average{between}"
            if len(results.settings) > 1:
                sentence += f", by {setting_in_words(results, number)}"
            st.markdown(f"**{markdown_escaped(sentence)}.** {plural(pairs, 'pair')}.")
            method_line(look, number)
            table, name = pd.DataFrame(means), f"spread-{number}"
            columns = dict.fromkeys(table.columns[2:], st.column_config.NumberColumn(format="%.3f"))
            data_table(table, name, height="content", column_config=columns, key=f"{name}-table")
    of_first = results.of_setting[rows] == 0
    with st.container(horizontal=True):
        across = chosen("Score", "x", scores, START, width=170)
        # A measure of another kind is the most informative beside it, then a size.
        liked = [name for name in scores if name.startswith("rouge")]
        start = next(name for name in (*liked, "left_nodes", *scores) if name in scores and name != START)
        upwards = chosen("Against", "y", scores, start, width=170)
    left, right = st.columns(2)
    with left:
        figure(score_histogram(across, scores[across][of_first]), "score-histogram")
    with right:
        few = rows[of_first].tolist() if of_first.sum() <= MOST_POINTS else []
        names = [results.pairs[row][0] for row in few]
        x, y = scores[across][of_first], scores[upwards][of_first]
        figure(score_scatter((across, upwards), x, y, names), "score-scatter")


def _means(look: Look, setting: int, rows: RowNumbers) -> list[dict[str, Any]]:
    """A row per measure: number of pairs, mean with interval, median and extremes."""
    scores = {name: look.results.scores[name][rows] for name in OF_A_BATCH if name in look.results.scores}
    finite = {name: values[np.isfinite(values)] for name, values in scores.items()}
    measured = {name: values for name, values in finite.items() if len(values)}
    intervals = watched(
        "evaluate-intervals",
        (look.batch.folder, len(look.results), setting),
        partial(_intervals, tuple(measured.values())),
        stop_help="Ends without these means.",
        shared=True,
    )
    found = []
    for (name, values), interval in zip(measured.items(), intervals, strict=True):
        low, high = interval or (None, None)
        found.append(
            {
                "measure": f"{name} {'↓' if worst_is_largest(name) else '↑'}",
                "pairs": len(values),
                "mean": float(values.mean()),
                "95 % from": low,
                "to": high,
                "median": float(np.median(values)),
                "smallest": float(values.min()),
                "largest": float(values.max()),
            }
        )
    return found


def _intervals(samples: Sequence[Scores], monitor: Monitor) -> list[tuple[float, float] | None]:
    return [
        mean_interval(values, RESAMPLES, seed=0) if len(values) <= MOST_RESAMPLED else None
        for values in monitor.over(samples, "Resampling")
    ]
