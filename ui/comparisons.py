"""Comparing two maps as the sidebar says: watched, stopped, and the last comparisons kept."""

from dataclasses import asdict
from functools import partial
from typing import Any

import streamlit as st

from tted_core import DISTANCES, Comparison, MindMap, compare
from tted_core.baselines import readable_baselines
from tted_core.distances import Models
from tted_core.monitor import Monitor
from ui import cache
from ui.options import Options
from ui.running import forget, watched

KEPT = 12
"""Comparisons kept per visitor."""

SLOT = "comparison"


def compared(left: MindMap, right: MindMap, options: Options) -> Comparison:
    """The comparison of the two maps, from the session if it was made before.

    Raises:
        TTEDError: whatever the core says of the input; ``Interrupted`` if it was stopped before a result.
    """
    return watched(
        SLOT,
        (left, right, options),
        partial(_compare, left, right, options),
        stop_help="Keeps the best edit script found so far, if there is one.",
        kept=KEPT,
        in_server=needs_server(options.distance),
    )


def needs_server(*distances: str) -> bool:
    """Whether one of these reads a model of words or a masked one, which only the server loads."""
    return any(DISTANCES[name].reads in {"word vectors", "masked model"} for name in distances)


def offer_another_search(left: MindMap, right: MindMap, options: Options) -> None:
    """A button below a result that is not proven: a search that was stopped can be made again."""
    st.button("Search again", on_click=forget, args=(SLOT, (left, right, options)))


def loaded(options: Options, monitor: Monitor) -> dict[str, Any]:
    """The options as ``compare`` takes it, the distance with its model.

    Raises:
        TTEDError: a model can't be had.
    """
    monitor.stage("Loading the distance", 0.0)
    taken = asdict(options)
    models = models_of(taken.pop("encoder"), taken.pop("masked_model"))
    return {**taken, "distance": DISTANCES[options.distance].load(models)}


def models_of(encoder: str, masked_model: str) -> Models:
    """The models of these names, which are loaded once for all visitors when they are asked for."""
    return Models(encoder, masked_model, cache.encoder, cache.masked_model)


def _compare(left: MindMap, right: MindMap, options: Options, monitor: Monitor) -> Comparison:
    return compare(
        left,
        right,
        **loaded(options, monitor),
        baselines=readable_baselines(DISTANCES[options.distance].reads),
        monitor=monitor,
    )
