"""Edits of a map at known nodes, for testing settings and solvers.

A good measure of maps stays low for rewording and rises with every change of structure and of meaning
(Sobolevsky and Vorontsov 2025, sections III and IV). For a seed, the edits of a smaller number are among those
of a larger one, so that a curve over numbers follows one map.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, TypeVar

from tted_core.errors import InvalidTreeError
from tted_core.tree import TextTree

DOSES: dict[str, Callable[[int], int]] = {
    "1": lambda _size: 1,
    "2": lambda _size: 2,
    "3": lambda _size: 3,
    "20%": lambda size: max(1, round(0.2 * size)),
    "50%": lambda size: max(1, round(0.5 * size)),
}
"""Name -> number of edits for a map of so many nodes."""

Thing = TypeVar("Thing")


@dataclass(eq=False)
class Node:
    """A node of a map under edit.

    Attributes:
        text: its text.
        origin: the node of the original map that has this text; None for a text that the map didn't have.
        below: its children in order.
    """

    text: str
    origin: int | None
    below: list["Node"]


class Edited(NamedTuple):
    """An edited map.

    Attributes:
        tree: the map after the edits.
        truth: node before -> the node that has its sentence now, without nodes that were deleted or whose sentence
            was replaced with another topic's.
    """

    tree: TextTree
    truth: Mapping[int, int]


def edit_tree(
    tree: TextTree, name: str, count: int, *, seed: int | str = 0, texts: Sequence[str] = ()
) -> Edited:
    """The tree after so many edits, or fewer if it has fewer nodes for them.

    Args:
        tree: the map to edit.
        name: a name of ``EDITS``.
        count: how many times.
        seed: another seed edits other nodes.
        texts: texts for "swap" and "insert", each used once before any is used twice; the map's own are skipped.

    Raises:
        InvalidTreeError: an edit needs texts, and all are the map's own.

    >>> edit_tree(TextTree(("Plants", "Roots", "Leaves"), (-1, 0, 0)), "exchange", 1).tree.labels
    ('Leaves', 'Roots', 'Plants')
    """
    own = set(tree.labels)
    others = [text for text in texts if text not in own]
    if name in {"swap", "insert"} and not others:
        raise InvalidTreeError("all texts of the other map are in this one too; name a map of another topic")
    nodes = [Node(text, number, []) for number, text in enumerate(tree.labels)]
    for node, parent in zip(nodes[1:], tree.parents[1:], strict=True):
        nodes[parent].below.append(node)
    EDITS[name](nodes, count, Random(seed), others)
    order, parents, pending = list[Node](), list[int](), [(nodes[0], -1)]
    while pending:
        node, parent = pending.pop()
        pending += [(child, len(order)) for child in reversed(node.below)]
        order.append(node)
        parents.append(parent)
    truth = {node.origin: position for position, node in enumerate(order) if node.origin is not None}
    return Edited(TextTree(tuple(node.text for node in order), tuple(parents)), truth)


def swap(nodes: list[Node], count: int, rng: Random, texts: Sequence[str]) -> None:
    """Replace texts with those of another map."""
    for node, text in zip(_permute(nodes, rng)[:count], _in_turn(texts, count, rng), strict=False):
        node.text, node.origin = text, None


def move(nodes: list[Node], count: int, rng: Random, _texts: Sequence[str]) -> None:
    """Move branches to other parents."""
    for node in _permute(nodes[1:], rng):
        if not count:
            return
        before, branch = _parent(nodes, node), [node]
        for each in branch:
            branch += each.below
        parents = [each for each in nodes if each not in branch and each is not before]
        if parents:  # none for the only child of the root
            parent = rng.choice(parents)
            before.below.remove(node)
            parent.below.insert(rng.randint(0, len(parent.below)), node)
            count -= 1


def delete(nodes: list[Node], count: int, rng: Random, _texts: Sequence[str]) -> None:
    """Delete nodes; their children move up."""
    for node in _permute(nodes[1:], rng)[:count]:
        siblings = _parent(nodes, node).below
        position = siblings.index(node)
        siblings[position : position + 1] = node.below
        node.below = []


def insert(nodes: list[Node], count: int, rng: Random, texts: Sequence[str]) -> None:
    """Insert texts of another map as leaves."""
    for text in _in_turn(texts, count, rng):
        parent = rng.choice(nodes)
        parent.below.insert(rng.randint(0, len(parent.below)), Node(text, None, []))


def exchange(nodes: list[Node], count: int, rng: Random, _texts: Sequence[str]) -> None:
    """Exchange two texts, three in a cycle, and so on: one text more than the count."""
    ring = _permute(nodes, rng)[: count + 1]
    moved = [(node.text, node.origin) for node in ring]
    for node, (text, origin) in zip((*ring[1:], ring[0]), moved, strict=True):
        node.text, node.origin = text, origin


EDITS = {each.__name__: each for each in (swap, move, delete, insert, exchange)}
"""Kinds of edits by name: functions that make so many of them, with random numbers and texts of other maps."""


def _parent(nodes: list[Node], node: Node) -> Node:
    return next(each for each in nodes if node in each.below)


def _permute(things: Sequence[Thing], rng: Random) -> list[Thing]:
    shuffled = list(things)
    rng.shuffle(shuffled)
    return shuffled


def _in_turn(texts: Sequence[str], count: int, rng: Random) -> list[str]:
    turn = _permute(texts, rng)
    return [turn[index % len(turn)] for index in range(count)]
