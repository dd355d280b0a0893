"""The figures of ``method.md``, the introduction to the method; the example's numbers are those of Compare.

Proofs, other measures and references are in docs/method.md, which the Method page shows on request.

One pair of trees shows the mappings of all three orders, as the solvers compute them. Deleting or inserting costs
1, and replacing so much that only equal letters are matched.
"""

import re
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from tted_core import Comparison, TextTree
from tted_core.arithmetic import normalize_as_published, shares, sizes_of
from tted_core.learn.mappings import letter_solutions
from tted_core.method import Method
from tted_core.solvers import Solution
from ui.comparisons import draw_open_button
from ui.learn.lesson import compare_small, draw_chart, draw_outlines, draw_trees, slide
from ui.learn.reefs import distance_sum, example, normalization, prices
from ui.scales import gauge

LEFT = TextTree(("A", "B", "C", "D", "E", "F"), (-1, 0, 1, 1, 0, 0))
RIGHT = TextTree(("A", "F", "E", "C", "D"), (-1, 0, 0, 0, 0))

EXAMPLE = "two"  # of ``EDITS``: one sentence is reworded and one added
POWERS = (1, 2, 4, 8)
INTRODUCTION = Path(__file__).parent / "method.md"


def draw_method() -> None:
    """Draw the page."""
    comparison = compare_small(*example(EXAMPLE))
    solutions = letter_solutions(LEFT, RIGHT)
    figures: dict[str, Any] = {
        "mapping": lambda: _mapping(solutions["constrained"]),
        "cost_curve": _cost_curve,
        "worked": lambda: _draw_worked(comparison),
        "orders": lambda: _orders(solutions),
        "normalized": lambda: _draw_normalized(comparison),
        "shares": lambda: _shares(comparison),
        "scale": lambda: st.html(gauge(comparison)),
    }
    sections = re.split(r"(?m)^(?=## )", INTRODUCTION.read_text(encoding="utf-8"))[1:]
    for number, section in enumerate(sections):
        beginning, figure, end = re.split(r"<!-- figure: (\w+) -->", section)
        with slide(2 * number + 1):
            st.markdown(beginning)
        with slide(2 * number + 2):
            figures[figure]()
            st.markdown(end)


def _mapping(solution: Solution) -> None:
    draw_trees(LEFT, RIGHT, solution.mapping, "A constrained mapping of two trees of letters")
    st.caption("Dashed lines are pairs; − is deleted, + inserted.")


def _cost_curve() -> None:
    cosines = np.linspace(-1, 1, 81)
    curve = _line(cosines, np.sqrt(1 - cosines), "cosine of two sentences' vectors", "cost")
    draw_chart(curve.properties(height=220))


def _draw_worked(comparison: Comparison) -> None:
    draw_outlines(comparison)
    st.markdown(prices(comparison))
    st.latex(distance_sum(comparison))
    draw_open_button(comparison.left.tree, comparison.right.tree, Method(), "method")


def _orders(solutions: dict[str, Solution]) -> None:
    with st.container(horizontal=True, gap="medium"):
        for order, solution in solutions.items():
            with st.container(width="content"):
                st.markdown(f"**{order}: distance {solution.upper:g}**")
                draw_trees(
                    LEFT, RIGHT, solution.mapping, f"The {order} mapping, which costs {solution.upper:g}"
                )
    st.caption(
        "Deleting (−) or inserting (+) costs 1, and only equal letters are paired. On the right, B is missing, "
        "its children have moved up, and E and F are swapped."
    )


def _line(x: NDArray[np.float64], y: NDArray[np.float64], x_title: str, y_title: str) -> alt.Chart:
    axes = alt.X("x:Q", title=x_title), alt.Y("y:Q", title=y_title)
    chart: alt.Chart = alt.Chart(pd.DataFrame({"x": x, "y": y})).mark_line().encode(*axes)
    return chart


def _draw_normalized(comparison: Comparison) -> None:
    st.latex(normalization(comparison))
    n, m = len(comparison.left.tree), len(comparison.right.tree)
    distances = np.linspace(0, n + m, 60)
    values = np.asarray(normalize_as_published(distances, sizes_of(comparison.costs, 1)))
    line = _line(distances, values, "distance d", "normalized distance")
    here = pd.DataFrame({"x": [comparison.tted], "y": [comparison.normalized]})
    point = alt.Chart(here).mark_point(filled=True, size=140, color="#c06a00").encode(x="x:Q", y="y:Q")
    draw_chart((line + point).properties(height=220))
    st.caption(f"For maps of {n} and {m} sentences, and $w_{{\\max}} = 1$; the point is the example.")


def _shares(comparison: Comparison) -> None:
    costs = [op.cost for op in comparison.script.ops if op.cost]
    rows = [
        {"power": f"p = {power}", "edit": f"{cost:.4f}", "share": share}
        for power in POWERS
        for cost, share in zip(costs, shares(costs, power), strict=True)
    ]
    draw_chart(
        alt.Chart(pd.DataFrame(rows))
        .mark_bar()
        .encode(
            x=alt.X("share:Q", title="share of the distance", axis=alt.Axis(format="%")),
            y=alt.Y("power:N", title=None, sort=None),
            color=alt.Color("edit:N", title="cost", legend=alt.Legend(orient="top")),
        )
        .properties(height=alt.Step(30))
    )
    st.caption("The two edits of the example: the higher the power, the more the costlier edit counts.")
