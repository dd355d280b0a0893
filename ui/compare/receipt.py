"""The cost receipt: where the open reading's costs add up, and which operations have close alternatives."""

import html
import time
from collections.abc import Mapping
from functools import partial

import streamlit as st

from tted_core import Comparison
from tted_core.explain.doubt import NOT_UNIQUE, Doubts, add_notes, doubts
from tted_core.foundations.monitor import Monitor
from tted_core.report.palette import KIND_STYLES
from tted_core.report.readings import Reading, Subtotal
from tted_core.script import Unit
from ui.compare.choices import price_text
from ui.mapping.view import open_reading
from ui.running import begun, run_watched
from ui.text import plural

CHECK_SECONDS = 10.0
"""A check for alternatives ends then with what it has found; the most costly replacements come first."""

ALTERNATIVE_SECONDS = 2.0
"""For each operation of a script in the order unordered."""

CHECKED_AT_ONCE = 3_000_000
"""Operations times pairs of nodes that are checked without a click: up to half a second."""


def receipt_tab(result: Comparison) -> None:
    """Draw how many operations have alternatives, and the bars and the sum of the open reading."""
    found = open_reading(result)
    _alternatives(result)
    if found.unit.power != 1:
        st.caption(
            f"Shares of {found.unit.total}: costs are raised to the power {found.unit.power:g} and added up, so "
            "the shares add up and the costs themselves don't."
        )
    kinds = {f"{KIND_STYLES[kind].glyph} {kind}": part for kind, part in found.by_kind.items() if part.count}
    # The level of a line's left node; of one without it, that of its right one.
    by_level = found.subtotals(lambda line: next(node.level for node in line.nodes if node))
    levels = {f"Level {level}": part for level, part in sorted(by_level.items())}
    by_kind, noun = ("By operation", "operation") if found.name == "script" else ("By status", "sentence")
    for column, title, parts in zip(
        st.columns(2, gap="medium"), (by_kind, "By level"), (kinds, levels), strict=True
    ):
        column.html(_bars(title, parts, found.unit, noun))
    st.markdown(_sum(found, noun, result.tted))


def _sum(reading: Reading, noun: str, tted: float) -> str:
    unit, count = reading.unit, sum(line.amount > 0 for line in reading.lines)
    if unit.power == 1:
        return f"Sum of the costs of {plural(count, noun)}: **{reading.whole:.4f}** = TTED **{tted:.4f}**"
    shares = f"{plural(count, 'share')} of {unit.total}"
    return f"Sum of the {shares}: **{unit.text(reading.whole)}**, where d = TTED **{tted:.4f}**"


def _bars(title: str, parts: Mapping[str, Subtotal], unit: Unit, noun: str) -> str:
    """HTML of a titled list of bars; ``noun`` is the word for what they count."""
    items = []
    for label, part in parts.items():
        share = f" · {part.share:.0%}" if unit.power == 1 else ""
        value = f"{unit.text(part.amount)}{share} · {plural(part.count, noun)}"
        items.append(
            '<li style="margin:.35rem 0">'
            '<div style="display:flex;justify-content:space-between;gap:1rem;font-size:.875rem">'
            f"<span>{html.escape(label)}</span>"
            f'<span style="white-space:nowrap;font-variant-numeric:tabular-nums">{html.escape(value)}</span></div>'
            '<div style="height:.5rem;border-radius:3px;background:rgba(128,128,128,.18)">'
            f'<div style="height:100%;border-radius:3px;width:{100 * min(max(part.share, 0.0), 1.0):.2f}%;'
            'background:currentColor;opacity:.6"></div></div></li>'
        )
    return (
        f'<div style="font-weight:600;font-size:.9rem">{title}</div>'
        f'<ul style="list-style:none;padding:0;margin:.25rem 0 1rem">{"".join(items)}</ul>'
    )


def find_known_doubts(result: Comparison) -> Doubts | None:
    """The prices of alternatives to the operations; None where they take long and weren't requested yet."""
    work = len(result.script.ops) * len(result.left.tree) * len(result.right.tree)
    quick = result.method.order != "unordered" and work <= CHECKED_AT_ONCE
    return _find_doubts(result) if quick or begun("comparison/doubt", result.signature) else None


def with_doubts(result: Comparison) -> Comparison:
    """The comparison with a note on each operation that is known to have a close alternative."""
    found = find_known_doubts(result)
    return result if found is None else add_notes(result, found)


def _alternatives(result: Comparison) -> None:
    """Report which operations have close alternatives, or offer to check."""
    found = find_known_doubts(result)
    if found is None:
        if not st.button(
            "Check which matches have alternatives",
            help="Looks, for each operation, for the best script without it, the most costly replacements "
            f"first. For maps of this size that takes a while: what {CHECK_SECONDS:g} seconds have found is "
            "shown, and you can go on.",
        ):
            return
        _find_doubts(result)
        st.rerun()  # the views above were drawn without it
    doubtful = found.not_unique()
    checked = (
        "" if found.complete else f" Only {len(found.prices)} of {found.operations} operations were checked."
    )
    if not doubtful:
        more = f": each costs over {price_text(found.close)} more" if found.close else ""
        st.markdown(f"✓ No other script comes close{more}.{checked}")
        return
    st.markdown(
        f"≈ **{plural(len(doubtful), 'operation')} of {found.operations}** have close alternatives "
        f"({NOT_UNIQUE}): another script costs at most {price_text(found.close)} more.{checked}",
        help="Close means within 1 % of the total, and no more than a tenth of what a node costs to delete.",
    )


def _find_doubts(result: Comparison) -> Doubts:
    return run_watched(
        "comparison/doubt",
        result.signature,
        partial(_check, result),
        stop_help="Keeps what was checked so far; the most costly replacements come first.",
        shared=result.proven,  # else another user's script may be another one
        keeps=lambda found: found.complete,
    )


def _check(result: Comparison, monitor: Monitor) -> Doubts:
    """The prices of alternatives that there is time for."""
    end = time.monotonic() + CHECK_SECONDS
    return doubts(
        result,
        time_limit=ALTERNATIVE_SECONDS,
        monitor=Monitor(monitor.report, lambda: monitor.stopped or time.monotonic() > end),
    )
