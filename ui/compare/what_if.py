"""What-if questions: pairs that are forced or forbidden, and the panel that explains an operation and its prices.

Choices name nodes by their numbers, which mean nothing in other maps or at another depth. In the session's state,
"choices" are those for "choices-maps", the maps as compared (trimmed to the depth). They are kept for the visit,
listed, undone and cleared.

The panel explains a line of the edit script: its cost, the price of another one, and the nearest nodes. The
outline's script (``drawer.js``) shows it in place of the list of changes while a row is selected.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import streamlit as st

from tted_core import Comparison, TextTree
from tted_core.arithmetic import share
from tted_core.compare import with_depths
from tted_core.errors import ChoiceError, UnknownNameError
from tted_core.explain.what_if import NOT_UNIQUE, Price, find_nearest, price_of, under_choices
from tted_core.explanation import Node, Operation
from tted_core.foundations.monitor import Monitor
from tted_core.report.palette import OP_STYLES
from tted_core.solvers import Choices
from tted_core.solvers.structure import Entry, entry_in_words
from ui.mapping.view import READING_CHOICE, explain_comparison, select, settle
from ui.page import show_error
from ui.running import run_watched
from ui.text import label_html, markdown_escaped, shorten

CHOICE = re.compile(r"(force|forbid)([0-9]{0,6})\.([0-9]{0,6})")  # one choice in a link
EARLIER = "choices-earlier"  # the session key of the choices before each one

PRICE_SECONDS = 3.0  # time limit of each price in the order unordered

# Characters of a sentence that are shown, and of one that is named within another.
TEXT_CHARACTERS, NAMED_CHARACTERS = 300, 40

CANDIDATES = 2

_PAIR = ("Why this pair?", "Don't pair these", "Always pair these")
# Operation -> what it does, the panel's title, and the buttons that forbid and force it.
WORDS_OF_OPERATIONS = {
    "match": ("Equal", *_PAIR),
    "replace": ("Replaced", *_PAIR),
    "delete": ("Deleted", "Why deleted?", "Don't delete it", "Always delete it"),
    "insert": ("Inserted", "Why inserted?", "Don't insert it", "Always insert it"),
}

# A node that a line's node could be paired with instead, the cost of that pair, and its entry.
Other: TypeAlias = tuple[Node, float, Entry]

# ("force" or "forbid", entry) -> its price, or the reason why it is impossible.
Prices: TypeAlias = dict[tuple[str, Entry], Price | str]


def turn_choices_to(left: TextTree, right: TextTree, depth: int | None = None) -> None:
    """Clear the choices for other maps than these, trimmed to the depth of their comparison."""
    state = st.session_state
    maps = tuple(each.trimmed(depth or each.depth).digest for each in (left, right))
    if (state.get("choices-maps") or maps) != maps:
        state.update({"choices": Choices(), EARLIER: []})
    state["choices-maps"] = maps


def choose(entry: Entry, action: str) -> None:
    """Keep a pair in the script ("force") or out of it ("forbid"), or "clear" that; for a widget's callback.

    The edit script opens at that pair.
    """
    before = st.session_state.get("choices", Choices())
    choices = before.without(entry)
    if action != "clear":
        choices = choices.with_forced(entry) if action == "force" else choices.with_forbidden(entry)
    st.session_state.setdefault(EARLIER, []).append(before)
    _show(choices)
    select(*entry)
    st.rerun()  # the whole page, also where a fragment has the button


def _undo() -> None:
    """Take the last choice back; of a link's choices, all."""
    _show((st.session_state.get(EARLIER) or [Choices()]).pop())


def _show(choices: Choices) -> None:
    st.session_state.update({"choices": choices, READING_CHOICE.name: "script"})


def with_choices(result: Comparison) -> Comparison:
    """The comparison under the kept choices; unchanged if there are none.

    If they exclude each other or name nodes that aren't there, none is applied.
    """
    turn_choices_to(result.left.tree, result.right.tree)
    choices: Choices = st.session_state.setdefault("choices", Choices())
    if not choices:
        return result
    try:
        return run_watched(
            "comparison/choices",
            (result.signature, choices),
            lambda monitor: with_depths(under_choices(result, choices, monitor=monitor), monitor),
            stop_help="Keeps the best edit script found so far that keeps your choices.",
        )
    except ChoiceError as error:
        show_error(error)
        st.button("Clear your choices", key="clear-choices", on_click=_show, args=(Choices(),))
        return result


def draw_choices(chosen: Comparison, free: Comparison) -> None:
    """Draw what the choices add to the distance, and the way back; nothing without choices."""
    choices: Choices = chosen.choices
    if not choices:
        return
    listed = ["All of the page shows this script; its cost is not the distance of the two maps."]
    for word, entries in (("Forced", choices.forced), ("Forbidden", choices.forbidden)):
        for entry in dict.fromkeys(entries):
            words = entry_in_words(entry, chosen.left.tree, chosen.right.tree)
            listed.append(f"{word}: {markdown_escaped(words)}")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="choices-list"):
        st.markdown(
            f"With {len(choices)} of your choices: {free.tted:.4f} → **{chosen.tted:.4f}** "
            f"(**+{price_text(chosen.tted - free.tted)}**)",
            width="content",
            help="\n\n".join(listed),
        )
        st.button("Undo", key="undo-choice", type="tertiary", on_click=_undo)


def price_text(price: Price | float) -> str:
    """A price with no more digits than it takes to see it, such as "0.4012", "at most 3.1e-05" or "0"."""
    if isinstance(price, Price):
        return f"{'' if price.proven else 'at most '}{price_text(price.at_most)}"
    if price <= 0:
        return "0"
    return f"{price:.4f}" if price >= 0.00005 else f"{price:.1e}"


def read_choices(text: str) -> dict[str, Any]:
    """Read the choices of a link; the maps aren't known yet."""
    choices = Choices()
    for part in filter(None, text.split("_")):
        found = CHOICE.fullmatch(part)
        if not found or part.endswith(("force.", "forbid.")):
            raise UnknownNameError("no pairs of nodes such as force3.4_forbid5.")
        source, target = (int(number) if number else None for number in found.groups()[1:])
        how = choices.with_forced if found[1] == "force" else choices.with_forbidden
        choices = how((source, target))
    return {"choices": choices, "choices-maps": None}


def write_choices(state: Mapping[str, Any]) -> str:
    """The choices as in a link: "force3.4_forbid5._force.6"; a missing number is the gap."""
    choices: Choices = state.get("choices", Choices())
    return "_".join(
        f"{word}{'' if source is None else source}.{'' if target is None else target}"
        for word, entries in (("force", choices.forced), ("forbid", choices.forbidden))
        for source, target in entries
    )


def draw_why(result: Comparison) -> None:
    """Draw the panel for the selected operation; nothing without one."""
    op = settle(result)
    if op is None:
        return
    operation = explain_comparison(result).operations[result.script.ops.index(op)]
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
        for node in filter(None, operation.nodes):
            st.html(f'<div style="overflow-wrap:anywhere">{label_html(node.label, TEXT_CHARACTERS)}</div>')
        others = _find_others(result, operation)
        entry = op.source, op.target
        prices = run_watched(
            "comparison/prices",
            (result.signature, entry),
            partial(_find_prices, result, entry, [entry for *_, entry in others]),
            stop_help="Shows the prices found so far.",
        )
        _draw_operation(result, operation, prices)
        if others:
            st.markdown("**Nearest in the other map**")
        most = max((cost for _, cost, _ in others), default=1.0) or 1.0
        for other in others:
            _draw_other(result, other, other[1] / most, prices)


def _find_others(result: Comparison, operation: Operation) -> list[Other]:
    """The nearest nodes besides the partner: of a pair one for each of its nodes, else those of the only one."""
    nodes, found = explain_comparison(result).nodes, list[Other]()
    for node in filter(None, operation.nodes):
        partner, others = operation.nodes[1 - node.side], list[Other]()
        how = {("source", "target")[node.side]: node.index}
        for each in find_nearest(result, **how, count=CANDIDATES + 1):
            other = nodes[1 - node.side][each.node]
            if other is not partner:
                entry = (node.index, each.node) if node.side == 0 else (each.node, node.index)
                others.append((other, each.cost, entry))
        found += others[: CANDIDATES // (2 if partner else 1)]
    return found


def _draw_operation(result: Comparison, operation: Operation, prices: Prices) -> None:
    """Draw the cost of the operation, that of another script, and the buttons to force or forbid it."""
    op = operation.edit
    does, _title, forbid, force = WORDS_OF_OPERATIONS[op.op]
    entry = op.source, op.target
    facts = f"{OP_STYLES[op.op].glyph} {does}: costs **{op.cost:.4f}**, "
    facts += f"{share(op.cost, result.tted, result.method.power):.1%} of {result.script.unit.total}."
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
        _draw_choice(result, forbid, "why-forbid", price, (entry, "forbid"))
    elif price:
        st.caption(f"No script is without it: {markdown_escaped(price)}.")
    st.button(
        f"{force}: at no cost",
        key="why-keep",
        on_click=choose,
        args=(entry, "force"),
        help="Keeps it, so that other choices can't undo it.",
    )


def _draw_other(result: Comparison, other: Other, width: float, prices: Prices) -> None:
    """Draw a candidate: its cost as a bar, what it is now, and the button to pair it, or why it can't be."""
    node, cost, entry = other
    st.html(
        f'<div style="overflow-wrap:anywhere">{label_html(node.label, TEXT_CHARACTERS)} <b>{cost:.4f}</b></div>'
        '<div style="height:5px;border-radius:3px;background:rgba(128,128,128,.18)"><div style="height:100%;'
        f'border-radius:3px;width:{100 * width:.0f}%;background:currentColor;opacity:.6"></div></div>'
    )
    partner = node.operation.nodes[1 - node.side]
    words = (
        f"now paired with “{shorten(partner.label, NAMED_CHARACTERS)}”"
        if partner
        else f"now {('deleted', 'inserted')[node.side]}"
    )
    price = prices.get(("force", entry))
    refusal = price if isinstance(price, str) else None
    if refusal and entry not in result.choices.forbidden:
        words += f"; can't be paired{' beside your choices' if result.choices else ''}"
    st.caption(markdown_escaped(words), help=refusal and markdown_escaped(refusal))
    if entry in result.choices.forbidden:
        st.button(
            "Forbidden by you: clear",
            key=f"why-allow-{1 - node.side}-{node.index}",
            on_click=choose,
            args=(entry, "clear"),
        )
    elif isinstance(price, Price):
        _draw_choice(
            result, "Pair with this", f"why-force-{1 - node.side}-{node.index}", price, (entry, "force")
        )


def _draw_choice(result: Comparison, label: str, key: str, price: Price, choice: tuple[Entry, str]) -> None:
    """Draw the button of a choice, as of ``choose``, with what it adds: "Pair with this: 0.4012 more"."""
    more = price_text(price)
    st.button(
        f"{label}: {'at no cost' if more == '0' else f'{more} more'}",
        key=key,
        on_click=choose,
        args=choice,
        help=f"Shows the best such script, with TTED {result.tted + price.at_most:.4f}.",
    )


def _find_prices(result: Comparison, entry: Entry, pairs: Sequence[Entry], monitor: Monitor) -> Prices:
    seconds = PRICE_SECONDS if result.method.order == "unordered" else None
    chosen = result.choices
    wanted = [
        ("forbid", entry, chosen.with_forbidden(entry)),
        *(("force", pair, chosen.with_forced(pair)) for pair in pairs),
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
