"""The head of the page: the answer in a sentence with its numbers, the options in sight, and the page's style."""

import streamlit as st

from tted_core import Comparison
from tted_core.explanation import Explanation
from tted_core.report.words import what_happened
from ui.compare.choices import draw_choices
from ui.compare.score_scale import gauge
from ui.compare.scores import more_scores
from ui.mapping.selection import select
from ui.mapping.view import explain_comparison, open_reading
from ui.options import ENCODER_KEPT, default_inputs, is_reset, preset_inputs
from ui.scales import alike
from ui.text import html_escaped, markdown_escaped, shortened

COMPARE_STYLE = """
<style>
.stMainBlockContainer { padding: .6rem 1.25rem 2rem; }
[data-testid="stHeader"] { background: transparent; }
[data-testid="stHeader"], [data-testid="stHeader"] :not(button, button *) { pointer-events: none; }
[data-testid="stHeader"] button, [data-testid="stHeader"] button * { pointer-events: auto; }
[data-testid="stLayoutWrapper"]:has(> .st-key-page-title) { position: absolute; width: 1px; height: 1px;
  overflow: hidden; clip-path: inset(50%); }
.st-key-new-maps, .st-key-map-cards { padding-inline-end: 2.2rem; }
.st-key-answer-head [data-testid="stMetricValue"] { font-size: 1rem; line-height: 1.2; }
.st-key-headline > :first-child [data-testid="stMetricValue"] > * { font-size: 34px; line-height: .95; }
.scores { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 8px 24px; margin: 0;
  font-size: 13px; line-height: 1.4; }
.scores dt, .scores small, .measures small { opacity: .8; }
.scores dd { margin: 0; }
:is(.kinds, .receipt, .measures) { display: block; overflow-x: auto; font-size: 13px; border-collapse: collapse; }
:is(.kinds, .receipt, .measures) :is(td, th) { padding: 2px 14px 2px 0; text-align: start; border: 0; }
.receipt td:first-child { white-space: nowrap; }
:is(.kinds td, .receipt .figure, .measures .figure) { text-align: end; font-variant-numeric: tabular-nums; }
.st-key-answer-head [data-testid="stMetricLabel"] p { font-size: .7rem; }
.st-key-sentence p { font-size: 14px; line-height: 1.35; margin: 0; }
.st-key-choices-list [data-testid="stMarkdownContainer"] { margin: 0; }
.st-key-choices-list :is(button, [data-testid="stTooltipIcon"] *) { min-height: 0; height: 19px; padding: 0; }
.st-key-headline > [data-testid="stElementContainer"]:has(.scale) { flex: 0 1 21rem; }
.st-key-headline > [data-testid="stLayoutWrapper"]:has(.st-key-sentence) { flex: 1 1 24rem; }
.st-key-compare-setting button, .st-key-headline button, .st-key-map-cards button, .st-key-new-maps button {
  min-height: 28px; height: 28px; padding-block: 0; }
.st-key-headline .st-key-claims button { min-height: 22px; height: auto; padding: 0 6px; border-radius: 4px;
  background: light-dark(#1b1a18, #edebe8); }
.st-key-claims button p { color: light-dark(#ffffff, #0e1117); text-align: start; }
.st-key-claims button:hover p { text-decoration: underline; }
.st-key-compare-setting p { font-size: 13px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.st-key-compare-setting button * { min-width: 0; }
@media (min-width: 1200px) {
  .st-key-compare-setting { flex-wrap: nowrap; }
  .st-key-compare-setting > * { flex: none; }
  .st-key-compare-setting > :is(:nth-child(5), .st-key-take-proofreading) { flex: 0 1 auto; min-width: 6rem; }
}
.st-key-new-maps [data-testid="stFileUploader"] { position: relative; }
.st-key-new-maps [data-testid="stFileUploader"] > label { position: absolute; z-index: 1; pointer-events: none;
  inset: 0 1rem 0 8rem; align-content: center; }
.st-key-new-maps [data-testid="stFileUploaderDropzone"] { padding-block: 2px; min-height: 0; }
.st-key-new-maps [data-testid="stFileUploaderDropzoneInstructions"] { display: none; }
.st-key-map-cards [data-testid="stHorizontalBlock"]:not(:has(details[open])) { align-items: center; }
.st-key-map-cards summary { min-height: 30px; padding-block: 2px; }
.st-key-map-cards summary p { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 13px; }
.st-key-map-cards summary :has(p) { min-width: 0; }
.st-key-several-map [role="radiogroup"] > label { border: 1px solid currentColor; border-radius: 1rem;
  padding: 0 .7rem 0 .3rem; }
.st-key-swap-maps { align-items: center; }
.st-key-compare-mapping { position: relative; }
:has(> .st-key-compare-row:empty), :has(> .st-key-compare-table:empty) { display: none; }
.st-key-why { gap: .5rem; font-size: 13px; }
.st-key-why:not([data-drawer]) { display: none; }
.st-key-why[data-drawer="beside"] { position: absolute; z-index: 3; inset: 0 0 0 auto; width: 292px;
  overflow: auto; border-radius: 0; border-width: 0 0 0 1px; padding: 0 0 0 12px; }
.st-key-why[data-drawer="below"] { position: fixed; z-index: 99; inset: auto 0 0 0; width: auto; max-height: 60vh;
  overflow: auto; padding: .5rem .75rem; box-shadow: 0 -4px 16px rgb(0 0 0 / .25); }
.st-key-why :is(p, li, button p) { font-size: 13px; }
.st-key-why button { min-height: 28px; padding-block: 2px; }
[data-testid="stPopoverBody"]:is(:has(.st-key-all-scores), :has(.st-key-gallery)) { min-width: min(48rem, 94vw); }
.st-key-gallery p { font-size: 13px; margin: 0 0 .5rem; }
.st-key-gallery a { color: inherit; font-weight: 600; text-decoration: none; }
.st-key-gallery a:hover { text-decoration: underline; }
@media (max-width: 720px) {
  .stMainBlockContainer { padding-top: 3.4rem; }
  .st-key-new-maps [data-testid="stFileUploader"] > label p { font-size: 12px; line-height: 1.2; }
  .st-key-compare-setting p { white-space: normal; }
  :is(.st-key-map-cards, .st-key-new-maps) [data-testid="stHorizontalBlock"] { gap: 4px; }
  :has(> .st-key-compare-inputs):not(:has(.st-key-map-cards details[open])) { order: 1; }
  :has(> .st-key-compare-mapping), :has(> .st-key-compare-tabs) { order: 2; }
}
</style>
"""
"""The style of the whole page; on a phone the answer is above the inputs, unless a card is open."""

LAST_ANSWERS = "last-answers"
"""The session key of the comparison on screen, without the user's choices, after the one before the last change of
options; each with its two maps."""

CLAIMS, CLAIM_CHARACTERS = 3, 60
"""Sentences with changed claims that the headline names, and characters of each."""


def headline(result: Comparison, free: Comparison) -> None:
    """Draw the numbers, the sentence in the language of the open reading, and the scale."""
    with (
        st.container(key="answer-head", gap="xsmall"),
        st.container(horizontal=True, vertical_alignment="center", gap="small", key="headline"),
    ):
        st.metric("Normalized distance ↓", f"{result.normalized:.3f}", width="content")
        st.metric("TTED ↓", f"{result.tted:.4f}", width="content")
        explanation = explain_comparison(result)
        with st.container(key="sentence", gap=None):
            _draw_claims(explanation)
            words = open_reading(result).summary if result.tted else what_happened(explanation)
            st.html(f"<p>{html_escaped(words)}</p>")
            if scales := alike(result.baselines):
                st.html(scales)
            draw_choices(result, free)
        st.html(f'<div class="scale">{gauge(result)}</div>')


def _draw_claims(explanation: Explanation) -> None:
    """Draw a button for each of the first claims that may have changed, which leads to its sentence."""
    flagged = [each for each in explanation.sentences if each.flags]
    if not flagged:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="claims"):
        for each in flagged[:CLAIMS]:
            words = shortened("; ".join(flag.words for flag in each.flags), CLAIM_CHARACTERS)
            st.button(
                f"! {markdown_escaped(words)}",
                key=f"claim-{each.number}",
                type="tertiary",
                on_click=select,
                args=(each.record.source, each.record.target),
                help="Shows this sentence in the maps.",
            )
        if len(flagged) > CLAIMS:
            st.markdown(f"and {len(flagged) - CLAIMS} more", width="content")


def draw_changed_options(result: Comparison) -> None:
    """Draw how the last change of options changed the number, the ways back, and a preset that may show more."""
    put = st.session_state.update
    for _, before, inputs in st.session_state[LAST_ANSWERS][:-1]:
        st.markdown(f":blue[{before.normalized:.3f} → {result.normalized:.3f}]", width="content")
        st.button("Undo", key="undo-options", type="tertiary", on_click=put, args=(inputs,))
    if not is_reset():
        st.button(
            "Reset",
            type="tertiary",
            on_click=put,
            args=({**default_inputs(), ENCODER_KEPT: False},),
            key="reset-options",
            help="The paper's setting, with the encoder for the maps' language.",
        )
    for hint in result.hints:
        st.button(
            "Near maps: use Proofreading",
            key="take-proofreading",
            on_click=put,
            args=(preset_inputs("proofreading"),),
            type="tertiary",
            icon=":material/info:",
            help=f"{hint[:1].upper()}{hint[1:]}.",
        )
    with st.container(width="content"):  # a fragment would take the row's width
        more_scores(result)
