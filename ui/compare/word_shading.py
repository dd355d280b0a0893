"""The words of a replaced pair that cause its distance: as shading, and as a list for screen readers."""

import html

import streamlit as st

from tted_core import Comparison, TTEDError
from tted_core.compare import loaded_distance
from tted_core.explain.pair_words import pair_words
from tted_core.script import EditOp
from tted_core.words.importance import WordChange, WordImportance
from ui import models
from ui.errors import show_error
from ui.running import watched
from ui.text import html_escaped, shortened

APART, TOGETHER = "201,55,44", "70,110,190"
"""Red for words that raise the distance, blue for words that lower it."""

LISTED = 4
SHOWN = 4_000
"""Characters of a sentence that are shaded."""


def word_shading(result: Comparison, op: EditOp) -> None:
    """Draw a switch, and the shading of both sentences if it is on."""
    if not st.toggle(
        "Which words cause the distance?",
        key="word-shading",
        help="Leaves out each word in turn and encodes the rest: the change of this pair's cost.",
    ):
        return
    try:
        found = watched(
            "comparison/words",
            (result.signature, op.source, op.target),
            lambda monitor: pair_words(
                result,
                loaded_distance(result.method, models.models()),
                op.source or 0,
                op.target or 0,
                monitor=monitor,
            ),
            stop_help="Leaves the words unshaded.",
        )
    except TTEDError as error:
        show_error(error)
        return
    labels = result.left.tree.labels[op.source or 0], result.right.tree.labels[op.target or 0]
    st.html(shading(labels, found))
    st.caption(
        "Underlined, red: without this word the pair would cost less. Dotted, blue: it would cost more, so the "
        "word holds the two together. The stronger the shade, the larger the change; changes need not add up."
    )


def shading(labels: tuple[str, str], found: WordImportance) -> str:
    """HTML of both sentences shaded, and below them the words with the largest changes."""
    strongest = max((abs(word.change) for word in (*found.first, *found.second)), default=0.0)
    sides = zip(("Left", "Right"), labels, (found.first, found.second), strict=True)
    return "".join(
        f'<div style="margin:.4rem 0;overflow-wrap:anywhere;line-height:1.8"><b>{name}</b> '
        f"<bdi>{_shaded(label, words, strongest)}</bdi>"
        f'<div style="font-size:.875rem;opacity:.85;line-height:1.4">{_listed(label, words)}</div></div>'
        for name, label, words in sides
    )


def _shaded(label: str, words: tuple[WordChange, ...], strongest: float) -> str:
    parts, reached = [], 0
    for word in words:
        if word.end > SHOWN:
            break
        strength = abs(word.change) / strongest if strongest else 0.0
        colour, line = (APART, "solid") if word.change < 0 else (TOGETHER, "dotted")
        style = f"background:rgba({colour},{0.45 * strength:.3f});border-radius:3px;padding:0 .1em"
        if strength > 0.2:
            style += f";border-bottom:2px {line} rgb({colour})"
        parts += [
            html.escape(label[reached : word.start]),
            (
                f'<span style="{style}" title="{word.change:+.4f} without it">'
                f"{html.escape(label[word.start : word.end])}</span>"
            ),
        ]
        reached = word.end
    parts.append(html.escape(shortened(label[reached:], max(SHOWN - reached, 1))))
    return "".join(parts)


def _listed(label: str, words: tuple[WordChange, ...]) -> str:
    """A text with the words with the largest changes of either sign."""
    by_change = sorted(words, key=lambda each: each.change)
    lists = []
    for meaning, chosen in (
        ("make the distance", [each for each in by_change if each.change < 0]),
        ("hold the two together", [each for each in reversed(by_change) if each.change > 0]),
    ):
        if chosen:
            shown = ", ".join(
                f"{html_escaped(shortened(label[each.start : each.end], 40))} ({each.change:+.4f})"
                for each in chosen[:LISTED]
            )
            more = f" and {len(chosen) - LISTED} more" if len(chosen) > LISTED else ""
            lists.append(f"{meaning}: {shown}{more}")
    return "; ".join(lists) or "no word changes anything"
