"""Comparing two maps as the sidebar says: watched, stopped, and the last comparisons kept."""

from dataclasses import asdict
from functools import partial
from typing import Any

import streamlit as st

from tted_core import BASELINES, MASKED_DISTANCES, Comparison, MindMap, compare
from ui import cache
from ui.options import Choice
from ui.running import Progress, ShouldStop, forget, watched

KEPT = 12
"""Comparisons kept per visitor."""

SLOT = "comparison"


def compared(left: MindMap, right: MindMap, choice: Choice) -> Comparison:
    """The comparison of the two maps, from the session if it was made before.

    Raises:
        TTEDError: whatever the core says of the input; ``Interrupted`` if it was stopped before a result.
    """
    return watched(
        SLOT,
        (left, right, choice),
        partial(_compare, left, right, choice),
        stop_help="Keeps the best edit script found so far, if there is one.",
        kept=KEPT,
    )


def offer_another_search(left: MindMap, right: MindMap, choice: Choice) -> None:
    """A button below a result that is not proven: a search that was stopped can be made again."""
    st.button("Search again", on_click=forget, args=(SLOT, (left, right, choice)))


def loaded(choice: Choice, progress: Progress) -> dict[str, Any]:
    """The choice as ``compare`` takes it, with the models that it names.

    Raises:
        TTEDError: a model can't be had.
    """
    options = {**asdict(choice), "encoder": cache.encoder(choice.encoder)}
    if choice.distance in MASKED_DISTANCES:
        progress("Loading the masked model", 0.0)
        options["masked_model"] = cache.masked_model(choice.masked_model)
    return options


def _compare(
    left: MindMap, right: MindMap, choice: Choice, progress: Progress, should_stop: ShouldStop
) -> Comparison:
    return compare(
        left,
        right,
        **loaded(choice, progress),
        baselines=BASELINES,
        progress=progress,
        should_stop=should_stop,
    )
