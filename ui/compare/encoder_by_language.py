"""The encoder for maps in a language that the default one doesn't know, and the sentence that says so."""

from functools import lru_cache

import streamlit as st

from tted_core import MindMap
from tted_core.distances import DISTANCES
from tted_core.encoders.sentence_encoder import ENCODERS, TRAINED_ON
from tted_core.method import Method
from tted_core.notices import OTHERS, language_notice
from tted_core.words.languages import NAMES, languages_of
from ui.options import ENCODER_KEPT
from ui.permalink import AUTOMATIC

DEFAULT, OTHER = Method.encoder, OTHERS[0]


def take_encoder(left: MindMap | None, right: MindMap | None) -> None:
    """Put the encoder that knows the maps' languages into the sidebar, unless the visitor or a link chose one.

    To be called before the sidebar is drawn.
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
    wanted = OTHER if by_vectors and _unknown_to_default(left, right) else DEFAULT
    if wanted != now:
        state["encoder"] = wanted
    state[AUTOMATIC] = {"encoder"} if wanted == OTHER else set()


def tell_encoder(left: MindMap, right: MindMap, method: Method) -> None:
    """Say that the maps are compared with the encoder for their languages, with a button for the default one."""
    languages = _unknown_to_default(left, right) if method.model == OTHER else ()
    if not languages:
        return
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


def _unknown_to_default(left: MindMap, right: MindMap) -> tuple[str, ...]:
    return _unknown((*left.tree.labels, *right.tree.labels))


@lru_cache(maxsize=64)
def _unknown(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The texts' languages that the default encoder doesn't know, if the other one knows them all."""
    if not language_notice(DEFAULT, texts):
        return ()
    unknown = [each for each in languages_of(texts) if each not in TRAINED_ON[ENCODERS[DEFAULT].languages]]
    return tuple(unknown) if set(unknown) <= TRAINED_ON[ENCODERS[OTHER].languages] else ()
