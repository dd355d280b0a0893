"""TTED in five minutes: two maps of five sentences, an edit, its price, the sum, and the normalized distance."""

import streamlit as st

from tted_core import Comparison, TextTree
from tted_core.method import Method
from ui.comparisons import draw_open_button
from ui.fields import choice
from ui.learn.lesson import compare_small, draw_outlines, read_outlines, slide
from ui.page import PagePart
from ui.text import markdown_escaped

REEFS = """\
Coral reefs shelter many species
  Polyps build the reef
    Algae feed the polyps
  Warm water is a danger
  Reefs protect the coast"""
_REWORDED = REEFS.replace("Warm water is a danger", "Warming seas threaten reefs")
ADDED_SENTENCE = "\n    Waves break on them"
COAST, ALGAE = "Reefs protect the coast", "Algae feed the polyps"
# name -> label of the edit, the edited map, and the sentence that moves.
SENTENCE_EDITS = {
    "reword": ("Reword one", _REWORDED, ""),
    "delete": ("Leave one out", REEFS.replace(f"\n  {COAST}", ""), ""),
    "insert": ("Add one", REEFS + ADDED_SENTENCE, ""),
    "move": ("Move one", REEFS.replace(f"\n  {COAST}", "").replace(ALGAE, f"{ALGAE}\n    {COAST}"), COAST),
    "swap": (
        "Move one: cheaper by its parents",
        REEFS.replace(f"\n    {ALGAE}", "") + f"\n    {ALGAE}",
        ALGAE,
    ),
    "two": ("Two edits", _REWORDED + ADDED_SENTENCE, ""),
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


def _draw() -> None:
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


FIRST_PART = PagePart("TTED in five minutes", _draw, (EDIT,))
