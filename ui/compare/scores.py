"""The head of the answer: a sentence, two numbers and the gauge in a row, and the other scores behind a button."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from tted_core import Comparison
from tted_core.baselines import BASELINES, BaselineScore
from tted_core.distances import DISTANCES
from tted_core.report.html_report import file_stem
from tted_core.report.words import percent_up, title_of, what_happened
from ui.compare.score_scale import gauge, nothing_kept
from ui.comparisons import SLOT, all_baselines
from ui.errors import show_errors
from ui.exports import table_exports
from ui.mapping.view import explained
from ui.options import take_preset
from ui.running import watched
from ui.text import in_page_words, markdown_escaped

LAYOUT = """
<style>
.st-key-answer-head [data-testid="stMetricValue"] { font-size: 1.35rem; line-height: 1.3; }
.st-key-headline > :first-child [data-testid="stMetricValue"] { font-size: 1.8rem; line-height: 1; }
.st-key-answer-head > :first-child p { font-size: 1.15rem; }
.st-key-new-maps [data-testid="stFileUploader"] { position: relative; }
.st-key-new-maps [data-testid="stFileUploader"] > label { position: absolute; z-index: 1; pointer-events: none;
  inset: 0 1rem 0 8rem; align-content: center; }
.st-key-new-maps [data-testid="stFileUploaderDropzone"] { padding-block: .25rem; min-height: 0; }
.st-key-new-maps [data-testid="stFileUploaderDropzoneInstructions"] { display: none; }
.st-key-map-cards summary p { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.st-key-map-cards summary :has(p) { min-width: 0; }
.st-key-several-map [role="radiogroup"] > label { border: 1px solid currentColor; border-radius: 1rem;
  padding: 0 .7rem 0 .3rem; }
.st-key-headline > [data-testid="stElementContainer"]:has([data-testid="stHtml"]) { flex: 1 1 18rem; }
.st-key-swap-maps { align-items: center; }
.st-key-compare-mapping { position: relative; }
.st-key-view-tools { margin-bottom: -.75rem; }
:has(> .st-key-compare-row:empty), :has(> .st-key-compare-table:empty) { display: none; }
.st-key-why[data-drawer] { position: absolute; z-index: 3; max-height: 72vh; overflow: auto;
  padding: .5rem .75rem; gap: .5rem; }
[data-testid="stPopoverBody"]:is(:has(.st-key-all-scores), :has(.st-key-gallery)) { min-width: min(48rem, 94vw); }
@media (min-width: 721px) {
  .st-key-compare-answer, .st-key-compare-mapping { margin-top: -.5rem; }
}
@media (max-width: 720px) {
  :has(> .st-key-compare-inputs):not(:has(.st-key-map-cards details[open])) { order: 1; }
  :has(> .st-key-compare-mapping), :has(> .st-key-compare-tabs) { order: 2; }
}
</style>
"""
"""The style of the whole page; on a phone the answer is above the inputs, unless a card is open."""

NORMALIZED = (
    "TTED made comparable between maps of different sizes: 0 for equal maps; {:.2f} for these two if no "
    "sentence were kept. ↓ Lower = more alike. 2d / (w_max (n + m) + d), with w_max the largest cost of "
    "deleting or inserting a node, as in the published code; with a power p, the p-th roots of n and m."
)

HELP = {
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


def scores(result: Comparison) -> None:
    """Draw the head of the answer."""
    with st.container(key="answer-head", gap="xsmall"):
        st.markdown(what_happened(explained(result), "**{}**".format))
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="headline"):
            _score("Normalized distance ↓", f"{result.normalized:.3f}")
            _score("TTED ↓", f"{result.tted:.4f}")
            st.html(gauge(result))
            with st.container(width="content"):  # a fragment would take the row's width
                _more_scores(result)


def view_notes(result: Comparison) -> None:
    """Draw whether the script is proven optimal, and a button for another preset that may show more."""
    st.markdown(_proof(result), width="content")
    for hint in result.hints:
        if st.button(
            "Near maps: use Proofreading",
            key="take-proofreading",
            on_click=take_preset,
            args=("proofreading",),
            type="tertiary",
            icon=":material/info:",
            help=f"{hint[:1].upper()}{hint[1:]}.",
        ):
            st.rerun()  # the whole page: the button stands in a fragment, the setting doesn't


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
def _more_scores(result: Comparison) -> None:
    """Draw the button, and the scores once it is open."""
    popover = st.popover("All scores", key="more-scores", on_change="rerun")
    if popover.open:
        with popover, st.container(key="all-scores"), show_errors():
            found = watched(
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
        _score("Normalized", f"{result.normalized:.4f}", normalized_help)
        _score("TTED", f"{result.tted:.4f}", HELP["TTED"])
        _score("Steinhaus", f"{result.steinhaus:.3f}", HELP["Steinhaus"])
        _score("AvgTTED", f"{result.avg_tted:.3f}", HELP["AvgTTED"])
        st.html(_depth_chart(result.tted_at), width="content")
    st.markdown("**Similarities**: higher = more alike")
    with st.container(horizontal=True, gap="medium"):
        _score("Coverage", f"{explained(result).matching.shares(result.costs)[0]:.0%}", HELP["Coverage"])
        rouge = result.baselines.get("rouge_sim")
        if isinstance(rouge, BaselineScore):
            most = max(rouge.sim_left, rouge.sim_right)
            help_text = (
                f"{BASELINES['rouge_sim'].note} The second number: the larger map compared with itself."
            )
            _score("ROUGE Sim", f"{rouge.sim:.1f} of {most:.1f}", help_text)
    st.markdown("**Other measures**, for comparison")
    st.caption(BESIDE)
    table = beside(result)
    st.table(table.style.format("{:.3f}", subset=["Similarity", "Distance"]), hide_index=True)
    table_exports(table, "measures-of-others", f"{file_stem(result)}-measures")
    for name, none in result.baselines.items():
        if not isinstance(none, BaselineScore):
            st.caption(f":material/info: {name} not computed: {markdown_escaped(in_page_words(str(none)))}")


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
        (title_of(name), score.sim, score.rho_base, BASELINES[name].note)
        for name, score in result.baselines.items()
        if isinstance(score, BaselineScore)
    ]
    return pd.DataFrame(rows, columns=["Measure", "Similarity", "Distance", "What it counts"])


def _proof(result: Comparison) -> str:
    order = result.method.order
    if result.choices:
        return f":orange-badge[with {len(result.choices)} of your choices]"
    if result.proven:
        return ":green-badge[✓ Best possible alignment under these rules]"
    gap = f"within {percent_up(result.excess)} of the optimum" if result.lower_bound > 0 else "no bound yet"
    return (
        f":orange-badge[{gap}] The best {order} script costs {result.lower_bound:.4f} or more: more time may find "
        "a cheaper one."
    )


def _score(label: str, value: str, help_text: str | None = None) -> None:
    st.metric(label, value, help=help_text, width="content")
