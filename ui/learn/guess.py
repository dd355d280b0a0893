"""Guess first: a class says what the distance or the best mapping is, and then sees the truth."""

from collections.abc import Callable

import streamlit as st

from tted_core import TextTree
from tted_core.comparing import compare_maps
from tted_core.distances import Models
from tted_core.learn.mappings import Verdict, judge, pairs_of
from tted_core.method import Method
from tted_core.solvers.wording import entry_in_words, obstacle_in_words
from ui import cache
from ui.learn.encoding import ENCODER, costs_of
from ui.learn.pairs import picked_pairs
from ui.options import ORDER_TEXTS
from ui.text import html_escaped, markdown_escaped, plural

ORDER = "constrained"
NOISE = 1e-9


def guess_distance(name: str, left: TextTree, right: TextTree, and_then: Callable[[], None]) -> None:
    """Ask for the normalized distance of two maps; afterwards, draw what ``and_then`` draws."""
    st.markdown(f"Asked for is the distance of the order **{ORDER}**: {ORDER_TEXTS[ORDER]}")
    for column, title, tree in zip(st.columns(2), ("The map", "Its variant"), (left, right), strict=True):
        column.markdown(f"**{title}**")
        column.html(_outline(tree))
    with st.form("guess-distance", border=False):
        guess = st.number_input(
            "Your guess of the normalized distance",
            0.0,
            1.0,
            0.5,
            step=0.01,
            key="guess",
            width=260,
            help="0: the same map. 1: nothing worth keeping.",
        )
        if st.form_submit_button("Show the truth", type="primary"):
            st.session_state["guessed"] = name
    if st.session_state.get("guessed") != name:
        return
    method = Method.of("published", order=ORDER)
    truth = compare_maps(left, right, method, Models(cache.encoder(ENCODER))).normalized
    with st.container(horizontal=True, gap="large"):
        st.metric("Truth", f"{truth:.3f}", width="content")
        st.metric("Your guess", f"{guess:.3f}", width="content")
    st.markdown(closeness(guess, truth))
    and_then()


def closeness(guess: float, truth: float) -> str:
    """How good a guess was, in words."""
    off = abs(guess - truth)
    if off <= 0.02:
        return "A bull's eye: within 0.02."
    direction = "too high" if guess > truth else "too low"
    return f"{off:.3f} {direction}{': close' if off <= 0.1 else ''}."


def guess_mapping(name: str, left: TextTree, right: TextTree) -> None:
    """Ask for the cheapest mapping of two maps, by clicks; afterwards, tell what it costs."""
    st.markdown(f"Asked for is the cheapest mapping of the order **{ORDER}**: {ORDER_TEXTS[ORDER]}")
    shown = st.session_state.get("mapping-guessed") == name
    if not shown:
        picked_pairs(name, left, right)
        st.button("Show the truth", type="primary", on_click=_reveal, args=(name,))
        return
    costs = costs_of(left, right)
    truth = pairs_of(judge(ORDER, left, right, costs, []).optimum.mapping)
    pairs = picked_pairs(name, left, right, truth=truth)
    verdict = judge(ORDER, left, right, costs, pairs)
    st.markdown(told(verdict, left, right, len(pairs)))
    st.button("Try again", on_click=_reveal, args=(None,))


def _reveal(name: str | None) -> None:
    st.session_state["mapping-guessed"] = name


def told(verdict: Verdict, left: TextTree, right: TextTree, count: int) -> str:
    """What the class's mapping costs against the cheapest one (Markdown)."""
    yours = f"Your {plural(count, 'pair')} cost **{verdict.cost:.3f}**, all other nodes deleted or inserted."
    best = f"The cheapest {ORDER} mapping costs **{verdict.optimum.upper:.3f}**"
    if verdict.violation:
        pair, found = verdict.violation.pair, verdict.violation.obstacle
        refused = markdown_escaped(entry_in_words(pair, left, right, postorder=True))
        why = markdown_escaped(obstacle_in_words(found, pair, left, right, postorder=True))
        return f"{yours} But they are no {ORDER} mapping: there is no room for {refused}, for {why}. {best}."
    if abs(verdict.excess) <= NOISE:
        return f"{yours} **No mapping costs less: well done.**"
    return f"{yours} {best}: you pay **{verdict.excess:.3f}** more than need be."


def _outline(tree: TextTree) -> str:
    lines = (
        f'<div style="padding-left:{(depth - 1) * 1.2:g}em;text-indent:-.8em;margin-left:.8em">• '
        f"{html_escaped(label)}</div>"
        for label, depth in zip(tree.labels, tree.depths, strict=True)
    )
    return f'<div style="font-size:.9rem">{"".join(lines)}</div>'
