"""Compare two maps under the sidebar's options: with progress, a stop button and shared results."""

from functools import partial

import streamlit as st

from tted_core import Comparison, MindMap, TextTree, TTEDError
from tted_core.baselines import USUAL, BaselineScore, readable_baselines
from tted_core.compare import compare_maps, computed_baselines, prepare_exactly, with_depths
from tted_core.encoders.embedding_cache import default_cache
from tted_core.foundations.monitor import Monitor
from tted_core.method import Method
from ui.models import models
from ui.options import inputs_of
from ui.permalink import bring
from ui.running import watched
from ui.sides import SIDES, empty_values

SLOT = "comparison"


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
    return with_depths(result, monitor)


def _encode(left: MindMap, right: MindMap, options: Method, monitor: Monitor) -> None:
    """Encode the texts, in one batch with those of other users, and cache the vectors."""
    if options.record.reads == "encoder" and default_cache() is not None:
        prepare_exactly([("the left map", left), ("the right map", right)], options, models(), monitor)


def all_baselines(result: Comparison, monitor: Monitor) -> dict[str, BaselineScore | TTEDError]:
    """The scores of all baselines that apply to a comparison.

    Raises:
        TTEDError: as ``computed_baselines``.
    """
    names = readable_baselines(result.method.record.reads)
    return computed_baselines(result, names, models(), monitor)


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
