"""Remarks on the answer, most with a button: language, import differences, notices, a replay file's result."""

import re
from functools import lru_cache

import streamlit as st

from tted_core import Comparison, MindMap
from tted_core.distances import DISTANCES
from tted_core.encoders.sentence_encoder import ENCODERS, TRAINED_ON
from tted_core.method import Method
from tted_core.notices import OTHERS, language_notice
from tted_core.report.replay import Replay, differences
from tted_core.words.languages import NAMES, languages_of
from ui.compare.two_maps import nothing_given
from ui.model_choice import availability
from ui.options import ENCODER_KEPT
from ui.permalink import AUTOMATIC
from ui.sides import SIDES
from ui.text import in_page_words, markdown_escaped, shortened

DEFAULT, OTHER = Method.encoder, OTHERS[0]
"""The encoder to begin with, and the one for the languages that it doesn't know."""

MARKED = re.compile(r"(\*\*|__|`)(?=\S).+?(?<=\S)\1|</?(?:b|i|em|strong)>")
"""Marks of emphasis in a text that was read verbatim."""


def remarks(left: MindMap, right: MindMap, result: Comparison) -> None:
    """Draw the remarks on a comparison; the maps are as read."""
    if result.method.model == OTHER and (languages := _unknown_to_default(left, right)):
        _encoder_line(languages)
    if not nothing_given() and (difference := _reading_difference(left, right)):
        text, repair, values = difference
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="read-differently"):
            st.markdown(f":material/info: {markdown_escaped(text)}", width="content")
            st.button(
                markdown_escaped(repair), key="read-alike", on_click=st.session_state.update, args=(values,)
            )
    for notice in result.notices:
        _notice(notice)


def choose_encoder(left: MindMap | None, right: MindMap | None) -> None:
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
    wanted = OTHER if by_vectors and _unknown_to_default(left, right) else DEFAULT
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


def _reading_difference(left: MindMap, right: MindMap) -> tuple[str, str, dict[str, object]] | None:
    """A difference in reading that changes the distance: text, button and the values that repair it."""
    maps = dict(zip(SIDES, (left, right), strict=True))
    for side, other in (SIDES, SIDES[::-1]):
        mine, theirs, name = maps[side], maps[other], side.title.lower()
        if st.session_state.get(side.state("talk")) and not st.session_state.get(other.state("talk")):
            text = f"Text around the {name} is compared as nodes; text around the other map is not."
            return text, f"Leave it out of the {name}", {side.state("talk"): False}
        if mine.joined and not theirs.joined and mine.tree.labels[0] != theirs.tree.labels[0]:
            root = theirs.tree.labels[0]
            text = (
                f"The {name} has {mine.joined} roots, so a node was added above them, which costs like any other; "
                "the other map has a root of its own."
            )
            return text, f"Call it “{shortened(root, 40)}” too", {side.state("root"): root}
        if MARKED.search("\n".join(mine.tree.labels)) and not MARKED.search("\n".join(theirs.tree.labels)):
            text = (
                f"Texts of the {name} contain marks such as **, which change the distance; the other's don't."
            )
            return text, f"Remove the marks from the {name}", {side.state("unmarked"): True}
    return None


def _notice(notice: str) -> None:
    """Draw a warning about the numbers, and a button for the encoder that it recommends."""
    st.warning(markdown_escaped(in_page_words(notice[:1].upper() + notice[1:])), icon=":material/warning:")
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
    elif found := differences(replay, result):
        st.warning(
            markdown_escaped(f"The result is not the one in the replay file: {'; '.join(found)}."),
            icon=":material/warning:",
        )
    else:
        st.success(f"Restored from the replay file: same signature, same score (TTED {result.tted:.4f}).")
