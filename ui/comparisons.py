"""Compare two maps under the sidebar's options: with progress, a stop button and shared results."""

from dataclasses import replace
from functools import partial

import streamlit as st

from tted_core import Comparison, MindMap, TextTree, TTEDError
from tted_core.baselines import USUAL, BaselineScore, readable_baselines
from tted_core.compare import compare_maps, computed_baselines, read_texts, trimmed
from tted_core.encoders.embedding_cache import default_cache
from tted_core.errors import EncoderError, Interrupted
from tted_core.foundations.monitor import Monitor
from tted_core.method import Method
from ui.errors import show_error
from ui.model_choice import failed_encoders
from ui.models import models
from ui.options import inputs_of
from ui.permalink import bring
from ui.running import NotYet, forget, watched
from ui.sides import SIDES, empty_values
from ui.text import markdown_escaped

SLOT = "comparison"

LAST = "last-comparison"
"""Session key of the last two maps that were compared, and their comparison."""


def compared(left: MindMap, right: MindMap, options: Method) -> Comparison:
    """Compare the two maps.

    Raises:
        TTEDError: as ``compare_maps``; ``Interrupted`` if it was stopped before a result.
    """
    return watched(
        SLOT,
        (left, right, options),
        partial(_compare, left, right, options),
        stop_help="Keeps the best edit script found so far, if there is one.",
        before=partial(_encode, left, right, options),
        shared=True,
        keeps=lambda result: result.proven,  # another search may find more
    )


def _compare(left: MindMap, right: MindMap, options: Method, monitor: Monitor) -> Comparison:
    result = compare_maps(left, right, options, models(), baselines=USUAL, monitor=monitor)
    result.solve_depths(monitor)
    return result


def _encode(left: MindMap, right: MindMap, options: Method, monitor: Monitor) -> None:
    """Encode the texts, in one batch with those of other users, and cache the vectors."""
    if options.record.reads == "encoder" and default_cache() is not None:
        sides = (trimmed(left, options.depth, "left"), trimmed(right, options.depth, "right"))
        read_texts(sides[0].tree, sides[1].tree, options, models(), monitor)


def compared_or_last(left: MindMap, right: MindMap, options: Method) -> tuple[Comparison, bool]:
    """The comparison and False; if it fails, the last comparison of the same two maps and True.

    Raises:
        TTEDError: as ``compared``, where these maps have no last comparison or the user stopped it.
    """
    try:
        result = compared(left, right, options)
    except NotYet:
        if "more" in st.session_state:  # else Streamlit forgets the open tab, which isn't drawn meanwhile
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


def all_baselines(result: Comparison, monitor: Monitor) -> dict[str, BaselineScore | TTEDError]:
    """The scores of all baselines that apply to a comparison.

    Raises:
        TTEDError: as ``computed_baselines``.
    """
    names = readable_baselines(result.method.record.reads)
    trees = result.left.tree, result.right.tree
    return computed_baselines(*trees, result.method, names, models(), monitor=monitor)


def with_all_baselines(result: Comparison) -> Comparison:
    """The comparison with the scores of all baselines that apply to it.

    Raises:
        TTEDError: as ``compare_maps``; ``Interrupted`` if it was stopped.
    """
    found = watched(
        f"{SLOT}/baselines",
        (result.left, result.right, result.method),
        partial(all_baselines, result),
        stop_help="No other measures are shown then.",
        shared=True,
    )
    return replace(result, baselines=found)


def last_answer(left: MindMap, right: MindMap, error: TTEDError) -> Comparison:
    """Show why there is no new comparison, and return the last one of the same two maps.

    Raises:
        TTEDError: the reason, where these maps have no last comparison.
    """
    maps, last = st.session_state.get(LAST, (None, None))
    if maps != (left, right) or not isinstance(last, Comparison):
        raise error
    show_error(error)
    setting = f"{last.method.model or last.method.distance}, context {last.method.context}"
    st.caption(f"Below, greyed: the last result for these maps ({markdown_escaped(setting)}).")
    return last


def offer_another_search(left: MindMap, right: MindMap, options: Method) -> None:
    """Draw a button below an unproven result that starts the search again."""
    st.button("Search again", on_click=forget, args=(SLOT, (left, right, options)))


def compare_button(left: TextTree, right: TextTree, method: Method, key: str) -> None:
    """Draw a button that opens these maps on the Compare page under the same setting."""
    if st.button(
        "Open in Compare",
        key=f"to-compare-{key}",
        icon=":material/compare_arrows:",
        help="The same maps, the same setting.",
    ):
        values = inputs_of(method)
        for side, tree in zip(SIDES, (left, right), strict=True):
            lines = zip(tree.depths, tree.labels, strict=True)
            pasted = "\n".join(f"{'  ' * (depth - 1)}{label}" for depth, label in lines)
            values |= empty_values(side, "Paste") | {side.state("text"): pasted}
        bring("Compare", values)
        st.switch_page("pages/Compare.py")
