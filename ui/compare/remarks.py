"""Remarks on the answer, most with a button: language, notices, a replay file's result."""

from functools import lru_cache

import streamlit as st

from tted_core import Comparison, MindMap
from tted_core.distances import DISTANCES
from tted_core.encoders.sentence_encoder import ENCODERS, TRAINED_ON
from tted_core.method import Method
from tted_core.notices import OTHERS, language_notice
from tted_core.report.replay import Replay, find_differences
from tted_core.words.languages import NAMES, languages_of
from ui.map_source import Given
from ui.model_choice import availability
from ui.options import ENCODER_KEPT
from ui.permalink import AUTOMATIC
from ui.text import markdown_escaped

DEFAULT, OTHER = Method.encoder, OTHERS[0]
"""The encoder to begin with, and the one for the languages that it doesn't know."""


def remarks(left: MindMap, right: MindMap, result: Comparison) -> None:
    """Draw the remarks on a comparison; the maps are as read."""
    if result.method.model == OTHER and (languages := _unknown_to_default(left, right)):
        _encoder_line(languages)
    for notice in result.notices:
        _notice(notice)


def choose_encoder(left: Given | None, right: Given | None) -> None:
    """Select the encoder for the maps' languages in the sidebar, unless the user or a link chose one.

    Call it before the sidebar is drawn.
    """
    state = st.session_state
    now = state.get("encoder", DEFAULT)
    free = now == DEFAULT or (now == OTHER and "encoder" in state.get(AUTOMATIC, ()))
    if state.get(ENCODER_KEPT):
        state[AUTOMATIC] = set()
        return
    if not left or not right or not free:
        return
    by_vectors = DISTANCES[state.get("distance", Method.distance)].reads == "encoder"
    wanted = OTHER if by_vectors and _unknown_to_default(left.shown, right.shown) else DEFAULT
    if wanted != now:
        state["encoder"] = wanted
    state[AUTOMATIC] = {"encoder"} if wanted == OTHER else set()


def _unknown_to_default(left: MindMap, right: MindMap) -> tuple[str, ...]:
    return _unknown((*left.tree.labels, *right.tree.labels))


@lru_cache(maxsize=64)
def _unknown(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The texts' languages that the default encoder doesn't know, if the other one knows them all."""
    if not language_notice(DEFAULT, texts):
        return ()
    unknown = [each for each in languages_of(texts) if each not in TRAINED_ON[ENCODERS[DEFAULT].languages]]
    return tuple(unknown) if set(unknown) <= TRAINED_ON[ENCODERS[OTHER].languages] else ()


def _encoder_line(languages: tuple[str, ...]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="encoder-by-language-line"):
        st.markdown(
            f"These texts are in {' and '.join(NAMES[each] for each in languages)}, which {DEFAULT} doesn't know; "
            f"they are compared with **{OTHER}**.",
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


def _notice(notice: str) -> None:
    """Draw a warning about the numbers, and a button for the encoder that it recommends."""
    st.warning(markdown_escaped(notice[:1].upper() + notice[1:]), icon=":material/warning:")
    other = notice.rpartition("; choose ")[2]
    if other in OTHERS:
        st.button(
            f"Compare with {other}",
            key="change-encoder",
            on_click=st.session_state.update,
            args=({"encoder": other, ENCODER_KEPT: True},),
            help=f"An encoder that was trained on {ENCODERS[other].languages}; {availability(other)}.",
        )


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
