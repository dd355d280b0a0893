"""The panel that explains a line of the edit script: its cost, the price of another one, and the nearest nodes.

The outline's script (``drawer.js``) shows it in place of the list of changes while a row is selected.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from tted_core import Comparison
from tted_core.arithmetic import share
from tted_core.errors import ChoiceError
from tted_core.explain.doubt import NOT_UNIQUE
from tted_core.explain.what_if import Candidate, Price, nearest, price_of
from tted_core.explanation import CROSSING
from tted_core.foundations.monitor import Monitor
from tted_core.matching.records import PARTS
from tted_core.report.palette import OP_STYLES
from tted_core.script import EditOp
from tted_core.solvers.structure import Entry
from ui.compare.choices import choose, price_text
from ui.mapping.selection import select, settle
from ui.mapping.view import explained
from ui.running import watched
from ui.text import label_html, markdown_escaped, shortened

PRICE_SECONDS = 3.0
"""Time limit of each price in the order unordered."""

SHOWN, NAMED = 300, 40
"""Characters of a sentence that are shown, and of one that is named within another."""

CANDIDATES = 2

_PAIR = ("Why this pair?", "Don't pair these", "Always pair these")
WORDS_OF_OPERATIONS = {
    "match": ("Equal", *_PAIR),
    "replace": ("Replaced", *_PAIR),
    "delete": ("Deleted", "Why deleted?", "Don't delete it", "Always delete it"),
    "insert": ("Inserted", "Why inserted?", "Don't insert it", "Always insert it"),
}
"""Operation -> what it does, the panel's title, and the buttons that forbid and force it."""

Prices = dict[tuple[str, Entry], Price | str]
"""("force" or "forbid", entry) -> its price, or the reason why it is impossible."""


class Other(NamedTuple):
    """A node that a line's node could be paired with instead; ``side`` is that of the line's node."""

    side: int
    candidate: Candidate
    pair: Entry


def why_panel(result: Comparison) -> None:
    """Draw the panel for the selected operation; nothing without one."""
    op = settle(result)
    if op is None:
        return
    with st.container(border=True, key="why"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f"**{WORDS_OF_OPERATIONS[op.op][1]}**", width="content")
            st.button(
                "",
                icon=":material/close:",
                key="why-close",
                help="Close (Esc)",
                type="tertiary",
                on_click=select,
                args=(None, None),
                kwargs={"reveal": False},
            )
        _explain(result, op)


def _explain(result: Comparison, op: EditOp) -> None:
    entry = op.source, op.target
    trees = result.left.tree, result.right.tree
    labels = [tree.labels[node] for tree, node in zip(trees, entry, strict=True) if node is not None]
    st.html(
        "".join(f'<div style="overflow-wrap:anywhere">{label_html(each, SHOWN)}</div>' for each in labels)
    )
    st.markdown(" ".join(map(markdown_escaped, _parts(result, op))) or "")
    others = _others(result, entry)
    prices = watched(
        "comparison/prices",
        (result.signature, entry),
        partial(_find_prices, result, entry, [each.pair for each in others]),
        stop_help="Shows the prices found so far.",
    )
    _this_one(result, op, prices)
    if others:
        st.markdown("**Nearest in the other map**")
    most = max((each.candidate.cost for each in others), default=1.0) or 1.0
    for other in others:
        _draw_other(result, other, other.candidate.cost / most, prices)


def _others(result: Comparison, entry: Entry) -> list[Other]:
    """The nearest nodes besides the partner: of a pair one for each of its nodes, else those of the only one."""
    found = []
    for side, node in enumerate(entry):
        if node is None:
            continue
        how = {"source": node} if side == 0 else {"target": node}
        nodes = [
            Other(side, each, (node, each.node) if side == 0 else (each.node, node))
            for each in nearest(result, **how, count=CANDIDATES + 1)
            if each.node != entry[1 - side]
        ]
        found += nodes[: CANDIDATES // (1 if None in entry else 2)]
    return found


def _parts(result: Comparison, op: EditOp) -> Iterator[str]:
    """The reason why sentences that are merged or split still have a cost."""
    explanation = explained(result)
    for side, index in enumerate((op.source, op.target)):
        for each in explanation.sentences:
            node, other = each.nodes[side], each.nodes[1 - side]
            if each.status not in PARTS or not node or not other or node.index != index:
                continue
            is_part = (each.status == "merged") == (side == 0)
            words = "It is part of" if is_part else "It contains"
            yield f"{words} {_quote(other.label)}; TTED pairs whole nodes, so it is still in the cost."


def _this_one(result: Comparison, op: EditOp, prices: Prices) -> None:
    """Draw the cost of the operation, that of another script, and the buttons to force or forbid it."""
    entry = op.source, op.target
    part = share(op.cost, result.tted, result.method.power)
    whole = "the total" if result.script.unit.power == 1 else result.script.unit.total
    facts = f"{OP_STYLES[op.op].glyph} {WORDS_OF_OPERATIONS[op.op][0]}: costs **{op.cost:.4f}**"
    facts += f", {part:.1%} of {whole}." if result.tted else "."
    if op.source is not None and op.target is not None:
        apart = float(result.costs[op.source, -1] + result.costs[-1, op.target])
        facts += f" Deleting one and inserting the other costs {apart:.4f}."
    if NOT_UNIQUE in op.notes:
        facts += f" **{NOT_UNIQUE.capitalize()}**: another script is as good or nearly so."
    st.markdown(facts)
    if entry in result.choices.forced:
        st.button("Forced by you: clear", key="why-clear", on_click=choose, args=(entry, "clear"))
        return
    price = prices.get(("forbid", entry))
    if isinstance(price, Price):
        st.button(
            f"{WORDS_OF_OPERATIONS[op.op][2]}: {_more(price)}",
            key="why-forbid",
            on_click=choose,
            args=(entry, "forbid"),
            help=f"Shows the best script without it, with TTED {result.tted + price.at_most:.4f}.",
        )
        st.caption(f"Then {markdown_escaped(_instead(result, entry, price))}.")
    elif price:
        st.caption(f"No script is without it: {markdown_escaped(price)}.")
    st.button(
        f"{WORDS_OF_OPERATIONS[op.op][3]}: at no cost",
        key="why-keep",
        on_click=choose,
        args=(entry, "force"),
        help="Keeps it, so that other choices can't undo it.",
    )


def _instead(result: Comparison, entry: Entry, price: Price) -> str:
    """The partners of the operation's nodes in the best script without it."""
    trees = result.left.tree, result.right.tree
    partners = dict(price.mapping), {target: source for source, target in price.mapping}
    parts = []
    for side, node in enumerate(entry):
        if node is not None:
            partner = partners[side][node]
            fate = f"is {('deleted', 'inserted')[side]}"
            if partner is not None:
                fate = f"is paired with {_quote(trees[1 - side].labels[partner])}"
            parts.append(f"{_quote(trees[side].labels[node])} {fate}")
    return " and ".join(parts)


def _draw_other(result: Comparison, other: Other, width: float, prices: Prices) -> None:
    """Draw a candidate: its cost as a bar, what it is now, and the button to pair it, or why it can't be."""
    side, candidate, pair = other
    trees = result.left.tree, result.right.tree
    label = label_html(trees[1 - side].labels[candidate.node], SHOWN)
    st.html(
        f'<div style="overflow-wrap:anywhere">{label} <b>{candidate.cost:.4f}</b></div>'
        '<div style="height:5px;border-radius:3px;background:rgba(128,128,128,.18)"><div style="height:100%;'
        f'border-radius:3px;width:{100 * width:.0f}%;background:currentColor;opacity:.6"></div></div>'
    )
    words = "now inserted" if side == 0 else "now deleted"
    if candidate.partner is not None:
        words = f"now paired with {_quote(trees[side].labels[candidate.partner])}"
    price = prices.get(("force", pair))
    refusal = price if isinstance(price, str) else None
    if refusal:
        words += f"; can't be paired{' beside your choices' if result.choices else ''}"
    elif candidate.obstacle:
        words += f"; not beside the other pairs: {CROSSING[candidate.obstacle.rule]}"
    st.caption(markdown_escaped(words), help=refusal and markdown_escaped(refusal))
    if pair in result.choices.forbidden:
        st.button(
            "Forbidden by you: clear",
            key=f"why-allow-{side}-{candidate.node}",
            on_click=choose,
            args=(pair, "clear"),
        )
    elif isinstance(price, Price):
        st.button(
            f"Pair with this: {_more(price)}",
            key=f"why-force-{side}-{candidate.node}",
            on_click=choose,
            args=(pair, "force"),
            help=f"Shows the best script with this pair, with TTED {result.tted + price.at_most:.4f}.",
        )


def _quote(label: str) -> str:
    return f"“{shortened(label, NAMED)}”"


def _more(price: Price) -> str:
    """What a choice adds: "0.4012 more"."""
    more = price_text(price).replace("+", "")
    return "at no cost" if more == "0" else f"{more} more"


def _find_prices(result: Comparison, entry: Entry, pairs: Sequence[Entry], monitor: Monitor) -> Prices:
    seconds = PRICE_SECONDS if result.method.order == "unordered" else None
    chosen = result.choices
    wanted = [
        ("forbid", entry, chosen.forbidding(entry)),
        *(("force", pair, chosen.forcing(pair)) for pair in pairs),
    ]
    prices: Prices = {}
    for done, (action, pair, choices) in enumerate(wanted):
        if monitor.stopped:
            break
        monitor.stage(f"Computing price {done + 1} of {len(wanted)}", done / len(wanted))
        try:
            prices[action, pair] = price_of(result, choices, time_limit=seconds)
        except ChoiceError as error:
            prices[action, pair] = str(error)
    return prices
