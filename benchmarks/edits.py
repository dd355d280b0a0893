"""Edits of a map at known nodes, for testing settings.

A good measure of maps stays low for rewording and rises with every change of structure and of meaning
(Sobolevsky and Vorontsov 2025, sections III and IV). For a seed, the edits of a smaller number are among those
of a larger one, so that a curve over numbers follows one map.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import TypeVar

from tted_core.errors import InvalidTreeError
from tted_core.foundations.registry import lookup
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

NEW = -1
"""Stands for the node number of a sentence that the map didn't have."""


@dataclass
class Draft:
    """A tree being edited. Nodes keep their numbers; the root is always 0.

    Attributes:
        labels: the text of each node.
        parents: each node's parent.
        children: each node's children in order.
        sentences: for each node the original node whose sentence it has, or ``NEW``.
    """

    labels: list[str]
    parents: list[int]
    children: list[list[int]]
    sentences: list[int]

    @classmethod
    def of(cls, tree: TextTree) -> "Draft":
        """A draft of the tree; its nodes have their preorder indices."""
        children = [list(nodes) for nodes in tree.children]
        return cls(list(tree.labels), list(tree.parents), children, list(range(len(tree))))

    def subtree(self, node: int) -> Iterator[int]:
        """The node and all its descendants, in preorder."""
        stack = [node]
        while stack:
            yield (node := stack.pop())
            stack.extend(reversed(self.children[node]))

    def finished(self) -> "Edited":
        """The current tree, without removed nodes."""
        order = list(self.subtree(0))
        position = {node: index for index, node in enumerate(order)}
        tree = TextTree(
            tuple(self.labels[node] for node in order),
            tuple(position.get(self.parents[node], -1) for node in order),
        )
        truth = {self.sentences[node]: position[node] for node in order if self.sentences[node] != NEW}
        return Edited(tree, dict(sorted(truth.items())))

    def move(self, node: int, parent: int, position: int) -> None:
        """Move a node with its subtree to ``parent``, which is not in that subtree."""
        self.children[self.parents[node]].remove(node)
        self.children[parent].insert(position, node)
        self.parents[node] = parent

    def remove(self, node: int) -> None:
        """Remove a node; its children move up to its parent."""
        parent = self.parents[node]
        position = self.children[parent].index(node)
        self.children[parent][position : position + 1] = self.children[node]
        for child in self.children[node]:
            self.parents[child] = parent

    def add(self, label: str, parent: int, position: int) -> None:
        """Add a leaf."""
        self.children[parent].insert(position, len(self.labels))
        self.labels.append(label)
        self.parents.append(parent)
        self.children.append([])
        self.sentences.append(NEW)


@dataclass(frozen=True)
class Edited:
    """An edited map.

    Attributes:
        tree: the map after the edits.
        truth: node before -> the node that has its sentence now, without nodes that were deleted or whose sentence
            was replaced with another topic's.
    """

    tree: TextTree
    truth: Mapping[int, int]


@dataclass(frozen=True)
class _Edit:
    """A kind of edit.

    Attributes:
        title: description for users.
        sites: number of nodes or words of a map where it can be made.
        apply: makes so many edits, with random numbers and texts of other maps.
        needs_texts: True if it needs those texts.
    """

    title: str
    sites: Callable[[TextTree], int]
    apply: Callable[[Draft, int, Random, Sequence[str]], None]
    needs_texts: bool = False


def edit_tree(
    tree: TextTree, name: str, count: int, *, seed: int | str = 0, texts: Sequence[str] = ()
) -> Edited:
    """The tree after so many edits, or fewer if it has fewer sites.

    Args:
        tree: the map to edit.
        name: a name of ``EDITS``.
        count: how many times.
        seed: another seed edits other nodes.
        texts: texts for "meaning" and "insert", each used once before any is used twice; the map's own are
            skipped.

    Raises:
        UnknownNameError: no such edit.
        InvalidTreeError: an edit needs texts, and all are the map's own.

    >>> edit_tree(TextTree(("Plants", "Roots", "Leaves"), (-1, 0, 0)), "shuffle", 1).tree.labels
    ('Plants', 'Leaves', 'Roots')
    """
    edit = lookup(EDITS, name, "edit")
    own = set(tree.labels)
    others = [text for text in texts if text not in own]
    if edit.needs_texts and not others:
        raise InvalidTreeError("all texts of the other map are in this one too; name a map of another topic")
    draft = Draft.of(tree)
    edit.apply(draft, count, Random(seed), others)
    return draft.finished()


def _replace_words(draft: Draft, count: int, rng: Random, _texts: Sequence[str]) -> None:
    chosen = []
    for node, word in _permute(_find_known_words(draft.labels), rng)[:count]:
        other = rng.choice(synonyms()[word[0].lower()])
        chosen.append((node, word.span(), other.capitalize() if word[0][0].isupper() else other))
    for node, (start, end), other in sorted(chosen, reverse=True):  # backwards, so that spans stay valid
        label = draft.labels[node]
        draft.labels[node] = f"{label[:start]}{other}{label[end:]}"


def _find_known_words(labels: Sequence[str]) -> list[tuple[int, re.Match[str]]]:
    """Words that have synonyms, with their nodes."""
    found = ((node, word) for node, label in enumerate(labels) for word in _WORD.finditer(label))
    return [(node, word) for node, word in found if word[0].lower() in synonyms()]


def _shuffle(draft: Draft, count: int, rng: Random, _texts: Sequence[str]) -> None:
    parents = _permute([node for node, below in enumerate(draft.children) if len(below) > 1], rng)
    for node in parents[:count]:
        before = list(draft.children[node])
        while draft.children[node] == before:
            rng.shuffle(draft.children[node])


def _move(draft: Draft, count: int, rng: Random, _texts: Sequence[str]) -> None:
    for node in _permute(range(1, len(draft.labels)), rng):
        if not count:
            return
        forbidden = {*draft.subtree(node), draft.parents[node]}
        parents = [parent for parent in range(len(draft.labels)) if parent not in forbidden]
        if parents:  # none for the only child of the root
            parent = rng.choice(parents)
            draft.move(node, parent, rng.randint(0, len(draft.children[parent])))
            count -= 1


def _replace_texts(draft: Draft, count: int, rng: Random, texts: Sequence[str]) -> None:
    nodes = _permute(range(len(draft.labels)), rng)[:count]
    for node, text in zip(nodes, _in_turn(texts, count, rng), strict=False):
        draft.labels[node] = text
        draft.sentences[node] = NEW


def _delete(draft: Draft, count: int, rng: Random, _texts: Sequence[str]) -> None:
    for node in _permute(range(1, len(draft.labels)), rng)[:count]:
        draft.remove(node)


def _insert(draft: Draft, count: int, rng: Random, texts: Sequence[str]) -> None:
    size = len(draft.labels)
    for text in _in_turn(texts, count, rng):
        parent = rng.randrange(size)
        draft.add(text, parent, rng.randint(0, len(draft.children[parent])))


def _exchange(draft: Draft, count: int, rng: Random, _texts: Sequence[str]) -> None:
    """Exchange two sentences, three in a cycle, and so on: one sentence more than the count."""
    ring = _permute(range(len(draft.labels)), rng)[: count + 1]
    moved = [(draft.labels[node], draft.sentences[node]) for node in ring]
    for node, (label, sentence) in zip((*ring[1:], ring[0]), moved, strict=True):
        draft.labels[node], draft.sentences[node] = label, sentence


def _permute(things: Sequence[Thing], rng: Random) -> list[Thing]:
    shuffled = list(things)
    rng.shuffle(shuffled)
    return shuffled


def _in_turn(texts: Sequence[str], count: int, rng: Random) -> list[str]:
    turn = _permute(texts, rng)
    return [turn[index % len(turn)] for index in range(count)]


_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


@cache
def synonyms() -> dict[str, tuple[str, ...]]:
    """Synonyms of each known word in lower case, English and Russian; a line of the file is a group of words."""
    known: dict[str, tuple[str, ...]] = {}
    text = Path(__file__).with_name("synonyms.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        group = line.split("\t")
        known |= {word: tuple(other for other in group if other != word) for word in group}
    return known


EDITS: dict[str, _Edit] = {
    "synonyms": _Edit(
        "replace words with synonyms", lambda tree: len(_find_known_words(tree.labels)), _replace_words
    ),
    "shuffle": _Edit(
        "bring siblings into another order",
        lambda tree: sum(len(below) > 1 for below in tree.children),
        _shuffle,
    ),
    "move": _Edit(
        "move branches to other parents",
        lambda tree: len(tree) - (2 if len(tree.children[0]) == 1 else 1),
        _move,
    ),
    "meaning": _Edit("replace texts with those of another map", len, _replace_texts, needs_texts=True),
    "delete": _Edit("delete nodes; their children move up", lambda tree: len(tree) - 1, _delete),
    "insert": _Edit("insert texts of another map as leaves", len, _insert, needs_texts=True),
    "exchange": _Edit("exchange the texts of nodes", lambda tree: len(tree) - 1, _exchange),
}
