"""The answer: one sentence, one large number, and the other scores in a compact row with a help text each."""

import streamlit as st

from tted_core import BASELINES, BaselineScore, Comparison
from tted_core.report.words import dearest_change, percent_up, what_happened
from ui.compare.depth_chart import depth_chart
from ui.compare.score_scale import score_scale
from ui.options import Options
from ui.text import markdown_escaped

HELP = {
    "normalized": "TTED made comparable between maps of different sizes: 0 for equal maps; 1 where nothing is "
    "worth keeping, or 0.71 with the recommended setting. 2d / (w (n + m) + d), with w the largest cost of "
    "deleting or inserting a node, as in the published code; with a power p, the p-th roots of n and m.",
    "tted": "Text tree edit distance: the smallest total cost of replacing, deleting and inserting nodes that "
    "turns the left map into the right one. With a power, costs are raised to it, added up, and the root is "
    "taken.",
    "steinhaus": "2d / (W + W' + d), with W the cost of deleting a whole map. Between 0 and 1 and a true "
    "metric, which the published normalisation is not.",
    "avg_tted": "The mean of the normalized distances of the maps trimmed to 1, 2, ... levels, so that "
    "differences near the root count more. The bars show the TTED (not normalized) at each number of levels.",
}

RHO_HELP = (
    " Below it rho_base, the similarity turned into a distance to hold against TTED: sqrt(k(T,T) + k(T',T') - "
    "k(T,T') - k(T',T))."
)


def scores(result: Comparison, options: Options) -> None:
    """Draw the number, the sentence and the row of scores."""
    number, words = st.columns([1, 3], vertical_alignment="center", gap="small")
    with number:
        st.metric("Normalized distance", f"{result.normalized:.3f}", help=HELP["normalized"])
    with words:
        st.markdown(sentence(result))
        score_scale(result, options)
    with st.container(horizontal=True, gap="medium", key="more-scores"):
        _score("TTED", f"{result.tted:.4f}", "tted")
        _score("Steinhaus", f"{result.steinhaus:.3f}", "steinhaus")
        _score("AvgTTED", f"{result.avg_tted:.3f}", "avg_tted")
        st.html(depth_chart(result.tted_at), width="content")
        for name, score in result.baselines.items():
            if isinstance(score, BaselineScore):
                rho = "undefined" if score.rho_base is None else f"{score.rho_base:.3f}"
                st.metric(
                    name,
                    f"{score.sim:.3f}",
                    delta=f"rho_base {rho}",
                    delta_color="off",
                    delta_arrow="off",
                    help=BASELINES[name].note + RHO_HELP,
                    width="content",
                )
    for name, score in result.baselines.items():
        if not isinstance(score, BaselineScore):
            st.caption(f"ℹ️ {name} not computed: {markdown_escaped(str(score))}")
    for notice in result.notices:
        st.warning(markdown_escaped(notice), icon="⚠️")


def sentence(result: Comparison) -> str:
    """What happened, which change costs most, and how sure that is (Markdown)."""
    strong = "**{}**".format
    told = [what_happened(result, strong), dearest_change(result, strong, markdown_escaped)]
    if result.tted:
        told.append(_proof(result))
    return " ".join(filter(None, told))


def _proof(result: Comparison) -> str:
    order = result.options.order
    if result.choices:
        return f":orange-badge[constrained by {len(result.choices)} of your choices]"
    if result.proven:
        return f"No {order} edit script costs less. :green-badge[✓ proven optimal]"
    gap = f"within {percent_up(result.gap)} of the optimum" if result.lower_bound > 0 else "no bound yet"
    return (
        f"The best {order} script costs {result.lower_bound:.4f} or more: more time may find a cheaper "
        f"one. :orange-badge[{gap}]"
    )


def _score(label: str, value: str, name: str) -> None:
    st.metric(label, value, help=HELP[name], width="content")
