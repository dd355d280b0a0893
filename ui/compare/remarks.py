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
from ui.model_choice import availability
from ui.options import ENCODER_KEPT
from ui.text import markdown_escaped

DEFAULT, OTHER = Method.encoder, OTHERS[0]
"""The encoder to begin with, and the one for the languages that it doesn't know."""


def remarks(left: MindMap, right: MindMap, result: Comparison) -> None:
    """Draw the remarks on a comparison, with buttons for other encoders; the maps are as read."""
    if result.method.model == OTHER and (languages := unknown_to_default(left, right)):
        with st.container(horizontal=True, vertical_alignment="center", key="encoder-by-language-line"):
            st.markdown(
                f"These texts are in {' and '.join(NAMES[each] for each in languages)}, which {DEFAULT} doesn't "
                f"know; they are compared with **{OTHER}**.",
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
        other = notice.rpartition("; choose ")[2]
        if other in OTHERS:
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
    return OTHER if by_vectors and not is_chosen and unknown_to_default(left, right) else None


def unknown_to_default(left: MindMap, right: MindMap) -> tuple[str, ...]:
    """The maps' languages that the default encoder doesn't know, if the other one knows them all."""
    return _unknown((*left.tree.labels, *right.tree.labels))


@lru_cache(maxsize=64)
def _unknown(texts: tuple[str, ...]) -> tuple[str, ...]:
    if not language_notice(DEFAULT, texts):
        return ()
    unknown = [each for each in languages_of(texts) if each not in TRAINED_ON[ENCODERS[DEFAULT].languages]]
    return tuple(unknown) if set(unknown) <= TRAINED_ON[ENCODERS[OTHER].languages] else ()


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
