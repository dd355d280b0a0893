"""Rules of the orders: which pairs of nodes exclude each other in a mapping.

All orders map one-to-one and ancestors to ancestors (Tai 1979). "ordered" also keeps left and right (Zhang and
Shasha 1989); both rules concern two pairs at a time. "constrained" concerns three: the lowest common ancestor of a
and b is an ancestor of c in one tree exactly if it is in the other (Zhang 1996, definition of the constrained
mapping).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.tree import TextTree

Pair: TypeAlias = tuple[int, int]
Entry: TypeAlias = tuple[int | None, int | None]
"""An entry of a mapping: a pair, or one node and None for the gap."""

Rule: TypeAlias = Literal["one-to-one", "ancestors", "siblings", "branches"]

SAME, ABOVE, BELOW, APART, AFTER = range(5)


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
