"""The ranking of pairs that name no systems: how their scores are spread, and any two of them compared."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from tted_core.batch.results import Results, RowNumbers, worst_is_largest
from tted_core.figures import score_histogram, score_scatter
from tted_core.figures.scores import MOST_POINTS
from tted_core.foundations.monitor import Monitor
from tted_core.foundations.stats import mean_interval
from tted_core.systems.scores import OF_A_BATCH
from tted_core.systems.statistics import RESAMPLES
from ui.evaluate.results import Look, draw_method_line, method_line, offered
from ui.evaluate.view import setting_in_words, unlinked
from ui.exports import data_table, figure
from ui.fields import choice
from ui.processes.tasks import any_result
from ui.running import watched
from ui.text import markdown_escaped, plural

Scores: TypeAlias = NDArray[np.float64]

START = "normalized"

ACROSS = unlinked(choice("x", "Score", None, "", key="evaluate-x", width=170))
UPWARDS = unlinked(choice("y", "Against", None, "", key="evaluate-y", width=170))

MOST_RESAMPLED = 10_000
"""Of more pairs, resampling takes long, and the interval is narrow."""

INTERVALS_KEPT = 64
"""Of a batch in so many settings; each is asked for in every run of the page."""


def spread(look: Look) -> None:
    """Draw the mean of each score in each setting, and the figures of the first."""
    results = look.results
    rows = np.flatnonzero(~results.failed)
    scores = [name for name in results.scores if np.isfinite(results.scores[name][rows]).any()]
    if START not in scores:
        st.info("There is nothing to draw: none of these pairs has a score.")
        return
    for number, setting in enumerate(results.settings):
        means = _means(results, rows[results.of_setting[rows] == number])
        if means:
            of_setting = f", by {setting_in_words(setting)}" if len(results.settings) > 1 else ""
            name, mean = START, means[0]["mean"]
            told = f"{name} is {mean:.3f} on average{_between(means[0])}{of_setting}."
            st.markdown(f"**{markdown_escaped(told)}** {plural(means[0]['pairs'], 'pair')}.")
            draw_method_line(*method_line(look, number))
            numbers = st.column_config.NumberColumn(format="%.3f")
            table = pd.DataFrame(means)
            data_table(
                table,
                f"spread-{number}",
                height="content",
                column_config=dict.fromkeys(table.columns[2:], numbers),
                key=f"spread-table-{number}",
            )
    _charts(results, rows[results.of_setting[rows] == 0], scores)


def _means(results: Results, rows: RowNumbers) -> list[dict[str, Any]]:
    """A row for each measure: over how many pairs, mean with interval, and where the middle and the ends lie."""
    scores = {name: results.scores[name][rows] for name in OF_A_BATCH if name in results.scores}
    finite = {name: values[np.isfinite(values)] for name, values in scores.items()}
    measured = {name: values for name, values in finite.items() if len(values)}
    few = {name: values for name, values in measured.items() if len(values) <= MOST_RESAMPLED}
    resampled = watched(
        "evaluate-intervals",
        tuple(hashlib.sha256(values.tobytes()).digest() for values in few.values()),
        partial(_intervals, tuple(few.values())),
        stop_help="Ends without these means.",
        kept=INTERVALS_KEPT,
        shared=any_result,
    )
    intervals = dict(zip(few, resampled, strict=True))
    found = []
    for name, values in measured.items():
        low, high = intervals.get(name) or (None, None)
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
    return [mean_interval(values, RESAMPLES, seed=0) for values in monitor.over(samples, "Resampling")]


def _between(row: Mapping[str, Any]) -> str:
    return "" if row["to"] is None else f" (95 % interval {row['95 % from']:.3f} to {row['to']:.3f})"


def _charts(results: Results, rows: RowNumbers, scores: list[str]) -> None:
    """Draw a histogram, and one score against another."""
    with st.container(horizontal=True):
        across = ACROSS.draw(options=offered(ACROSS, scores, START))
        upwards = UPWARDS.draw(options=offered(UPWARDS, scores, _other(scores, START)))
    left, right = st.columns(2)
    with left:
        figure(score_histogram(across, results.scores[across][rows]), "score-histogram")
    with right:
        few = rows.tolist() if len(rows) <= MOST_POINTS else []
        spec = score_scatter(
            (across, upwards),
            results.scores[across][rows],
            results.scores[upwards][rows],
            [results.pairs[row][0] for row in few],
        )
        figure(spec, "score-scatter")


def _other(scores: list[str], first: str) -> str:
    """Another score to begin with: a baseline would be best, sizes tell something too."""
    liked = [name for name in scores if name.startswith("rouge")]
    return next(name for name in (*liked, "left_nodes", *scores) if name in scores and name != first)
