"""The scores behind the button "All scores"."""

from dataclasses import replace
from functools import partial

import streamlit as st

from tted_core import Comparison
from tted_core.distances import DISTANCES
from tted_core.report.html_report import report_part
from ui.comparisons import SLOT, all_baselines
from ui.errors import show_errors
from ui.mapping.view import explain_comparison
from ui.running import run_watched


def metric_or_not(result: Comparison) -> str:
    """A sentence on whether the normalized distance is a metric under these options (Markdown)."""
    if result.choices:
        return "**Not a metric**: with your choices it is the cost of a script, not the distance of the two maps."
    if not DISTANCES[result.method.distance].metric:
        return f"**Not a metric**, since the distance {result.method.distance} between sentences is not one."
    if isinstance(result.method.gap, str):
        return (
            "**A metric** under these options: every missing sentence costs the same, and then it is the "
            "Steinhaus score."
        )
    return "**Not a metric**: its divisor differs from pair to pair. The Steinhaus score is a metric."


@st.fragment
def more_scores(result: Comparison) -> None:
    """Draw the button, and the scores once it is open."""
    popover = st.popover("All scores", key="more-scores", on_change="rerun")
    if popover.open:
        with popover, st.container(key="all-scores"), show_errors():
            found = run_watched(
                f"{SLOT}/baselines",
                (result.left, result.right, result.method),
                partial(all_baselines, result),
                stop_help="No other measures are shown then.",
                shared=True,
            )
            st.markdown(metric_or_not(result))
            explanation = explain_comparison(result)
            shown = replace(explanation, comparison=replace(result, baselines=found))
            st.html(report_part("scores", shown))
