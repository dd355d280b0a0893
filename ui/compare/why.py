"""The panel that explains a pair: the nearest nodes, the pairs that exclude them, the price of each alternative.

The outline's script (``drawer.js``) shows it as a drawer at the selected row; without a selection it is one line.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import streamlit as st

from tted_core import Comparison
from tted_core.arithmetic import share
from tted_core.errors import ChoiceError
from tted_core.explain.doubt import NOT_UNIQUE
from tted_core.explain.what_if import Candidate, Price, nearest, price_of
from tted_core.foundations.monitor import Monitor
from tted_core.matching.records import PARTS
from tted_core.report.palette import OP_STYLES
from tted_core.script import EditOp
from tted_core.solvers.structure import Entry
from tted_core.solvers.wording import node_in_words, obstacle_in_words
from ui.compare.choices import choose, price_text
from ui.mapping.selection import select, settle
from ui.mapping.view import explained
from ui.running import watched
from ui.text import html_escaped, label_html, markdown_escaped

UNORDERED_SECONDS = 3.0
"""Time limit of each price in the order unordered."""

SHOWN = 300
"""Characters of a sentence that are shown."""

SIDES = {"left": "left node", "right": "right node"}

Prices = dict[tuple[str, Entry], Price | str]
"""("force" or "forbid", entry) -> its price, or the reason why it is impossible."""


def why_panel(result: Comparison) -> None:
    """Draw the panel for the selected operation."""
    op = settle(result)
    with st.container(border=True, key="why"):
        if op is None:
            st.markdown("**Why this pair?** Click a row of the mapping, or press Enter on it.")
            return
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown("**Why this pair?**")
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
        if result.choices:
            st.caption(f"With {len(result.choices)} of your choices, listed above the score.")
        _explain(result, op)


def _explain(result: Comparison, op: EditOp) -> None:
    st.html(_texts(result, op))
    for sentence in _parts(result, op):
        st.markdown(markdown_escaped(sentence))
    side = "left" if op.source is not None else "right"
    if op.source is not None and op.target is not None:
        side = st.segmented_control(
            "Nearest nodes of the",
            list(SIDES),
            default="left",
            required=True,
            key="why-side",
            format_func=SIDES.__getitem__,
            help="The five nodes of the other map that are nearest to this one by the distance of their texts.",
        )
    entry = op.source, op.target
    candidates = nearest(
        result, **({"source": op.source} if side == "left" else {"target": op.target}), count=5
    )
    prices = watched(
        "comparison/prices",
        (result.signature, entry, side),
        partial(_find_prices, result, entry, [_pair(entry, side, each.node) for each in candidates]),
        stop_help="Shows the prices found so far.",
    )
    _this_one(result, op, prices)
    st.caption(
        "A price is the increase of the total cost: the best script in the same order is recomputed with the "
        "pair forced or forbidden."
    )
    for candidate in candidates:
        _candidate(result, entry, side, candidate, prices)


def _pair(entry: Entry, side: str, node: int) -> Entry:
    """The pair of an operation's node on a side with a node of the other map."""
    return (entry[0], node) if side == "left" else (node, entry[1])


def _texts(result: Comparison, op: EditOp) -> str:
    """HTML of the operation's nodes."""
    lines = []
    for name, tree, node in (("Left", result.left.tree, op.source), ("Right", result.right.tree, op.target)):
        if node is not None:
            label = label_html(tree.labels[node], SHOWN)
            lines.append(f'<div style="overflow-wrap:anywhere"><b>{name} {node}</b> {label}</div>')
    return "".join(lines)


def _parts(result: Comparison, op: EditOp) -> Iterator[str]:
    """The reason why sentences that are merged or split still have a cost."""
    why = "TTED pairs whole nodes, one with one, so it is still in the cost."
    explanation = explained(result)
    for side, index in enumerate((op.source, op.target)):
        name, map_there = ("Left", "Right")[side], ("right", "left")[side]
        for each in explanation.sentences:
            node, other = each.nodes[side], each.nodes[1 - side]
            if each.status not in PARTS or not node or not other or node.index != index:
                continue
            words = node_in_words(explanation.trees[1 - side], other.index)
            is_part = (each.status == "merged") == (side == 0)
            word = "is part of the longer node" if is_part else "contains"
            yield f"{name} {index} {word} {words} of the {map_there} map. {why}"


def _this_one(result: Comparison, op: EditOp, prices: Prices) -> None:
    """Draw the cost of the operation, that of the alternative, and the buttons to force or forbid it."""
    entry = op.source, op.target
    part = share(op.cost, result.tted, result.method.power)
    whole = "the total" if result.script.unit.power == 1 else result.script.unit.total
    of_total = f", {part:.1%} of {whole}" if result.tted else ""
    facts = [f"{OP_STYLES[op.op].glyph} {op.op} costs **{op.cost:.4f}**{of_total}"]
    if op.source is not None and op.target is not None:
        apart = float(result.costs[op.source, -1] + result.costs[-1, op.target])
        facts.append(f"deleting one and inserting the other instead {apart:.4f}")
    if NOT_UNIQUE in op.notes:
        facts.append(f"**{NOT_UNIQUE}**: another script is as good or nearly so, so don't rely on it")
    st.markdown("; ".join(facts) + ".")
    noun = {"delete": "deletion", "insert": "insertion"}.get(op.op, "pair")
    with st.container(horizontal=True, vertical_alignment="center"):
        if entry in result.choices.forced:
            st.markdown(f"You forced this {noun}.", width="content")
            st.button("Clear", key="why-clear", on_click=choose, args=(entry, "clear"))
            return
        price = prices.get(("forbid", entry))
        if isinstance(price, Price):
            st.button(
                f"Forbid this {noun}: {_price_label(price, result)}",
                key="why-forbid",
                on_click=choose,
                args=(entry, "forbid"),
                help="Computes the best script without it, and keeps that choice until you clear it.",
            )
        elif price:
            st.markdown(f"Can't be forbidden: {markdown_escaped(price)}.")
        st.button(
            f"Keep this {noun}: +0",
            key="why-keep",
            on_click=choose,
            args=(entry, "force"),
            help="Forces this part of the script, so that other choices can't undo it.",
        )
    if isinstance(price, Price):
        st.caption(f"Without it, {markdown_escaped(_instead(result, entry, price))}.")


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
                fate = f"is paired with {node_in_words(trees[1 - side], partner)}"
            parts.append(f"{node_in_words(trees[side], node)} {fate}")
    return " and ".join(parts)


def _candidate(result: Comparison, entry: Entry, side: str, candidate: Candidate, prices: Prices) -> None:
    """Draw one of the nearest nodes: its cost, partner and obstacle, and the button to force it."""
    here, there = result.left.tree, result.right.tree
    mine, theirs = (there, here) if side == "left" else (here, there)
    pair = _pair(entry, side, candidate.node)
    is_partner = pair == entry
    if is_partner:
        state = "this pair"
    elif candidate.partner is None:
        state = "now inserted" if side == "left" else "now deleted"
    else:
        state = f"now paired with {node_in_words(theirs, candidate.partner)}"
    price = prices.get(("force", pair))
    words, button = st.columns([4, 1], vertical_alignment="center", gap="small")
    with words:
        label = label_html(mine.labels[candidate.node], SHOWN)
        lines = [
            (
                f'<div style="overflow-wrap:anywhere"><b>{candidate.cost:.4f}</b> · {label} '
                f'<span style="opacity:.75">(no. {candidate.node}; {html_escaped(state)})</span></div>'
            )
        ]
        if candidate.obstacle and pair[0] is not None and pair[1] is not None:
            reason = obstacle_in_words(candidate.obstacle, (pair[0], pair[1]), here, there)
            more = len(candidate.obstacle.others) - 1 if candidate.obstacle.rule != "branches" else 0
            others = f" (and with {more} more)" if more else ""
            lines.append(
                '<div style="font-size:.875rem;overflow-wrap:anywhere">✗ Forbidden beside the other pairs: '
                + html_escaped(reason + others)
                + "</div>"
            )
        elif not is_partner:
            lines.append('<div style="font-size:.875rem">✓ Fits the other pairs.</div>')
        if not is_partner and isinstance(price, str):
            lines.append(f'<div style="font-size:.875rem">Can\'t be forced: {html_escaped(price)}.</div>')
        st.html("".join(lines))
    if pair in result.choices.forbidden:
        button.button(
            "Forbidden by you: clear",
            key=f"why-allow-{candidate.node}",
            on_click=choose,
            args=(pair, "clear"),
        )
    elif not is_partner and isinstance(price, Price):
        button.button(
            f"Force: {_price_label(price, result)}",
            key=f"why-force-{candidate.node}",
            on_click=choose,
            args=(pair, "force"),
            help="Computes the best script with this pair, and keeps that choice until you clear it.",
        )


def _price_label(price: Price, result: Comparison) -> str:
    return f"{price_text(price)} → {result.tted + price.at_most:.4f}"


def _find_prices(result: Comparison, entry: Entry, pairs: Sequence[Entry], monitor: Monitor) -> Prices:
    seconds = UNORDERED_SECONDS if result.method.order == "unordered" else None
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
