"""Similarity at three scales: a map and five others, each unlike it at another scale."""

import pandas as pd
import streamlit as st

from tted_core.baselines import SCALES, BaselineScore, baseline_scores
from tted_core.errors import TTEDError
from tted_core.method import Method
from ui import models
from ui.comparisons import open_button
from ui.fields import choice
from ui.learn.shared import LEARN_ENCODER, both_outlines, compare_small, pasted_trees
from ui.learn.slides import slide
from ui.learn.start import REEFS
from ui.part import Part
from ui.scales import SCALE_TITLES, alike

_REWORDED = """\
Many species live in coral reefs
  A reef is built by polyps
    Polyps are fed by algae
  Warming seas threaten reefs
  The coast is sheltered by reefs"""
REARRANGED = """\
Algae feed the polyps
  Warm water is a danger
    Reefs protect the coast
      Polyps build the reef
      Coral reefs shelter many species"""
SAME_TOPIC = """\
Coral reefs attract tourists
  Divers pay for boat trips
    Boats drop anchors on corals
  Fishing feeds the islanders
  Some reefs are national parks"""
OTHER_TOPIC = """\
Bread needs four ingredients
  Yeast makes the dough rise
    Sugar feeds the yeast
  A hot oven is needed
  Crust keeps the loaf fresh"""

# name -> label of the right map, the map, and where it differs from the left one.
OTHERS = {
    "rearranged": (
        "Same sentences, rearranged",
        REARRANGED,
        "Equal as a whole; only the two finer scales see the other structure.",
    ),
    "reworded": (
        "Reworded",
        _REWORDED,
        "Each sentence has a partner at some distance, so all scales lose a part.",
    ),
    "replaced": (
        "One sentence replaced",
        REEFS.replace("Warm water is a danger", "Divers pay for boat trips"),
        "Four of five sentences are equal and where they were: all three scales lose about as much.",
    ),
    "topic": (
        "Other sentences, one topic",
        SAME_TOPIC,
        "Only the whole still sees that both maps are about reefs; hardly a sentence has a partner.",
    ),
    "unrelated": ("Another topic", OTHER_TOPIC, "Nothing in common at any scale."),
}

OTHER = choice(
    "scale_map",
    "Right map",
    list(OTHERS),
    next(iter(OTHERS)),
    widget="segmented_control",
    format_func=lambda name: OTHERS[name][0],
    required=True,
)

QUESTIONS = """\
- **As a whole**: are both maps about the same? All sentences together, whatever their order.
- **Sentence by sentence**: does each sentence have a partner, with a similar parent and similar children?
- **As a tree**: do these partners also have the same ancestors? TTED with a smaller cost of missing sentences."""


@st.cache_data(max_entries=16, show_spinner=False)
def scores_of(name: str) -> dict[str, BaselineScore | TTEDError]:
    """The similarity of both maps at each scale, and the mean."""
    return baseline_scores(SCALES, pasted_trees(REEFS, OTHERS[name][1]), models.encoder(LEARN_ENCODER))


def _draw() -> None:
    with slide(1):
        st.markdown("## 1. One similarity, three questions")
        name = OTHER.draw() or next(iter(OTHERS))
        left, right = pasted_trees(REEFS, OTHERS[name][1])
        both_outlines(compare_small(left, right))
        st.html(f'<div style="zoom:1.3">{alike(scores_of(name))}</div>')
        st.markdown(f"**{OTHERS[name][2]}**\n\n{QUESTIONS}")
    with slide(2):
        st.markdown("## 2. Where the numbers fall, the maps differ")
        st.table(_table(), width="content")
        st.markdown(
            "1 is equal, 0 nothing in common. The **similarity** is the mean of the three, and agrees better with "
            "people's judgements than TTED, which stays the published number. *Method* has the formulas."
        )
    open_button(left, right, Method(), "scales")


def _table() -> pd.DataFrame:
    """A row of similarities for each of ``OTHERS``."""
    columns = [*(SCALE_TITLES[scale] for scale in SCALES[:-1]), "similarity"]
    rows = {}
    for name, (label, *_) in OTHERS.items():
        scores = scores_of(name).values()
        rows[label] = [f"{score.sim:.2f}" for score in scores if isinstance(score, BaselineScore)]
    return pd.DataFrame.from_dict(rows, "index", columns=columns)


SCALES_PART = Part("How alike?", _draw, (OTHER,))
