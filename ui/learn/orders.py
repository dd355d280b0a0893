"""What the orders mean: two trees on which all three differ, each with its mapping, its value and what it forbids."""

import streamlit as st

from tted_core import TextTree
from tted_core.teaching.mappings import Violation, pairs_of, violation
from tted_core.teaching.orders import RANKINGS, Pair, separating_pair
from ui.options import ORDER_TEXTS
from ui.orders_table import difference
from ui.text import markdown_escaped
from ui.tree_picture import mapping_picture


def orders() -> None:
    """Draw the pair in its three orders."""
    titles = {" > ".join(ranking): ranking for ranking in RANKINGS}
    chosen = st.selectbox(
        "The smallest pair of trees where",
        list(titles),
        key="ranking",
        bind="query-params",
        width=360,
        help="Found by trying all trees of 3, 4, 5 ... nodes: one node is taken out, and siblings are rearranged.",
    )
    pair = separating_pair(titles[chosen])
    for column, order in zip(st.columns(len(pair.solutions), gap="medium"), titles[chosen], strict=True):
        with column, st.container(key=f"order-{order}"):
            _order(pair, order)
    st.markdown(
        f"{difference(pair.distances)} Deleting (−) or inserting (+) a node costs 1, and only equal letters are "
        "paired. What the unordered mapping keeps, the other two may not:"
    )
    for order in ("ordered", "constrained"):
        broken = violation(order, pair.left, pair.right, pairs_of(pair.solutions["unordered"].mapping))
        if broken:
            st.markdown(f"- **{order}** forbids it: {reason(broken, pair.left, pair.right)}")
    st.caption(
        "Unordered is never larger than the others; ordered and constrained can lie either way, as the two examples show. "
        "For the pair on the Compare page, see “Three orders” there."
    )


def _order(pair: Pair, order: str) -> None:
    solution = pair.solutions[order]
    st.markdown(f"#### {order}: {solution.upper:g}")
    title = f"The {order} mapping, which costs {solution.upper:g}"
    st.image(
        mapping_picture(
            pair.left, pair.right, solution.mapping, dark=st.context.theme.type == "dark", title=title
        ),
        width="stretch",
    )
    st.caption(ORDER_TEXTS[order])


def reason(broken: Violation, left: TextTree, right: TextTree) -> str:
    """A violation in words (Markdown)."""
    names = [_named(source, target, left, right) for source, target in broken.pairs]
    match broken.rule:
        case "one-to-one":
            return f"a node is used twice, in {names[0]} and {names[1]}."
        case "ancestors":
            return f"of {names[0]} and {names[1]}, one is above the other in one tree only, or the other way round."
        case "sibling order":
            return f"{names[0]} and {names[1]} have changed places from left to right."
        case _:
            return (
                f"on one side {names[0]} and {names[1]} share a branch that {names[2]} is not in, "
                "on the other side they don't."
            )


def _named(source: int, target: int, left: TextTree, right: TextTree) -> str:
    here, there = markdown_escaped(left.labels[source]), markdown_escaped(right.labels[target])
    return f"**{here}**" if here == there else f"**{here}–{there}**"
