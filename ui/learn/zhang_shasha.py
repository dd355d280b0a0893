"""Zhang and Shasha's algorithm on two small trees: choose them and their costs, and play it."""

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from tted_core import SOLVERS, TextTree
from tted_core.learn.stepper.narration import number
from tted_core.learn.unit_costs import unit_costs
from tted_core.learn.zhang_shasha import Trace, trace
from tted_core.limits import MAX_NODES_TRACED
from ui import cache
from ui.errors import show_errors
from ui.learn.encoding import costs_of
from ui.learn.stepper import stepper
from ui.part import Part
from ui.permalink import one_of, text

REEFS = """\
Coral reefs shelter many species
  Polyps build the reef
    Algae feed the polyps
  Warm water is a danger
  Reefs protect the coast"""
OTHER_REEFS = """\
Coral reefs are full of life
  Warming seas threaten reefs
    Corals turn white
  Tiny animals build the reef
  Reserves can help"""

EXAMPLES: dict[str, tuple[str, str]] = {
    "Five nodes: b goes, f comes": ("a\n  b\n    c\n    d\n  e", "a\n  c\n  d\n  f\n    e"),
    "A parent is taken out": ("a\n  b\n    c\n    d\n  e", "a\n  c\n  d\n  e"),
    "Zhang and Shasha's own (1989)": (
        "f\n  d\n    a\n    c\n      b\n  e",
        "f\n  c\n    d\n      a\n      b\n  e",
    ),
    "Two siblings swapped": ("a\n  b\n  c", "a\n  c\n  b"),
    "Sentences on reefs": (REEFS, OTHER_REEFS),
}
OWN = "trees of your own"
LEFT, RIGHT = "left_tree", "right_tree"
COSTS = {"unit": "0 and 1, by hand", "minilm": "distances of MiniLM"}

RECURRENCE = r"""
f(i, j) = \min \begin{cases}
f(i-1,\, j) + \mathrm{delete}(i) \\
f(i,\, j-1) + \mathrm{insert}(j) \\
f(i-1,\, j-1) + \mathrm{replace}(i, j) & \text{if } l(i) = l(x) \text{ and } l(j) = l(y);
\text{ then } D(i, j) = f(i, j) \\
f(l(i)-1,\, l(j)-1) + D(i, j) & \text{otherwise}
\end{cases}
"""


def _draw() -> None:
    texts, by_hand = _inputs()
    with show_errors():
        left, right = (cache.read(text, None).tree for text in texts)
        run = _traced(left, right, unit_costs(left, right) if by_hand else costs_of(left, right))
        stepper(left, right, run)
        _explanation(left, right, run)


def _inputs() -> tuple[tuple[str, str], bool]:
    """The two outlines, and whether costs are 0 and 1."""
    texts = st.session_state[LEFT], st.session_state[RIGHT]
    st.session_state["example"] = next((name for name, pair in EXAMPLES.items() if pair == texts), OWN)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Example",
            [*EXAMPLES, *([OWN] if st.session_state["example"] == OWN else [])],
            key="example",
            on_change=_take_example,
            width=250,
        )
        costs = st.selectbox(
            "Costs",
            list(COSTS),
            format_func=COSTS.__getitem__,
            key="costs",
            persist_state="page",
            width=200,
            help="By hand: deleting, inserting and replacing cost 1, equal texts 0. Or the distances between "
            "sentences that the language model gives, as in a real comparison.",
        )
        with st.popover("Edit the trees"):
            st.caption(
                f"One line a node, indented below its parent; up to {MAX_NODES_TRACED} nodes a side. Any format "
                "that the Compare page reads will do."
            )
            columns = st.columns(2)
            for column, label, key in zip(columns, ("Left tree", "Right tree"), (LEFT, RIGHT), strict=True):
                column.text_area(label, height=230, key=key, persist_state="page")
    return (st.session_state[LEFT], st.session_state[RIGHT]), costs == "unit"


def _take_example() -> None:
    name = st.session_state["example"]
    if name in EXAMPLES:
        st.session_state[LEFT], st.session_state[RIGHT] = EXAMPLES[name]


@st.cache_data(max_entries=32, show_spinner=False)
def _traced(left: TextTree, right: TextTree, costs: NDArray[np.float64]) -> Trace:
    return trace(left, right, costs)


def _explanation(left: TextTree, right: TextTree, run: Trace) -> None:
    with st.expander("The recurrence, and the keys"):
        st.latex(RECURRENCE)
        st.markdown(
            "For keyroots $x$ and $y$, $f(i, j)$ is the distance between the left nodes $l(x), \\dots, i$ and the "
            "right nodes $l(y), \\dots, j$; $D(i, j)$ is that between the subtrees of $i$ and $j$. Nodes are "
            "numbered in postorder, and $l(i)$ is the leftmost leaf below $i$ (Zhang and Shasha 1989).\n\n"
            "Keys: ← and → one step; **f** presents the player alone, as large as the window allows. Then, or "
            "once the player has the focus, Page Up and Page Down are one step too, as remote controls send them, "
            "n and p one table, Home and End the first and last step, and space plays and pauses. A click on a "
            "cell goes to the step that fills it. The address always leads back to the step on screen."
        )
    solved = SOLVERS["ordered"](left, right, _preorder_costs(run)).upper
    st.caption(
        f"D({len(left)}, {len(right)}) = {number(run.distance)}; the solver of the Compare page, order “ordered”, "
        f"says {number(solved)}."
    )


def _preorder_costs(run: Trace) -> NDArray[np.float64]:
    """The costs as solvers take them."""
    rows, columns = (
        [*(side.preorder.index(node) for node in range(len(side))), 0] for side in (run.left, run.right)
    )
    return run.costs[np.ix_(rows, columns)]


_FIRST = next(iter(EXAMPLES.values()))
ZHANG_SHASHA = Part(
    "Step by step",
    _draw,
    (text(LEFT, _FIRST[0]), text(RIGHT, _FIRST[1]), one_of("costs", list(COSTS), "unit")),
)
