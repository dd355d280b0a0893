"""Compare two maps under the sidebar's options, here or on the Compare page; results are shared by all users."""

import gc
import threading
from functools import partial

import streamlit as st

from tted_core import Comparison, MindMap, TextTree, TTEDError
from tted_core.baselines import DEFAULT_BASELINES, SCALES, BaselineScore, readable_baselines
from tted_core.compare import compare_maps, compute_baselines, prepare_exactly, with_depths
from tted_core.encoders.embedding_cache import default_cache
from tted_core.foundations.child import start_children
from tted_core.foundations.monitor import Monitor
from tted_core.method import Method
from tted_core.warm_up import warm_up_in_background
from tted_core.words.languages import languages_of
from ui.map_source import Given
from ui.models import fresh_encoder, models
from ui.options import inputs_of
from ui.permalink import bring
from ui.running import run_watched

SLOT = "comparison"


def compare_watched(left: MindMap, right: MindMap, options: Method) -> Comparison:
    """Compare the two maps.

    Raises:
        TTEDError: as ``compare_maps``; ``Interrupted`` if it was stopped before a result.
    """
    return run_watched(
        SLOT,
        (left, right, options),
        partial(_compare, left, right, options),
        stop_help="Keeps the best edit script found so far, if there is one.",
        before=partial(_encode, left, right, options),
        shared=True,
        keeps=lambda result: result.proven,  # another search may find more
    )


def _compare(left: MindMap, right: MindMap, options: Method, monitor: Monitor) -> Comparison:
    readable = readable_baselines(options.record.reads)
    names = [name for name in (*DEFAULT_BASELINES, *SCALES) if name in readable]
    result = compare_maps(left, right, options, models(), baselines=names, monitor=monitor)
    return with_depths(result, monitor)


def _encode(left: MindMap, right: MindMap, options: Method, monitor: Monitor) -> None:
    """Encode the texts, in one batch with those of other users, and cache the vectors."""
    if options.record.reads == "encoder" and default_cache() is not None:
        prepare_exactly([("the left map", left), ("the right map", right)], options, models(), monitor)


def all_baselines(result: Comparison, monitor: Monitor) -> dict[str, BaselineScore | TTEDError]:
    """The scores of all baselines that apply to a comparison.

    Raises:
        TTEDError: as ``compute_baselines``.
    """
    return compute_baselines(result, readable_baselines(result.method.record.reads), models(), monitor)


def open_in_compare(left: MindMap, right: MindMap, method: Method) -> None:
    """Go to the Compare page with these maps, as they are, under this setting.

    Raises:
        UnknownNameError: the page doesn't offer the method's model.
    """
    maps = {"left": Given((left,)), "right": Given((right,))}
    bring("Compare", inputs_of(method) | maps)
    st.switch_page("pages/Compare.py")


def draw_open_button(left: MindMap | TextTree, right: MindMap | TextTree, method: Method, key: str) -> None:
    """Draw a button for ``open_in_compare``."""
    if st.button(
        "Open in Compare",
        key=f"to-compare-{key}",
        icon=":material/compare_arrows:",
        help="The same maps, the same setting.",
    ):
        left, right = (each if isinstance(each, MindMap) else MindMap(each, "tree") for each in (left, right))
        open_in_compare(left, right, method)


@st.cache_resource(show_spinner=False)
def start_warming_up() -> None:
    """Load the encoder and the language detector in the background, once per server."""
    start_children(2)

    def prepare() -> None:
        languages_of(["Озеро"])  # else the first uploaded maps wait half a second for it
        warm_up_in_background()
        fresh_encoder("minilm")([""])
        gc.freeze()  # else Python searches the models' 600,000 objects for garbage again and again

    # No daemon: Python must wait for PyTorch to load before it ends.
    threading.Thread(target=prepare, name="warm-up").start()
