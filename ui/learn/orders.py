"""The orders: two trees on which all three differ, and the algorithm of each polynomial order, step by step."""

from dataclasses import replace
from pathlib import Path

import streamlit as st

from tted_core.errors import MAX_NODES_TRACED
from tted_core.learn.mappings import SMALLEST, explain_omissions, letter_solutions, list_pairs, unit_costs
from tted_core.learn.stepper import player_data
from tted_core.method import Method
from tted_core.solvers import SOLVERS
from ui.comparisons import draw_open_button
from ui.fields import choice, words
from ui.learn.lesson import LETTERS, draw_trees, read_outlines, slide
from ui.options import ORDER_TEXTS
from ui.page import PagePart, component, show_errors

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


def _draw_orders() -> None:
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
            draw_trees(left, right, solution.mapping, title, numbered=True, stretch=True)
            st.caption(ORDER_TEXTS[order])
            for each in explain_omissions(order, left, right, list_pairs(solution.mapping), wished):
                st.markdown(f"- {each}")
    st.caption("Unordered is never larger than the others; either of ordered and constrained can be larger.")
    draw_open_button(left, right, SAME_PAIRS, "orders")
    st.caption(
        "On Compare, deleting or inserting costs 0.4 and replacing 1, so that again only equal letters are "
        "paired: each distance is 0.4 times the one above. *Order* changes from one to another."
    )


ORDERS_PART = PagePart("The orders", _draw_orders, (ORDER_RANKING,))


# Each example's name, with the two outlines.
EXAMPLES: dict[str, tuple[str, str]] = {
    "Five nodes: b goes, f comes": ("a\n  b\n    c\n    d\n  e", "a\n  c\n  d\n  f\n    e"),
    "A parent is taken out": ("a\n  b\n    c\n    d\n  e", "a\n  c\n  d\n  e"),
    "Zhang and Shasha's own (1989)": (
        "f\n  d\n    a\n    c\n      b\n  e",
        "f\n  c\n    d\n      a\n      b\n  e",
    ),
    "Two siblings swapped": ("a\n  b\n  c", "a\n  c\n  b"),
    "Children in another order": ("a\n  b\n    c\n    d\n  e\n  f", "a\n  e\n  b\n    d\n    c\n  g"),
    "Two branches merged": ("a\n  b\n    c\n    d\n  e\n    f\n    g", "a\n  c\n  d\n  g\n  f"),
    "Twelve nodes": (
        "a\n  b\n    c\n    d\n    e\n  f\n    g\n    h\n  i\n    j\n    k\n    l",
        "a\n  f\n    h\n    g\n  b\n    e\n    c\n  i\n    l\n    m\n    k\n  n",
    ),
}

# By order: the recurrence (LaTeX), and its meaning (Markdown).
EXPLAINED: dict[str, tuple[str, str]] = {
    "ordered": (
        r"""
f(i, j) = \min \begin{cases}
f(i-1,\, j) + \mathrm{delete}(i) \\
f(i,\, j-1) + \mathrm{insert}(j) \\
f(i-1,\, j-1) + \mathrm{replace}(i, j) & \text{if } \ell(i) = \ell(x) \text{ and } \ell(j) = \ell(y);
\text{ then } D(i, j) = f(i, j) \\
f(\ell(i)-1,\, \ell(j)-1) + D(i, j) & \text{otherwise}
\end{cases}
""",
        (
            "For keyroots $x$ and $y$, $f(i, j)$ is the distance between the left nodes $\\ell(x), \\dots, i$ "
            "and the right nodes $\\ell(y), \\dots, j$; $D(i, j)$ is that between the subtrees of $i$ and $j$. "
            "Nodes are numbered in postorder, and $\\ell(i)$ is the leftmost leaf below $i$ (Zhang and Shasha "
            "1989)."
        ),
    ),
    "constrained": (
        r"""
\begin{aligned}
T(i, j) &= \min \begin{cases}
F(i, j) + \mathrm{replace}(i, j) \\
T(i, \varnothing) + \min_k \left( T(k, j) - T(k, \varnothing) \right) \\
T(\varnothing, j) + \min_\ell \left( T(i, \ell) - T(\varnothing, \ell) \right)
\end{cases} \\
F(i, j) &= \min \begin{cases}
\min_M \left( \sum_{(k, \ell) \in M} T(k, \ell) + \sum_{k \notin M} T(k, \varnothing) +
\sum_{\ell \notin M} T(\varnothing, \ell) \right) \\
F(i, \varnothing) + \min_k \left( F(k, j) - F(k, \varnothing) \right) \\
F(\varnothing, j) + \min_\ell \left( F(i, \ell) - F(\varnothing, \ell) \right)
\end{cases}
\end{aligned}
""",
        (
            "$T(i, j)$ is the distance between the subtrees of $i$ and $j$, $F(i, j)$ that between the forests "
            "below them; $k$ runs over the children of $i$, $\\ell$ over those of $j$, $M$ over the matchings of "
            "the former with the latter, and $\\varnothing$ is nothing. Nodes are numbered in postorder. (Zhang "
            "1996)."
        ),
    ),
}

_KEYS = """Keys: ← and → one step; **f** presents the player alone, as large as the window allows, and Escape
leaves. Presented, or once the player has the focus, Page Up and Page Down are one step too, as presentation
remotes send them, n and p one table, Home and End the first and last step, and space plays and pauses. A click on
a cell goes to the step that fills it. The address always links to the step on screen."""

_player = component(
    Path(__file__).parent / "stepper",
    ("trees.js", "tables.js", "stepper.js"),
    shared=("present.js", "player.js"),
)

OWN = "trees of your own"

FIRST_EXAMPLE = next(iter(EXAMPLES.values()))
ORDER = choice(
    "steps_order",
    "Order",
    list(EXPLAINED),
    "ordered",
    widget="segmented_control",
    required=True,
    label_visibility="collapsed",
)
LEFT_TREE = words("left_tree", "Left tree", FIRST_EXAMPLE[0], height=230)
RIGHT_TREE = words("right_tree", "Right tree", FIRST_EXAMPLE[1], height=230)


def _draw_steps() -> None:
    order = ORDER.draw() or "ordered"
    texts = st.session_state[LEFT_TREE.name], st.session_state[RIGHT_TREE.name]
    st.session_state["example"] = next((name for name, pair in EXAMPLES.items() if pair == texts), OWN)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        offered = [*EXAMPLES, *([OWN] if st.session_state["example"] == OWN else [])]
        st.selectbox("Example", offered, key="example", on_change=_take_example, width=250)
        with st.popover("Edit the trees"):
            st.caption(
                f"One node per line, indented below its parent; up to {MAX_NODES_TRACED} nodes a side. Any format "
                "that the Compare page reads works."
            )
            for column, outline in zip(st.columns(2), (LEFT_TREE, RIGHT_TREE), strict=True):
                outline.draw(column)
    with show_errors():
        left, right = read_outlines(*texts)
        data, found = _played(order, left, right)
        _player(key="stepper", data=data)  # the step is the parameter ``step`` of the address
        recurrence, meaning = EXPLAINED[order]
        with st.expander("The recurrence, and the keys"):
            st.latex(recurrence)
            st.markdown(meaning)
            st.markdown(_KEYS)
        solved = SOLVERS[order](left, right, unit_costs(left, right)).upper
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(
                "Deleting, inserting and replacing cost 1, equal texts 0. "
                f"The distance is {found:g}; *Compare*, with the order *{order}*, gives {solved:g}."
            )
            if all(len(label) == 1 for tree in (left, right) for label in tree.labels):
                draw_open_button(left, right, replace(LETTERS, order=order), "steps")


def _take_example() -> None:
    if pair := EXAMPLES.get(st.session_state["example"]):
        st.session_state[LEFT_TREE.name], st.session_state[RIGHT_TREE.name] = pair


_played = st.cache_data(max_entries=64, show_spinner=False)(player_data)

STEPS_PART = PagePart("Step by step", _draw_steps, (ORDER, LEFT_TREE, RIGHT_TREE))
