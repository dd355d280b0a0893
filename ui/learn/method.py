"""The figures of ``method.md``, the introduction to the method; the example's numbers are those of Compare.

Proofs, other measures and references are in docs/method.md, which the Method page shows on request.

One pair of trees shows the mappings of all three orders, as the solvers compute them. Deleting or inserting costs
1, and replacing so much that only equal letters are matched.
"""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import streamlit as st

from tted_core import Comparison, TextTree
from tted_core.arithmetic import shares
from tted_core.distances.vectors import cosine
from tted_core.learn.mappings import letter_solutions
from tted_core.method import Method
from tted_core.solvers import Solution
from ui.comparisons import open_button
from ui.learn.shared import both_outlines, compare_small, mapping, vectors
from ui.learn.slides import slide
from ui.learn.start import ALGAE, distance_sum, example, normalization, prices

LEFT = TextTree(("A", "B", "C", "D", "E", "F"), (-1, 0, 1, 1, 0, 0))
RIGHT = TextTree(("A", "F", "E", "C", "D"), (-1, 0, 0, 0, 0))

EXAMPLE = "two"  # of ``EDITS``: one sentence is reworded and one added
POWERS = (1, 2, 4, 8)
PRICED = (ALGAE, "Polyps are fed by algae", "Polyps build the reef", "Bread needs four ingredients", "")
"""A sentence, and others that are ever farther from it."""
TEXT = Path(__file__).parent / "method.md"


def method_page(gauge: Callable[[Comparison], str]) -> None:
    """Draw the page; ``gauge`` returns HTML of a normalized distance among those of sample maps."""
    comparison = compare_small(*example(EXAMPLE))
    solutions = letter_solutions(LEFT, RIGHT)
    figures: dict[str, Callable[[], object]] = {
        "mapping": lambda: _mapping(solutions["constrained"]),
        "prices": _prices,
        "worked": lambda: _draw_worked(comparison),
        "orders": lambda: _orders(solutions),
        "normalized": lambda: _normalized(comparison),
        "shares": lambda: _shares(comparison),
        "scale": lambda: st.html(gauge(comparison)),
    }
    sections = re.split(r"(?m)^(?=## )", TEXT.read_text(encoding="utf-8"))[1:]
    for number, section in enumerate(sections):
        beginning, figure, end = re.split(r"<!-- figure: (\w+) -->", section)
        with slide(2 * number + 1):
            st.markdown(beginning)
        with slide(2 * number + 2):
            figures[figure]()
            st.markdown(end)


def _mapping(solution: Solution) -> None:
    mapping(LEFT, RIGHT, solution.mapping, "A constrained mapping of two trees of letters")
    st.caption("Dashed lines are pairs; − is deleted, + inserted.")


def _prices() -> None:
    known = vectors(PRICED)
    (costs,) = cosine(known[PRICED[0]][None], np.array([known[text] for text in PRICED]))
    rows = {text or "(the empty sentence)": f"{cost:.4f}" for text, cost in zip(PRICED, costs, strict=True)}
    st.table(pd.DataFrame({f"distance from “{PRICED[0]}”": rows}), width="content")


def _draw_worked(comparison: Comparison) -> None:
    both_outlines(comparison)
    st.markdown(prices(comparison))
    st.latex(distance_sum(comparison))
    open_button(comparison.left.tree, comparison.right.tree, Method(), "method")


def _orders(solutions: dict[str, Solution]) -> None:
    with st.container(horizontal=True, gap="medium"):
        for order, solution in solutions.items():
            with st.container(width="content"):
                st.markdown(f"**{order}: distance {solution.upper:g}**")
                mapping(LEFT, RIGHT, solution.mapping, f"The {order} mapping, which costs {solution.upper:g}")
    st.caption(
        "Deleting (−) or inserting (+) costs 1, and only equal letters are paired. On the right, B is missing, "
        "its children have moved up, and E and F are swapped."
    )


def _normalized(comparison: Comparison) -> None:
    st.latex(normalization(comparison))
    n, m = len(comparison.left.tree), len(comparison.right.tree)
    st.caption(f"For maps of {n} and {m} sentences.")


def _shares(comparison: Comparison) -> None:
    costs = [op.cost for op in comparison.script.ops if op.cost]
    rows = {f"p = {power}": [f"{share:.0%}" for share in shares(costs, power)] for power in POWERS}
    columns = [f"edit of cost {cost:.4f}" for cost in costs]
    st.table(pd.DataFrame.from_dict(rows, "index", columns=columns), width="content")
    st.caption("Shares of the distance: the higher the power, the more the costlier edit counts.")
