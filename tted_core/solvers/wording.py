"""Choices and obstacles as text for messages and pages. Labels in them are users' texts.

Nodes are named by their preorder index, as in scripts and links; with ``postorder`` by their number in postorder,
from 1, as in explanations of the algorithm.
"""

import re

from tted_core.solvers.structure import Entry, Obstacle, Pair, relations
from tted_core.tree import TextTree

_SHOWN = 50
"""Maximum characters of a label in a message."""

_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")

_POSITIONS = {1: "above", 2: "below", 3: "beside"}


def obstacle_in_words(
    found: Obstacle, pair: Pair, left: TextTree, right: TextTree, *, postorder: bool = False
) -> str:
    """The reason, as part of a sentence; the labels are users' texts."""
    first = found.others[0]
    other = pair_in_words(first, left, right, postorder=postorder)
    if found.rule == "one-to-one":
        tree, node = (left, pair[0]) if first[0] == pair[0] else (right, pair[1])
        shared = node_in_words(tree, node, postorder=postorder)
        return f"{shared} already has another partner ({other})"
    if found.rule == "ancestors":
        sides = [
            _POSITIONS[relations(tree, node, ordered=False)[partner]]
            for tree, node, partner in ((left, pair[0], first[0]), (right, pair[1], first[1]))
        ]
        return (
            f"ancestors must stay ancestors, but {other} is {sides[0]} it on the left and {sides[1]} it "
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
        f"{pair_in_words(second, left, right, postorder=postorder)} it would join or split one"
    )


def entry_in_words(entry: Entry, left: TextTree, right: TextTree, *, postorder: bool = False) -> str:
    """A choice for a message; the labels are users' texts."""
    v, w = entry
    if v is not None and w is not None:
        return f"the pair {pair_in_words((v, w), left, right, postorder=postorder)}"
    if v is not None:
        return f"the deletion of {node_in_words(left, v, postorder=postorder)}"
    return f"the insertion of {node_in_words(right, w or 0, postorder=postorder)}"


def pair_in_words(pair: Pair, left: TextTree, right: TextTree, *, postorder: bool = False) -> str:
    """Both nodes, or their common text and both numbers."""
    v, w = pair
    if left.labels[v] == right.labels[w]:
        numbers = [node_number(*each, postorder=postorder) for each in ((left, v), (right, w))]
        return f"“{_short(left.labels[v])}” (no. {numbers[0]} → {numbers[1]})"
    return " → ".join(node_in_words(*each, postorder=postorder) for each in ((left, v), (right, w)))


def node_in_words(tree: TextTree, node: int, *, postorder: bool = False) -> str:
    """A node: its text, shortened, and its number."""
    return f"“{_short(tree.labels[node])}” (no. {node_number(tree, node, postorder=postorder)})"


def node_number(tree: TextTree, node: int, *, postorder: bool = True) -> int:
    """A node's number in postorder, from 1; otherwise its preorder index, from 0."""
    return node + tree.sizes[node] - tree.depths[node] + 1 if postorder else node


def _short(label: str) -> str:
    words = " ".join(label.split())
    if len(words) > _SHOWN:
        words = f"{words[: _SHOWN - 1]}…"
    # Characters that change the writing direction must not affect the sentence around the label.
    return f"\u2068{words}\u2069" if _TURNS.search(words) else words
