"""Lessons on a map of five sentences about reefs: TTED in five minutes, and how alike five others are to it."""

import pandas as pd
import streamlit as st

from tted_core import Comparison, TextTree
from tted_core.baselines import SCALES, BaselineScore, baseline_scores
from tted_core.errors import TTEDError
from tted_core.method import Method
from ui import models
from ui.comparisons import draw_open_button
from ui.fields import choice
from ui.learn.lesson import LEARN_ENCODER, compare_small, draw_outlines, read_outlines, slide
from ui.page import PagePart
from ui.scales import SCALE_TITLES, describe_similarity
from ui.text import markdown_escaped

REEFS = """\
Coral reefs shelter many species
  Polyps build the reef
    Algae feed the polyps
  Warm water is a danger
  Reefs protect the coast"""
ONE_REWORDED = REEFS.replace("Warm water is a danger", "Warming seas threaten reefs")
ADDED_SENTENCE = "\n    Waves break on them"
COAST, ALGAE = "Reefs protect the coast", "Algae feed the polyps"
# name -> label of the edit, the edited map, and the sentence that moves.
SENTENCE_EDITS = {
    "reword": ("Reword one", ONE_REWORDED, ""),
    "delete": ("Leave one out", REEFS.replace(f"\n  {COAST}", ""), ""),
    "insert": ("Add one", REEFS + ADDED_SENTENCE, ""),
    "move": ("Move one", REEFS.replace(f"\n  {COAST}", "").replace(ALGAE, f"{ALGAE}\n    {COAST}"), COAST),
    "swap": (
        "Move one: cheaper by its parents",
        REEFS.replace(f"\n    {ALGAE}", "") + f"\n    {ALGAE}",
        ALGAE,
    ),
    "two": ("Two edits", ONE_REWORDED + ADDED_SENTENCE, ""),
}

EDIT = choice(
    "edit",
    "Edit a sentence",
    list(SENTENCE_EDITS),
    "reword",
    widget="segmented_control",
    format_func=lambda name: SENTENCE_EDITS[name][0],
    required=True,
)

PRICES = {
    "replace": "~ Replacing “{left}” with “{right}” costs the distance of the two sentences, **{cost:.4f}**.",
    "delete": "− Deleting “{left}” costs its distance to the empty sentence, **{cost:.4f}**.",
    "insert": "\\+ Inserting “{right}” costs its distance to the empty sentence, **{cost:.4f}**.",
}


def example(name: str) -> tuple[TextTree, TextTree]:
    """Both maps of one of ``SENTENCE_EDITS``."""
    return read_outlines(REEFS, SENTENCE_EDITS[name][1])


def prices(comparison: Comparison) -> str:
    """An item for each edit that costs something (Markdown)."""
    left, right = (side.tree.labels for side in (comparison.left, comparison.right))
    return "\n".join(
        "- "
        + PRICES[op.op].format(
            left="" if op.source is None else markdown_escaped(left[op.source]),
            right="" if op.target is None else markdown_escaped(right[op.target]),
            cost=op.cost,
        )
        for op in comparison.script.ops
        if op.cost
    )


def distance_sum(comparison: Comparison) -> str:
    """The distance as the sum of the edits' costs (LaTeX)."""
    terms = [f"{op.cost:.4f}" for op in comparison.script.ops if op.cost]
    return rf"d = {' + '.join(terms)}{f' = {comparison.tted:.4f}' if len(terms) > 1 else ''}"


def normalization(comparison: Comparison) -> str:
    """The normalized distance by its formula, with the numbers of a comparison (LaTeX)."""
    n, m = len(comparison.left.tree), len(comparison.right.tree)
    largest = max(float(comparison.costs[:-1, -1].max()), float(comparison.costs[-1, :-1].max()))
    d = comparison.tted
    return (
        r"\begin{aligned} & \frac{2d}{w_{\max}\,(n+m)+d} \\[1.6em] &= "
        rf"\frac{{2 \cdot {d:.4f}}}{{{largest:.4f}\,({n}+{m})+{d:.4f}}} \\[1.6em] "
        rf"&= {comparison.normalized:.4f}\end{{aligned}}"
    )


def move_explained(comparison: Comparison, moved: str) -> str:
    """Explanation of a moved sentence's edits (Markdown)."""
    source, target = (side.tree.labels.index(moved) for side in (comparison.left, comparison.right))
    if any(op.source == source and op.target is None for op in comparison.script.ops):
        return f"TTED has no move: “{moved}” is deleted under one parent and inserted under another."
    cost = float(comparison.costs[source, -1] + comparison.costs[-1, target])
    return (
        f"TTED has no move. Deleting “{moved}” and inserting it under its new parent would cost {cost:.4f}; here "
        f"exchanging two parents costs less, {comparison.tted:.4f}."
    )


def _draw_start() -> None:
    with slide(1):
        st.markdown(
            "**TTED**, the text tree edit distance, is the least total cost of edits that turn one map into the "
            "other."
        )
        name = EDIT.draw() or "reword"
        left, right = example(name)
        moved = SENTENCE_EDITS[name][2]
        comparison = compare_small(left, right)
        st.markdown("## 1. Two maps")
        draw_outlines(comparison, moved=moved)
    steps = st.columns(3)
    with steps[0], slide(2):
        st.markdown("## 2. The price of an edit")
        st.markdown(prices(comparison))
        if moved:
            st.markdown(move_explained(comparison, moved))
        st.caption(
            "Equal sentences cost nothing. A language model measures the distance (*From sentences to costs*)."
        )
    with steps[1], slide(3):
        st.markdown("## 3. The sum")
        st.latex(distance_sum(comparison))
        st.caption("No cheaper set of edits exists: that is what *Step by step* computes.")
    with steps[2], slide(4):
        st.markdown("## 4. Normalized")
        st.latex(normalization(comparison))
        st.caption(
            "0: the same map. The maps have n and m sentences; the costliest deletion or insertion is "
            "$w_{\\max}$. This makes maps of different sizes comparable."
        )
    draw_open_button(left, right, Method(), "start")


FIRST_PART = PagePart("TTED in five minutes", _draw_start, (EDIT,))


ALL_REWORDED = """\
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
        ALL_REWORDED,
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


def _draw_scales() -> None:
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


SCALES_PART = PagePart("How alike?", _draw_scales, (RIGHT_MAP,))
