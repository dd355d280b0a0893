"""The answer to two maps: the comparison, and its drawing as head and mapping."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tted_core import Comparison, MindMap
from tted_core.method import Method
from ui.compare.choices import with_choices
from ui.compare.head import LAST_ANSWERS, draw_changed_options, headline
from ui.compare.receipt import with_doubts
from ui.compare.remarks import check_replay, remarks
from ui.compare.why import why_panel
from ui.comparisons import SLOT, compare_watched
from ui.errors import show_errors
from ui.mapping.view import mapping_view
from ui.options import ENCODER_KEPT, default_inputs
from ui.running import forget


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
    inputs = {
        key: st.session_state.get(key, value)
        for key, value in {**default_inputs(), ENCODER_KEPT: False}.items()
    }
    st.session_state[LAST_ANSWERS] = [*others, ((left, right), free, inputs)][-2:]
    result = with_choices(free)
    return Answer(left, right, result, with_doubts(result), free)


def draw_answer(answer: Answer, options: DeltaGenerator, mapping: DeltaGenerator) -> None:
    """Draw the head with what should be known about it, and the rest of the options and the mapping.

    Args:
        answer: what to draw.
        options: the container with the options' buttons.
        mapping: the container of the mapping.
    """
    left, right, result = answer.left, answer.right, answer.result
    check_replay(result)
    headline(result, answer.free)
    with options:
        draw_changed_options(result)
    remarks(left, right, result)
    if not result.proven:
        st.button("Search again", on_click=forget, args=(SLOT, (left, right, answer.free.method)))
    with mapping:
        _mapping(answer.shown, answer.free)


@st.fragment
def _mapping(shown: Comparison, free: Comparison) -> None:
    """Draw the mapping and the panel that explains a pair; a click on a node runs this part alone."""
    with show_errors():
        mapping_view(shown, free)
        why_panel(shown)
