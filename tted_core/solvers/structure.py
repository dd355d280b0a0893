"""Rules of the orders: which pairs of nodes exclude each other in a mapping.

All orders map one-to-one and ancestors to ancestors (Tai 1979). "ordered" also keeps left and right (Zhang and
Shasha 1989); both rules concern two pairs at a time. "constrained" concerns three: the lowest common ancestor of a
and b is an ancestor of c in one tree exactly if it is in the other (Zhang 1996, definition of the constrained
mapping).

In words, for messages and pages, nodes are named by their preorder index, as in scripts and links; with
``postorder`` by their number in postorder, from 1, as in explanations of the algorithm. Labels are users' texts.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.tree import TextTree

Pair: TypeAlias = tuple[int, int]
# An entry of a mapping: a pair, or one node and None for the gap.
Entry: TypeAlias = tuple[int | None, int | None]

Rule: TypeAlias = Literal["one-to-one", "ancestors", "siblings", "branches"]

SAME, ABOVE, BELOW, APART, AFTER = range(5)

_SHOWN = 50  # maximum characters of a label in a message

_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")

_POSITIONS = {ABOVE: "above", BELOW: "below", APART: "beside"}


@dataclass(frozen=True)
class Obstacle:
    """A rule that a pair would break together with other pairs: one of them, or two for the rule "branches".

    ``others`` are all single pairs that exclude it, or the first two that do so together.
    """

    rule: Rule
    others: tuple[Pair, ...]


def obstacle(
    left: TextTree, right: TextTree, order: str, pair: Pair, others: Sequence[Pair]
) -> Obstacle | None:
    """The reason why ``pair`` can't join ``others``, which are a mapping of this order; None if it can."""
    if not others:
        return None
    sources, targets = np.array(others, dtype=np.intp).T
    here = relations(left, pair[0], ordered=order == "ordered")[sources]
    there = relations(right, pair[1], ordered=order == "ordered")[targets]
    if not np.array_equal(here, there):
        lines: tuple[tuple[Rule, NDArray[np.bool_]], ...] = (
            ("one-to-one", (here == SAME) | (there == SAME)),
            ("ancestors", np.minimum(here, APART) != np.minimum(there, APART)),
            ("siblings", here != there),
        )
        for rule, breaks in lines:
            found = np.flatnonzero(breaks & (here != there)).tolist()
            if found:
                return Obstacle(rule, tuple(others[index] for index in found))
    if order == "constrained":
        return _branches_broken(left, right, pair, others)
    return None


def relations(tree: TextTree, node: int, *, ordered: bool) -> NDArray[np.int8]:
    """(n,) relation of every node to this one: SAME, ABOVE, BELOW or APART; AFTER it too if ordered."""
    nodes = np.arange(len(tree))
    sizes = np.array(tree.sizes)
    found = np.full(len(tree), APART, dtype=np.int8)
    if ordered:
        found[nodes > node] = AFTER
    found[(nodes < node) & (nodes + sizes > node)] = ABOVE
    found[node : node + sizes[node]] = BELOW
    found[node] = SAME
    return found


def _branches_broken(left: TextTree, right: TextTree, pair: Pair, others: Sequence[Pair]) -> Obstacle | None:
    """Two of ``others`` with which the pair breaks Zhang's condition, in any of the three roles."""
    sides = []
    for tree, nodes, node in zip((left, right), np.array(others, dtype=np.intp).T, pair, strict=True):
        common = _lowest_common_ancestors(tree)
        ends = np.arange(len(tree)) + np.array(tree.sizes)
        between, mine = common[np.ix_(nodes, nodes)], common[node, nodes][:, None]
        pair_is_below = (between < node) & (node < ends[between])
        other_is_below = (mine < nodes[None]) & (nodes[None] < ends[mine])
        sides.append((pair_is_below, other_is_below))
    for here, there in zip(*sides, strict=True):
        differ = here != there
        np.fill_diagonal(differ, val=False)  # the condition concerns three different pairs
        if differ.any():
            first, second = np.argwhere(differ)[0]
            return Obstacle("branches", (others[first], others[second]))
    return None


def _lowest_common_ancestors(tree: TextTree) -> NDArray[np.int32]:
    """(n, n) lowest common ancestors: a node's row is its parent's, except for its own subtree."""
    common = np.zeros((len(tree), len(tree)), dtype=np.int32)
    for node, (parent, size) in enumerate(zip(tree.parents, tree.sizes, strict=True)):
        if parent >= 0:
            common[node] = common[parent]
        common[node, node : node + size] = node
    return common


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
