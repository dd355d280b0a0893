"""The answer to two maps: options, comparison and mapping, three of the five steps of a run of the page."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tted_core import Comparison, MindMap, TTEDError
from tted_core.errors import Interrupted, OptionsError
from tted_core.method import Method
from ui.compare.choices import with_choices
from ui.compare.head import BEFORE_CHANGE, draw_changed_options, headline
from ui.compare.receipt import with_doubts
from ui.compare.remarks import check_replay, choose_encoder, remarks
from ui.compare.why import why_panel
from ui.comparisons import SLOT, compared
from ui.errors import show_error, show_errors
from ui.map_source import Given
from ui.mapping.view import mapping_view
from ui.options import option_buttons
from ui.running import NotYet, forget
from ui.text import markdown_escaped

LAST_ANSWER = "last-comparison"
"""The session key of the last two maps that were compared, and their comparison."""

GREYED = """
<style>
.st-key-answer-head, .st-key-compare-mapping, .st-key-compare-tabs { opacity: .5; filter: grayscale(1); }
</style>
"""
"""The style of an answer under other options than the current ones."""


@dataclass(frozen=True)
class Answer:
    """The comparison on screen.

    Attributes:
        left: the map as read, not trimmed to a depth.
        right: the other one, likewise.
        method: the options of the comparison.
        result: the comparison under the user's choices.
        shown: the same, with notes on operations that have close alternatives.
        free: the comparison without the user's choices.
    """

    left: MindMap
    right: MindMap
    method: Method
    result: Comparison
    shown: Comparison
    free: Comparison


def choose_options(left: Given | None, right: Given | None) -> Method | OptionsError:
    """Draw the options; return the error instead if they contradict each other."""
    choose_encoder(left.shown if left else None, right.shown if right else None)
    try:
        return option_buttons()
    except OptionsError as error:
        return error


def answer_to(left: MindMap, right: MindMap, options: Method | OptionsError) -> Answer:
    """Compare the maps, and list the user's choices; if that fails, show the reason and the last answer, greyed.

    Raises:
        TTEDError: the reason, where these maps have no last comparison or the user stopped it.
    """
    try:
        if isinstance(options, OptionsError):
            raise options
        free = compared(left, right, options)
        _remember((left, right), free)
    except NotYet:
        if "more" in st.session_state:  # else Streamlit forgets the open tab, which isn't drawn meanwhile
            st.session_state["more"] = st.session_state["more"]
        raise
    except Interrupted:
        raise
    except TTEDError as error:
        free = _last_answer(left, right, error)
    result = with_choices(free)
    return Answer(left, right, free.method, result, with_doubts(result), free)


def _remember(maps: tuple[MindMap, MindMap], free: Comparison) -> None:
    """Keep the comparison, and the number before the last change of options."""
    last_maps, last = st.session_state.get(LAST_ANSWER, (None, None))
    if last_maps != maps:
        st.session_state.pop(BEFORE_CHANGE, None)
    elif last.method != free.method:
        st.session_state[BEFORE_CHANGE] = last.normalized, last.method
    st.session_state[LAST_ANSWER] = maps, free


def _last_answer(left: MindMap, right: MindMap, error: TTEDError) -> Comparison:
    maps, last = st.session_state.get(LAST_ANSWER, (None, None))
    if maps != (left, right) or not isinstance(last, Comparison):
        raise error
    show_error(error)
    setting = f"{last.method.model or last.method.distance}, context {last.method.context}"
    st.caption(f"Below, greyed: the last result for these maps ({markdown_escaped(setting)}).")
    st.html(GREYED)
    return last


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
        st.button("Search again", on_click=forget, args=(SLOT, (left, right, answer.method)))
    with mapping:
        _mapping(answer.shown, answer.free)


@st.fragment
def _mapping(shown: Comparison, free: Comparison) -> None:
    """Draw the mapping and the panel that explains a pair; a click on a node runs this part alone."""
    with show_errors():
        mapping_view(shown, free)
        why_panel(shown)
