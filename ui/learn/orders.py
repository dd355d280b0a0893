"""The meaning of the orders: two trees on which all three differ, with their mappings and distances."""

import streamlit as st

from tted_core.learn.mappings import SMALLEST, explain_omissions, letter_solutions, list_pairs
from tted_core.method import Method
from ui.comparisons import open_button
from ui.fields import choice
from ui.learn.shared import mapping
from ui.learn.slides import slide
from ui.options import ORDER_TEXTS
from ui.part import Part

# Under this method only equal letters are worth pairing.
SAME_PAIRS = Method(distance="levenshtein", gap="=0.4")

BY_NAME = {"-".join(ranking): ranking for ranking in SMALLEST}
ORDER_RANKING = choice(
    "ranking",
    "A smallest pair of trees where",
    list(BY_NAME),
    next(iter(BY_NAME)),
    format_func=lambda name: " > ".join(BY_NAME[name]),
    width=360,
    help="The pair with the fewest nodes in total, of all pairs in which no letter occurs twice in a tree, "
    "found by exhaustive search.",
)


def _draw() -> None:
    with slide(1):
        ranking = BY_NAME[ORDER_RANKING.draw()]
        st.markdown(
            "A **mapping** pairs nodes of the left tree with nodes of the right one. Each node has at most one "
            "partner, and ancestors stay ancestors. Nodes without a partner are deleted (−) or inserted (+). The "
            "**order** defines what else a mapping must preserve. Here deleting or inserting a node costs 1, and "
            "only equal letters are paired."
        )
    left, right = SMALLEST[ranking]
    solutions = letter_solutions(left, right)
    wished = list_pairs(solutions["unordered"].mapping)
    for number, (order, column) in enumerate(zip(ranking, st.columns(3, gap="medium"), strict=True), 2):
        solution = solutions[order]
        with column, slide(number):
            st.markdown(f"## {order}: {solution.upper:g}")
            title = f"The {order} mapping, which costs {solution.upper:g}"
            mapping(left, right, solution.mapping, title, numbered=True, stretch=True)
            st.caption(ORDER_TEXTS[order])
            for each in explain_omissions(order, left, right, list_pairs(solution.mapping), wished):
                st.markdown(f"- {each}")
    st.caption("Unordered is never larger than the others; either of ordered and constrained can be larger.")
    open_button(left, right, SAME_PAIRS, "orders")
    st.caption(
        "On Compare, deleting or inserting costs 0.4 and replacing 1, so that again only equal letters are "
        "paired: each distance is 0.4 times the one above. *Order* changes from one to another."
    )


ORDERS_PART = Part("The orders", _draw, (ORDER_RANKING,))
