"""Choices and obstacles in words, for messages and pages. Labels in them are users' texts."""

import re

from tted_core.solvers.structure import Entry, Obstacle, Pair, relations
from tted_core.tree import TextTree

SHOWN = 50
"""Characters of a label in a message."""

_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")

_POSITIONS = {1: "above", 2: "below", 3: "beside"}


def obstacle_in_words(found: Obstacle, pair: Pair, left: TextTree, right: TextTree) -> str:
    """The reason, as a part of a sentence; the labels are users' texts."""
    first = found.others[0]
    other = pair_in_words(first, left, right)
    if found.rule == "one-to-one":
        shared = node_in_words(left, pair[0]) if first[0] == pair[0] else node_in_words(right, pair[1])
        return f"{shared} already has another partner ({other})"
    if found.rule == "ancestors":
        sides = [
            _POSITIONS[relations(tree, node, ordered=False)[partner]]
            for tree, node, partner in ((left, pair[0], first[0]), (right, pair[1], first[1]))
        ]
        return (
            f"what lies above must stay above, but {other} lies {sides[0]} it on the left and {sides[1]} it "
            "on the right"
        )
    if found.rule == "siblings":
        side = "before" if first[0] < pair[0] else "after"
        across = "after" if side == "before" else "before"
        return (
            f"the order of branches must be kept, but {other} comes {side} it on the left and {across} it on "
            "the right"
        )
    second = found.others[1]
    return (
        f"separate branches must stay separate, but together with {other} and "
        f"{pair_in_words(second, left, right)} it would join or split one"
    )


def entry_in_words(entry: Entry, left: TextTree, right: TextTree) -> str:
    """A choice for a message; the labels are users' texts."""
    v, w = entry
    if v is not None and w is not None:
        return f"the pair {pair_in_words((v, w), left, right)}"
    if v is not None:
        return f"the deletion of {node_in_words(left, v)}"
    return f"the insertion of {node_in_words(right, w or 0)}"


def pair_in_words(pair: Pair, left: TextTree, right: TextTree) -> str:
    """Both nodes, or the text that they share and both numbers."""
    v, w = pair
    if left.labels[v] == right.labels[w]:
        return f"“{_short(left.labels[v])}” (no. {v} → {w})"
    return f"{node_in_words(left, v)} → {node_in_words(right, w)}"


def node_in_words(tree: TextTree, node: int) -> str:
    """A node by its text, shortened, and its number."""
    return f"“{_short(tree.labels[node])}” (no. {node})"


def _short(label: str) -> str:
    words = " ".join(label.split())
    if len(words) > SHOWN:
        words = f"{words[: SHOWN - 1]}…"
    # Characters that turn the direction of writing must not reach the sentence around the label.
    return f"\u2068{words}\u2069" if _TURNS.search(words) else words
