"""What the orders mean: two trees on which all three differ, with mappings, values and what is forbidden."""

import streamlit as st

from tted_core.learn.mappings import RANKINGS, TreePair, pairs_of, separating_pair, violation
from tted_core.learn.tree_picture import mapping_picture
from tted_core.method import Method
from tted_core.solvers.wording import entry_in_words, obstacle_in_words
from ui.fields import choice
from ui.learn.shared import compare_button, picture
from ui.options import ORDER_TEXTS
from ui.part import Part
from ui.running import computed
from ui.text import markdown_escaped

SAME_PAIRS = Method(distance="levenshtein", gap="=0.4")
"""The method by which two letters are never worth pairing unless they are equal."""

BY_NAME = {"-".join(ranking): ranking for ranking in RANKINGS}
RANKING = choice(
    "ranking",
    "A smallest pair of trees where",
    list(BY_NAME),
    next(iter(BY_NAME)),
    format_func=lambda name: " > ".join(BY_NAME[name]),
    width=360,
    help="The fewest nodes of both trees together, of all pairs in which no letter stands twice in a tree. "
    "Found by trying them all.",
)


def _draw() -> None:
    chosen = RANKING.draw()
    pair = computed("separating-pair", separating_pair, BY_NAME[chosen])
    st.markdown("Deleting (−) or inserting (+) a node costs 1, and only equal letters are paired.")
    for order, column in zip(BY_NAME[chosen], st.columns(3, gap="medium"), strict=True):
        with column:
            _order(pair, order)
    forbidden = "\n".join(_forbidden(pair))
    st.markdown(f"**What the unordered mapping keeps, and the other two may not:**\n{forbidden}")
    st.caption("Unordered is never larger than the others; ordered and constrained can lie either way.")
    compare_button(pair.left, pair.right, SAME_PAIRS, "orders")
    st.caption(
        "There deleting or inserting costs 0.4 and replacing 1, so that again only equal letters are paired: each "
        "distance is 0.4 times the one above. “Three orders” shows all three."
    )


def _order(pair: TreePair, order: str) -> None:
    solution = pair.solutions[order]
    st.markdown(f"#### {order}: {solution.upper:g}")
    title = f"The {order} mapping, which costs {solution.upper:g}"
    dark = st.context.theme.type == "dark"
    picture(
        mapping_picture(pair.left, pair.right, solution.mapping, dark=dark, title=title, numbered=True),
        title,
        stretch=True,
    )
    st.caption(ORDER_TEXTS[order])


def _forbidden(pair: TreePair) -> list[str]:
    """For each other order, the first pair of the unordered mapping that it has no room for (Markdown)."""
    trees = pair.left, pair.right
    lines = []
    for order in ("ordered", "constrained"):
        broken = violation(order, *trees, pairs_of(pair.solutions["unordered"].mapping))
        if broken:
            refused = markdown_escaped(entry_in_words(broken.pair, *trees, postorder=True))
            why = markdown_escaped(obstacle_in_words(broken.obstacle, broken.pair, *trees, postorder=True))
            lines.append(f"- **{order}** has no room for {refused}: {why}.")
    return lines


ORDERS = Part("The orders", _draw, (RANKING,))
