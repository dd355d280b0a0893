"""TTED in five minutes: two maps of five sentences, an edit, its price, the sum, and the normalized distance."""

import streamlit as st

from tted_core import Comparison, TextTree
from tted_core.method import Method
from ui import cache
from ui.fields import choice
from ui.learn.shared import both_outlines, compare_button, compared
from ui.learn.steps import REEFS
from ui.part import Part
from ui.text import markdown_escaped

REWORDED = REEFS.replace("Warm water is a danger", "Warming seas threaten reefs")
ADDED = "\n    Waves break on them"
EDITS: dict[str, tuple[str, str]] = {
    "reword": ("Reword one", REWORDED),
    "delete": ("Leave one out", REEFS.replace("\n  Reefs protect the coast", "")),
    "insert": ("Add one", REEFS + ADDED),
    "move": (
        "Move one",
        REEFS.replace("\n    Algae feed the polyps", "") + "\n    Algae feed the polyps",
    ),
    "two": ("Two edits", REWORDED + ADDED),
}
"""name -> what is done to a sentence of ``REEFS``, and the map that comes out."""

EDIT = choice(
    "edit",
    "Edit a sentence",
    list(EDITS),
    "reword",
    widget="segmented_control",
    format_func=lambda name: EDITS[name][0],
    required=True,
)

PRICES = {
    "replace": "~ Replacing “{left}” by “{right}” costs the distance of the two sentences, **{cost:.4f}**.",
    "delete": "− Deleting “{left}” costs its distance to the empty sentence, **{cost:.4f}**.",
    "insert": "\\+ Inserting “{right}” costs its distance to the empty sentence, **{cost:.4f}**.",
}


def example(name: str) -> tuple[TextTree, TextTree]:
    """Both maps of one of ``EDITS``."""
    left, right = (cache.read(text, None).tree for text in (REEFS, EDITS[name][1]))
    return left, right


def prices(comparison: Comparison) -> list[str]:
    """A sentence for each edit that costs something (Markdown)."""
    labels = comparison.left.tree.labels, comparison.right.tree.labels
    return [
        PRICES[op.op].format(
            left="" if op.source is None else markdown_escaped(labels[0][op.source]),
            right="" if op.target is None else markdown_escaped(labels[1][op.target]),
            cost=op.cost,
        )
        for op in comparison.script.ops
        if op.cost
    ]


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
        r"\begin{aligned} & \frac{2d}{w_{\max}(n+m)+d} \\ &= "
        rf"\frac{{2 \cdot {d:.4f}}}{{{largest:.4f}\,({n}+{m})+{d:.4f}}} \\ "
        rf"&= {comparison.normalized:.4f}\end{{aligned}}"
    )


def _draw() -> None:
    st.markdown(
        "**TTED**, the text tree edit distance, is the least total cost of edits that turn one map into the other."
    )
    left, right = example(EDIT.draw() or "reword")
    comparison = compared(left, right)
    st.markdown("#### 1. Two maps")
    both_outlines(comparison)
    steps = st.columns(3)
    with steps[0]:
        st.markdown("#### 2. The price of an edit")
        st.markdown("\n".join(f"- {each}" for each in prices(comparison)))
        st.caption(
            "Equal sentences cost nothing. A language model measures the distance (*From sentences to costs*)."
        )
    with steps[1]:
        st.markdown("#### 3. The sum")
        st.latex(distance_sum(comparison))
        st.caption("No cheaper set of edits exists: that is what *Step by step* computes.")
    with steps[2]:
        st.markdown("#### 4. Normalized")
        st.latex(normalization(comparison))
        st.caption(
            "0: the same map. The maps have n and m sentences; the costliest deletion or insertion is w. "
            "So maps of different sizes can be compared."
        )
    compare_button(left, right, Method(), "start")


START = Part("TTED in five minutes", _draw, (EDIT,))
