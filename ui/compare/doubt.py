"""Which matches have close alternatives: checked at once for small maps, on request for large ones."""

import time
from functools import partial

import streamlit as st

from tted_core import Comparison
from tted_core.explain.doubt import NOT_UNIQUE, Doubts, doubts, noted
from tted_core.explain.what_if import Price
from tted_core.foundations.monitor import Monitor
from tted_core.solvers.structure import Entry
from ui.compare.choices import price_text
from ui.running import begun, watched
from ui.text import plural

CHECK_SECONDS = 10.0
"""A round of checking ends then with what it has found; the most costly replacements come first."""

UNORDERED_SECONDS = 2.0
"""For each operation, in the order that may take long."""

AT_ONCE = 3_000_000
"""Operations times pairs of nodes that are checked without being asked for: up to half a second."""


def known_doubts(result: Comparison) -> Doubts | None:
    """What is in doubt about the script; None where it takes long and nobody has asked for it yet."""
    work = len(result.script.ops) * len(result.left.tree) * len(result.right.tree)
    quick = result.method.order != "unordered" and work <= AT_ONCE
    if not quick and not begun("comparison/doubt", result.signature):
        return None
    return _checked(result)


def with_doubts(result: Comparison) -> Comparison:
    """The comparison for the views: operations that are known to be in doubt have a note that says so."""
    found = known_doubts(result)
    return result if found is None else noted(result, found)


def doubt_notice(result: Comparison) -> None:
    """Say what is in doubt, or offer to find out."""
    found = known_doubts(result)
    if found is None:
        if not st.button(
            "Check which matches have alternatives",
            help="Looks, for each operation, for the best script without it, the most costly replacements "
            f"first. For maps of this size that takes a while: what {CHECK_SECONDS:g} seconds have found is "
            f"shown, and you "
            "can go on.",
        ):
            return
        _checked(result)
        st.rerun()  # the views above were drawn without it
    doubtful = found.not_unique()
    checked = (
        "" if found.complete else f" Only {len(found.prices)} of {found.operations} operations were checked."
    )
    if doubtful:
        ties = sum(1 for entry in doubtful if (price := found.prices[entry]) and price.at_most == 0)
        if ties == len(doubtful):
            otherwise = "another script costs the same"
        else:
            otherwise = f"another script costs at most {price_text(found.close)} more"
            otherwise += f", and for {ties} of them just the same" if ties else ""
        st.markdown(
            f"≈ **{plural(len(doubtful), 'operation')} of {found.operations}** have close alternatives "
            f"({NOT_UNIQUE}): {otherwise}.{checked}",
            help="Close means within 1 % of the total, and no more than a tenth of what a node costs to delete.",
        )
    else:
        close = f"over {price_text(found.close).removeprefix('+')} more" if found.close else "more"
        st.markdown(f"✓ No other script comes close: each costs {close}.{checked}")


def doubt_texts(result: Comparison) -> dict[Entry, str]:
    """What the best script without each operation costs more, of those that were checked."""
    found = known_doubts(result)
    return {} if found is None else {entry: _price_text(price) for entry, price in found.prices.items()}


def _price_text(price: Price | None) -> str:
    if price is None:
        return "nothing else possible"
    at_most = "" if price.proven else "at most "
    return f"{at_most}{price_text(price.at_most)}"


def _checked(result: Comparison) -> Doubts:
    return watched(
        "comparison/doubt",
        result.signature,
        partial(_check, result),
        stop_help="Keeps what was checked so far; the most costly replacements come first.",
    )


def _check(result: Comparison, monitor: Monitor) -> Doubts:
    """Which operations have close alternatives, of those for which there is time."""
    end = time.monotonic() + CHECK_SECONDS
    return doubts(
        result,
        time_limit=UNORDERED_SECONDS,
        monitor=Monitor(monitor.report, lambda: monitor.stopped or time.monotonic() > end),
    )
