"""Similarity at three scales: a map and five others, each differing from it in another way."""

import pandas as pd
import streamlit as st

from tted_core.baselines import SCALES, BaselineScore, baseline_scores
from tted_core.errors import TTEDError
from tted_core.method import Method
from ui import models
from ui.comparisons import draw_open_button
from ui.fields import choice
from ui.learn.lesson import LEARN_ENCODER, compare_small, draw_outlines, read_outlines, slide
from ui.learn.start import REEFS
from ui.page import PagePart
from ui.scales import SCALE_TITLES, describe_similarity

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
RIGHT_MAPS = {
    "rearranged": (
        "Same sentences, rearranged",
        REARRANGED,
        "Equal as a whole; only the two finer scales notice the new structure.",
    ),
    "reworded": (
        "Reworded",
        _REWORDED,
        "Each sentence has a partner of similar, not equal meaning, so all three scales drop.",
    ),
    "replaced": (
        "One sentence replaced",
        REEFS.replace("Warm water is a danger", "Divers pay for boat trips"),
        "Four of five sentences are unchanged, in the same position: all three scales lose about the same amount.",
    ),
    "topic": (
        "Same topic, different sentences",
        SAME_TOPIC,
        "Only as a whole are the maps still alike, since both are about reefs; hardly any sentence has a partner.",
    ),
    "unrelated": ("Another topic", OTHER_TOPIC, "Almost nothing in common at any scale."),
}

RIGHT_MAP = choice(
    "scale_map",
    "Right map",
    list(RIGHT_MAPS),
    next(iter(RIGHT_MAPS)),
    widget="segmented_control",
    format_func=lambda name: RIGHT_MAPS[name][0],
    required=True,
)

QUESTIONS = """\
- **As a whole**: are both maps about the same topic? All sentences together, in any arrangement.
- **By sentence**: does each sentence have a partner in the other map, and are parents and children alike?
- **As a tree**: do these partners also have the same ancestors? It is TTED, made a similarity, with a
  smaller cost of sentences that only one map has."""


@st.cache_data(max_entries=16, show_spinner=False)
def scores_of(name: str) -> dict[str, BaselineScore | TTEDError]:
    """The similarity of both maps at each scale, and the mean."""
    return baseline_scores(SCALES, read_outlines(REEFS, RIGHT_MAPS[name][1]), models.encoder(LEARN_ENCODER))


def _draw() -> None:
    with slide(1):
        st.markdown("## 1. One similarity, three questions")
        name = RIGHT_MAP.draw() or next(iter(RIGHT_MAPS))
        left, right = read_outlines(REEFS, RIGHT_MAPS[name][1])
        draw_outlines(compare_small(left, right))
        st.html(f'<div style="zoom:1.3">{describe_similarity(scores_of(name))}</div>')
        st.markdown(f"**{RIGHT_MAPS[name][2]}**\n\n{QUESTIONS}")
    with slide(2):
        st.markdown("## 2. The scale that drops shows how the maps differ")
        columns = [*(SCALE_TITLES[scale] for scale in SCALES[:-1]), "similarity"]
        rows = {
            label: [
                f"{score.sim:.2f}" for score in scores_of(name).values() if isinstance(score, BaselineScore)
            ]
            for name, (label, *_) in RIGHT_MAPS.items()
        }
        st.table(pd.DataFrame.from_dict(rows, "index", columns=columns), width="content")
        st.markdown(
            "1 means equal, 0 nothing in common. As a whole near 1 and the others low: the same sentences, moved. "
            "As a whole clearly below 1 and the others low: different sentences on one topic. The **similarity** "
            "is the mean of the three, and agrees better with people's judgements than TTED, the measure of the "
            "paper. *Method* has the formulas."
        )
    draw_open_button(left, right, Method(), "scales")


SCALES_PART = PagePart("How alike?", _draw, (RIGHT_MAP,))
