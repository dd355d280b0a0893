"""The answer to two maps: the comparison, its head with numbers, options and remarks, and its mapping."""

from dataclasses import dataclass, replace
from functools import lru_cache, partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tted_core import Comparison, MindMap
from tted_core.distances import DISTANCES
from tted_core.encoders.sentence_encoder import ENCODERS, TRAINED_ON
from tted_core.errors import Suggestion
from tted_core.explain.what_if import Doubts, add_notes, doubts
from tted_core.method import Method
from tted_core.notices import OTHERS, language_notice
from tted_core.report.html_report import report_part
from tted_core.report.readings import ComparisonReading
from tted_core.report.replay import Replay, find_differences
from tted_core.report.wording import what_happened
from tted_core.words.languages import NAMES, languages_of
from ui.compare.what_if import draw_choices, draw_why, with_choices
from ui.comparisons import SLOT, all_baselines, compare_watched
from ui.mapping.view import draw_mapping, explain_comparison, open_reading, select
from ui.model_choice import availability
from ui.options import ENCODER_KEPT, default_inputs, is_reset, preset_inputs
from ui.page import show_errors
from ui.running import forget, run_watched
from ui.scales import describe_similarity, gauge
from ui.text import html_escaped, markdown_escaped, shorten

MOST_CHECKED = 3_000_000  # operations times pairs of nodes that are checked: up to half a second

# The session key of the comparison on screen, without the user's choices, after the one before the last
# change of options; each with its two maps.
LAST_ANSWERS = "last-answers"

# Sentences with changed claims that the headline names, and characters of each.
CLAIMS_NAMED, CLAIM_CHARACTERS = 3, 60

# The encoder to begin with, and the one for the languages that it doesn't know.
DEFAULT, MULTILINGUAL = Method.encoder, OTHERS[0]


@dataclass(frozen=True)
class Answer:
    """The comparison on screen.

    Attributes:
        left: the map as read, not trimmed to a depth.
        right: the other one, likewise.
        result: the comparison under the user's choices.
        shown: the same, with notes on operations that have close alternatives.
        free: the comparison without the user's choices.
    """

    left: MindMap
    right: MindMap
    result: Comparison
    shown: Comparison
    free: Comparison


def answer_to(left: MindMap, right: MindMap, options: Method) -> Answer:
    """Compare the maps, at first freely and then under the user's choices.

    Raises:
        TTEDError: as ``compare_watched``.
    """
    if "more" in st.session_state:  # else Streamlit forgets the open tab in runs that don't draw it
        st.session_state["more"] = st.session_state["more"]
    free = compare_watched(left, right, options)
    others = (
        (maps, each, inputs)
        for maps, each, inputs in st.session_state.get(LAST_ANSWERS, ())
        if maps == (left, right) and each.method != free.method
    )
    inputs = {key: st.session_state.get(key, value) for key, value in default_inputs().items()}
    st.session_state[LAST_ANSWERS] = [*others, ((left, right), free, inputs)][-2:]
    result = with_choices(free)
    found = find_doubts(result)
    return Answer(left, right, result, result if found is None else add_notes(result, found), free)


def find_doubts(result: Comparison) -> Doubts | None:
    """The prices of alternatives to the operations; None where they take long."""
    work = len(result.script.ops) * len(result.left.tree) * len(result.right.tree)
    if result.method.order == "unordered" or work > MOST_CHECKED:
        return None
    return run_watched(
        "comparison/doubt",
        result.signature,
        lambda monitor: doubts(result, monitor=monitor),
        stop_help="Keeps what was checked so far; the most costly replacements come first.",
        shared=True,
        keeps=lambda found: found.complete,
    )


def draw_answer(answer: Answer, options: DeltaGenerator, mapping: DeltaGenerator) -> None:
    """Draw the head with what should be known about it, and the rest of the options and the mapping.

    Args:
        answer: what to draw.
        options: the container with the options' buttons.
        mapping: the container of the mapping.
    """
    left, right, result = answer.left, answer.right, answer.result
    check_replay(result)
    draw_head(result, answer.free)
    with options:
        draw_changed_options(result)
    draw_remarks(left, right, result)
    if not result.proven:
        st.button("Search again", on_click=forget, args=(SLOT, (left, right, answer.free.method)))
    with mapping:
        _mapping(answer.shown, answer.free)


@st.fragment
def _mapping(shown: Comparison, free: Comparison) -> None:
    """Draw the mapping and the panel that explains a pair; a click on a node runs this part alone."""
    with show_errors():
        draw_mapping(shown, free)
        draw_why(shown)


def draw_head(result: Comparison, free: Comparison) -> None:
    """Draw the numbers, the sentence in the language of the open reading, and the scale."""
    with (
        st.container(key="answer-head", gap="xsmall"),
        st.container(horizontal=True, vertical_alignment="center", gap="small", key="headline"),
    ):
        st.metric("Normalized distance ↓", f"{result.normalized:.3f}", width="content")
        st.metric("TTED ↓", f"{result.tted:.4f}", width="content")
        with st.container(key="sentence", gap=None):
            reading = open_reading(result)
            _draw_claims(reading)
            words = reading.summary if result.tted else what_happened(explain_comparison(result))
            st.html(f"<p>{html_escaped(words)}</p>")
            if scales := describe_similarity(result.baselines):
                st.html(scales)
            draw_choices(result, free)
        st.html(f'<div class="scale">{gauge(result)}</div>')


def _draw_claims(reading: ComparisonReading) -> None:
    """Draw a button for each of the first claims that may have changed, which leads to its line."""
    flagged = [line for line in reading.lines if line.flags]
    if not flagged:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="claims"):
        for each in flagged[:CLAIMS_NAMED]:
            words = shorten("; ".join(flag.words for flag in each.flags), CLAIM_CHARACTERS)
            st.button(
                f"! {markdown_escaped(words)}",
                key=f"claim-{each.number}",
                type="tertiary",
                on_click=select,
                args=[node and node.index for node in each.nodes],
                help="Shows this sentence in the maps.",
            )
        if len(flagged) > CLAIMS_NAMED:
            st.markdown(f"and {len(flagged) - CLAIMS_NAMED} more", width="content")


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
            args=(default_inputs(),),
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
        draw_scores(result)


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
def draw_scores(result: Comparison) -> None:
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
            shown = replace(explain_comparison(result), comparison=replace(result, baselines=found))
            st.html(report_part("scores", shown))


def draw_remarks(left: MindMap, right: MindMap, result: Comparison) -> None:
    """Draw the remarks on a comparison, with buttons for other encoders; the maps are as read."""
    if result.method.model == MULTILINGUAL and (languages := unknown_to_default(left, right)):
        with st.container(horizontal=True, vertical_alignment="center", key="encoder-by-language-line"):
            st.markdown(
                f"These texts are in {' and '.join(NAMES[each] for each in languages)}, which {DEFAULT} doesn't "
                f"know; they are compared with **{MULTILINGUAL}**.",
                width="content",
            )
            st.button(
                f"Use {DEFAULT}",
                key="encoder-back",
                type="tertiary",
                on_click=st.session_state.update,
                args=({"encoder": DEFAULT, ENCODER_KEPT: True},),
                help=f"{ENCODERS[DEFAULT].title} was trained on {ENCODERS[DEFAULT].languages} only.",
            )
    for notice in result.notices:
        st.warning(markdown_escaped(notice[:1].upper() + notice[1:]), icon=":material/warning:")
        parts = getattr(notice, "parts", ())
        for other in {part for part in parts if isinstance(part, Suggestion)}.intersection(OTHERS):
            st.button(
                f"Compare with {other}",
                key="change-encoder",
                on_click=st.session_state.update,
                args=({"encoder": other, ENCODER_KEPT: True},),
                help=f"An encoder that was trained on {ENCODERS[other].languages}; {availability(other)}.",
            )


def encoder_by_language(left: MindMap, right: MindMap) -> str | None:
    """The encoder for languages that the default doesn't know; None unless the encoder was left at the default."""
    state = st.session_state
    is_chosen = state.get(ENCODER_KEPT) or state.get("encoder", DEFAULT) != DEFAULT
    distance = DISTANCES.get(state.get("distance", Method.distance))  # a client may send any name
    by_vectors = distance is not None and distance.reads == "encoder"
    return MULTILINGUAL if by_vectors and not is_chosen and unknown_to_default(left, right) else None


@lru_cache(maxsize=64)
def unknown_to_default(left: MindMap, right: MindMap) -> tuple[str, ...]:
    """The maps' languages that the default encoder doesn't know, if the other one knows them all."""
    texts = (*left.tree.labels, *right.tree.labels)
    if not language_notice(DEFAULT, texts):
        return ()
    unknown = [each for each in languages_of(texts) if each not in TRAINED_ON[ENCODERS[DEFAULT].languages]]
    return tuple(unknown) if set(unknown) <= TRAINED_ON[ENCODERS[MULTILINGUAL].languages] else ()


def check_replay(result: Comparison) -> None:
    """After a replay file was opened, report whether the result equals the file's, until something changes."""
    replay: Replay | None = st.session_state.get("replayed")
    if replay is None:
        return
    if st.session_state.setdefault("replayed-as", result.signature) != result.signature:
        del st.session_state["replayed"]
    elif found := find_differences(replay, result):
        st.warning(
            markdown_escaped(f"The result is not the one in the replay file: {'; '.join(found)}."),
            icon=":material/warning:",
        )
    else:
        st.success(f"Restored from the replay file: same signature, same score (TTED {result.tted:.4f}).")
