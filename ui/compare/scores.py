"""The scores behind the button "All scores"."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from tted_core import Comparison
from tted_core.baselines import BASELINES, BaselineScore, measure_title
from tted_core.distances import DISTANCES
from tted_core.report.html_report import file_stem
from ui.compare.score_scale import nothing_kept
from ui.comparisons import SLOT, all_baselines
from ui.errors import show_errors
from ui.exports import table_exports
from ui.mapping.view import explain_comparison
from ui.running import run_watched
from ui.text import in_page_words, markdown_escaped

NORMALIZED = (
    "TTED made comparable between maps of different sizes: 0 for equal maps; {:.2f} for these two if no "
    "sentence were kept. ↓ Lower = more alike. 2d / (w_max (n + m) + d), with w_max the largest cost of "
    "deleting or inserting a node, as in the published code; with a power p, the p-th roots of n and m."
)

_HELP = {
    "TTED": "Text tree edit distance: the smallest total cost of replacing, deleting and inserting nodes that "
    "turns the left map into the right one. With a power p, costs are raised to p and summed, and the p-th root "
    "is taken. ↓ Lower = more alike; larger maps have larger distances.",
    "Coverage": "The share of the left map that the right map has, as nodes of their own, at any "
    "position, or as parts of longer nodes, which count by the share of their words. A node's weight is the cost "
    "of deleting it. Higher = more alike; extra sentences don't count.",
    "Steinhaus": "2d / (W + W' + d), with W the cost of deleting a whole map. Between 0 and 1, and a metric "
    "wherever TTED is one, which the published normalisation is not.",
    "AvgTTED": "The mean of the normalized distances of the maps trimmed to 1, 2, ... levels, so that "
    "differences near the root count more. The bars are TTED@k: TTED (not normalized) of both maps trimmed to "
    "their first k levels.",
}

BESIDE = (
    "Similarity is on the measure's own scale. As a distance it is 1 minus that, or for the three called ROUGE "
    "√(k(T,T) + k(T',T') - k(T,T') - k(T',T)). Scales differ."
)


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
            _all_scores(replace(result, baselines=found))


def _all_scores(result: Comparison) -> None:
    st.markdown("**Distances**: lower = more alike")
    with st.container(horizontal=True, gap="medium"):
        normalized_help = f"{metric_or_not(result)}\n\n{NORMALIZED.format(nothing_kept(result))}"
        score("Normalized", f"{result.normalized:.4f}", normalized_help)
        score("TTED", f"{result.tted:.4f}", _HELP["TTED"])
        score("Steinhaus", f"{result.steinhaus:.3f}", _HELP["Steinhaus"])
        score("AvgTTED", f"{result.avg_tted:.3f}", _HELP["AvgTTED"])
        st.html(_depth_chart(result.tted_at), width="content")
    st.markdown("**Similarities**: higher = more alike")
    with st.container(horizontal=True, gap="medium"):
        coverage, _support = explain_comparison(result).matching.shares(result.costs)
        score("Coverage", f"{coverage:.0%}", _HELP["Coverage"])
        rouge = result.baselines.get("rouge_sim")
        if isinstance(rouge, BaselineScore):
            most = max(rouge.sim_left, rouge.sim_right)
            help_text = (
                f"{BASELINES['rouge_sim'].note} The second number: the larger map compared with itself."
            )
            score("ROUGE Sim", f"{rouge.sim:.1f} of {most:.1f}", help_text)
    st.markdown("**Other measures**, for comparison")
    st.caption(BESIDE)
    table = beside(result)
    st.table(table.style.format("{:.3f}", subset=["Similarity", "Distance"]), hide_index=True)
    table_exports(table, "measures-of-others", f"{file_stem(result)}-measures")
    for name, none in result.baselines.items():
        if not isinstance(none, BaselineScore):
            st.caption(f":material/info: {name} not computed: {markdown_escaped(in_page_words(none.text))}")


def _depth_chart(tted_at: Sequence[float]) -> str:
    """HTML of TTED@k with one bar per k (Streamlit's own charts have no text for screen readers)."""
    top = max(tted_at) or 1.0
    bars = "".join(
        f'<div title="TTED@{k} = {value:.4f}" style="width:16px;border-bottom:{1 + 30 * value / top:.0f}px solid">'
        f"{k}</div>"
        for k, value in enumerate(tted_at, start=1)
    )
    values = ", ".join(f"{value:.3f}" for value in tted_at)
    return (
        f'<div role="img" aria-label="TTED at k: {values}" style="display:flex;gap:5px;align-items:end;'
        f'flex-wrap:wrap;text-align:center;font-size:.7rem">{bars}</div>'
    )


def beside(result: Comparison) -> pd.DataFrame:
    """A table of the computed baselines: similarity, distance and a description of each."""
    rows = [
        (measure_title(name), score.sim, score.rho_base, BASELINES[name].note)
        for name, score in result.baselines.items()
        if isinstance(score, BaselineScore)
    ]
    return pd.DataFrame(rows, columns=["Measure", "Similarity", "Distance", "What it counts"])


def score(label: str, value: str, help_text: str | None = None) -> None:
    """Draw a number under its label."""
    st.metric(label, value, help=help_text, width="content")
