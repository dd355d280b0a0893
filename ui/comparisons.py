"""Comparing two maps as the sidebar says: watched, stopped, and the last comparisons kept."""

from dataclasses import replace
from functools import partial

import streamlit as st

from tted_core import Comparison, MindMap, TTEDError
from tted_core.baselines import USUAL
from tted_core.errors import EncoderError, Interrupted
from tted_core.method import Method
from ui import comparing
from ui.errors import show_error
from ui.options import failed_encoders
from ui.running import NotYet, forget, watched
from ui.text import markdown_escaped

KEPT = 12
"""Comparisons kept per visitor."""

SLOT = "comparison"

LAST = "last-comparison"
"""In the session: the last two maps that were compared, and how that came out."""


def compared(left: MindMap, right: MindMap, options: Method) -> Comparison:
    """The comparison of the two maps, from the session if it was made before.

    Raises:
        TTEDError: whatever the core says of the input; ``Interrupted`` if it was stopped before a result.
    """
    return watched(
        SLOT,
        (left, right, options),
        partial(comparing.compare, left, right, options, USUAL),
        stop_help="Keeps the best edit script found so far, if there is one.",
        kept=KEPT,
        before=partial(comparing.encode, left, right, options),
        shared=True,
        keeps=comparing.is_proven,
    )


def compared_or_last(left: MindMap, right: MindMap, options: Method) -> tuple[Comparison, bool]:
    """The comparison; if it fails, the last one of the same two maps below the reason, and whether it is that one.

    Raises:
        TTEDError: as ``compared``, where these maps have no last comparison or the visitor stopped it.
    """
    try:
        result = compared(left, right, options)
    except NotYet:
        if "more" in st.session_state:  # Streamlit would forget the open tab, as it isn't drawn meanwhile
            st.session_state["more"] = st.session_state["more"]
        raise
    except Interrupted:
        raise
    except TTEDError as error:
        if isinstance(error, EncoderError) and options.model == options.encoder:
            failed_encoders().add(options.encoder)
        return last_answer(left, right, error), True
    st.session_state[LAST] = (left, right), result
    return result, False


def with_all_baselines(result: Comparison) -> Comparison:
    """The comparison with every baseline that can stand beside it.

    Raises:
        TTEDError: as ``compare_maps``; ``Interrupted`` if it was stopped.
    """
    found = watched(
        f"{SLOT}/baselines",
        (result.left, result.right, result.method),
        partial(comparing.baselines, result),
        stop_help="No other measures are shown then.",
        shared=True,
    )
    return replace(result, baselines=found)


def last_answer(left: MindMap, right: MindMap, error: TTEDError) -> Comparison:
    """The last comparison of the same two maps, below the reason why there is no new one.

    Raises:
        TTEDError: the reason, where these maps have no last comparison.
    """
    maps, last = st.session_state.get(LAST, (None, None))
    if maps != (left, right) or not isinstance(last, Comparison):
        raise error
    show_error(error)
    told = f"{last.method.model or last.method.distance}, context {last.method.context}"
    st.caption(f"Below, greyed: the last answer for these maps ({markdown_escaped(told)}).")
    return last


def offer_another_search(left: MindMap, right: MindMap, options: Method) -> None:
    """A button below a result that is not proven: a search that was stopped can be made again."""
    st.button("Search again", on_click=forget, args=(SLOT, (left, right, options)))
