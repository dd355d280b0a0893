"""Contexts: what of a node is compared (Sobolevsky and Vorontsov 2025, section III-F a).

A context turns a tree into one text per node, in preorder. "It is discussed there." means little without the
nodes above it; with the context "ancestors" the encoder reads them too. A context can also work on the texts'
vectors, which costs no further encoding.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.blends import Blend, Vectors, children, path, subtree
from tted_core.limits import MAX_CONTEXT_CHARACTERS, check_limit
from tted_core.tree import TextTree

Texts: TypeAlias = Callable[[TextTree], tuple[str, ...]]
"""A tree of n nodes -> n texts. A node's text depends on the node and those above it only, so that trimming the
tree gives no new text."""

Encoded: TypeAlias = Mapping[str, NDArray[np.float64]]
"""Text -> its (d,) vector."""


@dataclass(frozen=True)
class Nodes:
    """Nodes as a distance takes them: it looks at their texts, or at their vectors.

    Attributes:
        texts: n texts, each that of a node in its context.
        read: the texts of which vectors are made.
        vectors: the vector of each text that is read -> the (n, d) vectors that stand for the nodes.
    """

    texts: tuple[str, ...]
    read: tuple[str, ...]
    vectors: Callable[[Encoded], Vectors]


def joined(*parts: Nodes) -> Nodes:
    """The nodes of all parts, in their order."""
    return Nodes(
        tuple(text for part in parts for text in part.texts),
        tuple(text for part in parts for text in part.read),
        lambda encoded: np.vstack([part.vectors(encoded) for part in parts]),
    )


EMPTY = Nodes(("",), ("",), lambda encoded: np.array([encoded[""]]))
"""The gap: what a deleted or inserted node is held against."""


@dataclass(frozen=True)
class Context:
    """What of a node is compared.

    Attributes:
        texts: which text is encoded for each node.
        note: one sentence for people.
        blend: what is made of the texts' vectors; None if they stay as they are.
        looks_below: whether a node's vector depends on nodes below it, so that it changes as a tree is trimmed.
    """

    texts: Texts
    note: str
    blend: Blend | None = None
    looks_below: bool = False

    def nodes(self, tree: TextTree) -> Nodes:
        """All nodes of the tree in this context."""
        texts = self.texts(tree)
        return Nodes(texts, texts, lambda encoded: self._vectors(tree, texts, encoded))

    def node(self, tree: TextTree, node: int) -> Nodes:
        """One node of the tree in this context."""
        texts = self.texts(tree)
        if self.blend is None:
            own = (texts[node],)
            return Nodes(own, own, lambda encoded: np.array([encoded[texts[node]]]))
        return Nodes((texts[node],), texts, lambda encoded: self._vectors(tree, texts, encoded)[[node]])

    def _vectors(self, tree: TextTree, texts: tuple[str, ...], encoded: Encoded) -> Vectors:
        vectors = np.array([encoded[text] for text in texts])
        return vectors if self.blend is None else self.blend(tree, vectors)


def none(tree: TextTree) -> tuple[str, ...]:
    """Each node's own label."""
    return tree.labels


def ancestors(tree: TextTree) -> tuple[str, ...]:
    """All ancestors' labels from the root down, then the node's own, joined by one space.

    Raises:
        LimitError: the joined texts would be too long; a deep map of long labels grows quadratically.
    """
    lengths: list[int] = []
    for label, parent in zip(tree.labels, tree.parents, strict=True):
        lengths.append(len(label) if parent < 0 else lengths[parent] + 1 + len(label))
    check_limit(
        sum(lengths),
        MAX_CONTEXT_CHARACTERS,
        "characters of texts with their ancestors",
        'compare with context "none", or trim the maps to fewer levels',
    )
    texts: list[str] = []
    for label, parent in zip(tree.labels, tree.parents, strict=True):
        texts.append(label if parent < 0 else f"{texts[parent]} {label}")
    return tuple(texts)


def parent(tree: TextTree) -> tuple[str, ...]:
    """The parent's label, then the node's own, joined by one space."""
    return tuple(
        label if above < 0 else f"{tree.labels[above]} {label}"
        for label, above in zip(tree.labels, tree.parents, strict=True)
    )


CONTEXTS: dict[str, Context] = {
    "none": Context(none, "Each sentence is read by itself."),
    "ancestors": Context(ancestors, "Each sentence is read after all sentences above it."),
    "parent": Context(parent, "Each sentence is read after the one above it."),
    "path": Context(none, "Each sentence is mixed half and half with what its parent came to.", path),
    "children": Context(
        none, "Each sentence is mixed half and half with its children.", children, looks_below=True
    ),
    "subtree": Context(
        none, "Each sentence is mixed half and half with its whole branch.", subtree, looks_below=True
    ),
}
