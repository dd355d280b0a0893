"""The answer: one sentence, one large number, and behind it the other scores, each with its help."""

import pandas as pd
import streamlit as st

from tted_core import Comparison
from tted_core.baselines import BASELINES, BaselineScore
from tted_core.distances import DISTANCES
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.method import Method
from tted_core.notices import OTHERS
from tted_core.report.data import file_stem
from tted_core.report.words import dearest_change, percent_up, what_happened
from ui.compare.depth_chart import depth_chart
from ui.compare.score_scale import score_scale
from ui.exports import table_exports
from ui.options import ENCODER_KEPT, take_preset
from ui.text import in_page_words, markdown_escaped

NORMALIZED = (
    "TTED made comparable between maps of different sizes: 0 for equal maps; 1 where nothing is worth keeping, or "
    "0.71 with the preset Proofreading. 2d / (w (n + m) + d), with w the largest cost of deleting or inserting a "
    "node, as in the published code; with a power p, the p-th roots of n and m."
)

HELP = {
    "TTED": "Text tree edit distance: the smallest total cost of replacing, deleting and inserting nodes that "
    "turns the left map into the right one. With a power, costs are raised to it, added up, and the root is "
    "taken. It grows with the maps.",
    "Steinhaus": "2d / (W + W' + d), with W the cost of deleting a whole map. Between 0 and 1, and a metric "
    "wherever TTED is one, which the published normalisation is not.",
    "AvgTTED": "The mean of the normalized distances of the maps trimmed to 1, 2, ... levels, so that "
    "differences near the root count more.",
    "TTED@k": "TTED (not normalized) of both maps trimmed to their first k levels, a bar for each k: where, from "
    "the root down, the distance comes from.",
}

BESIDE_HELP = {
    "Alike": "On the measure's own scale; higher = more alike.",
    "Apart": "The same as a distance (rho_base); lower = more alike. Of the three with rouge in their names "
    "sqrt(k(T,T) + k(T',T') - k(T,T') - k(T',T)), of the others 1 minus the similarity; "
    "none where the similarity can pass 1. Scales differ.",
}


def scores(result: Comparison, options: Method) -> None:
    """Draw the number, the sentence, what a reader should know, and the other scores behind a line."""
    number, words = st.columns([1, 3], vertical_alignment="center", gap="small")
    with number:
        st.metric(
            "Normalized distance",
            f"{result.normalized:.3f}",
            delta="lower = more alike",
            delta_color="off",
            delta_arrow="down",
            help=f"{metric_or_not(result)}\n\n{NORMALIZED}",
        )
    with words:
        st.markdown(sentence(result))
        score_scale(result, options)
    for notice in result.notices:
        _notice(notice)
    for hint in result.hints:
        words, button = st.columns([4, 1], vertical_alignment="center", gap="small")
        words.caption(f":material/info: {hint[:1].upper()}{hint[1:]}.")
        button.button(
            "Use Proofreading", key="take-proofreading", on_click=take_preset, args=("proofreading",)
        )
    with st.expander("More scores", key="more-scores"):
        _more_scores(result)


def metric_or_not(result: Comparison) -> str:
    """Whether the normalized distance is a metric under these options, and why."""
    if result.choices:
        return (
            "**Not a metric**: with your choices it is the cost of a script, and no distance of the two maps."
        )
    if not DISTANCES[result.method.distance].metric:
        return f"**Not a metric**, since the distance {result.method.distance} between sentences is none."
    if isinstance(result.method.gap, str):
        return (
            "**A metric** under these options: every missing sentence costs the same, and then it is the "
            "Steinhaus score."
        )
    return "**Not a metric**: what it is divided by changes from pair to pair. The Steinhaus score is one."


def _more_scores(result: Comparison) -> None:
    st.markdown("**Distances** ↓ lower = more alike")
    with st.container(horizontal=True, gap="medium"):
        _score("TTED", f"{result.tted:.4f}", HELP["TTED"])
        _score("Steinhaus", f"{result.steinhaus:.3f}", HELP["Steinhaus"])
        _score("AvgTTED", f"{result.avg_tted:.3f}", HELP["AvgTTED"])
        with st.container(width="content", gap=None):
            st.caption("TTED@k", help=HELP["TTED@k"], width="content")
            st.html(depth_chart(result.tted_at), width="content")
    st.markdown("**Measures of others**, to hold against it")
    table = beside(result)
    st.dataframe(
        table,
        hide_index=True,
        width="stretch",
        height="content",
        column_config={
            name: st.column_config.NumberColumn(format="%.3f", help=told, width=70)
            for name, told in BESIDE_HELP.items()
        }
        | {"Measure": st.column_config.TextColumn(width=170)},
    )
    table_exports(table, "measures-of-others", f"{file_stem(result)}-measures")
    for name, none in result.baselines.items():
        if not isinstance(none, BaselineScore):
            st.caption(f":material/info: {name} not computed: {markdown_escaped(in_page_words(str(none)))}")
    if DISTANCES[result.method.distance].reads != "encoder":
        st.caption(
            ":material/info: Others read vectors of sentences: choose the distance cosine, euclidean or manhattan."
        )


def beside(result: Comparison) -> pd.DataFrame:
    """The baselines that could be computed: a row each, with similarity, distance and what it counts."""
    rows = [
        (name, score.sim, score.rho_base, BASELINES[name].note)
        for name, score in result.baselines.items()
        if isinstance(score, BaselineScore)
    ]
    return pd.DataFrame(rows, columns=["Measure", *BESIDE_HELP, "What it counts"])


def _notice(notice: str) -> None:
    """What a reader should know; with the button that does what it says, if one can."""
    st.warning(markdown_escaped(in_page_words(notice[:1].upper() + notice[1:])), icon="⚠️")
    other = notice.rpartition("; choose ")[2]
    if other in OTHERS:
        downloaded = "" if ENCODERS[other].bundled else "; it is downloaded on first use"
        st.button(
            f"Compare with {other}",
            key="change-encoder",
            on_click=st.session_state.update,
            args=({"encoder": other, ENCODER_KEPT: True},),
            help=f"An encoder that was trained on {ENCODERS[other].languages}{downloaded}.",
        )


def sentence(result: Comparison) -> str:
    """What happened, which change costs most, and how sure that is (Markdown)."""
    strong = "**{}**".format
    told = [what_happened(result, strong), dearest_change(result, strong, markdown_escaped)]
    if result.tted:
        told.append(_proof(result))
    return " ".join(filter(None, told))


def _proof(result: Comparison) -> str:
    order = result.method.order
    if result.choices:
        return f":orange-badge[with {len(result.choices)} of your choices]"
    if result.proven:
        return f"No {order} edit script costs less. :green-badge[✓ proven optimal]"
    gap = (
        f"within {percent_up(result.scores.gap)} of the optimum" if result.lower_bound > 0 else "no bound yet"
    )
    return (
        f"The best {order} script costs {result.lower_bound:.4f} or more: more time may find a cheaper "
        f"one. :orange-badge[{gap}]"
    )


def _score(label: str, value: str, told: str) -> None:
    st.metric(label, value, help=told, width="content")
