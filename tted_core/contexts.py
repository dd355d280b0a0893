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

from tted_core.blends import Blend, children, path, subtree, whole_map
from tted_core.errors import OptionsError
from tted_core.limits import MAX_CONTEXT_CHARACTERS, check_limit
from tted_core.tree import TextTree

Texts: TypeAlias = Callable[[TextTree], tuple[str, ...]]
"""A tree of n nodes -> n texts. A node's text depends on the node and those above it only, so that trimming the
tree gives no new text."""


@dataclass(frozen=True)
class Context:
    """What of a node is compared.

    Attributes:
        texts: which text is encoded for each node.
        note: one sentence for people.
        blend: what is made of the texts' vectors; None if they stay as they are.
        looks_below: whether a node's vector depends on nodes below it, so that it changes as a tree is trimmed.
        gap_scale: what deletions and insertions cost, times the distance to the empty string. Above 1 the triangle
            inequality can break.
    """

    texts: Texts
    note: str
    blend: Blend | None = None
    looks_below: bool = False
    gap_scale: float = 1.0

    @property
    def metric(self) -> bool:
        """Whether TTED stays a metric (of trees without empty nodes) wherever the node distance is one."""
        return self.gap_scale <= 1

    def vectors(self, tree: TextTree, encoded: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """The (n, d) vectors that stand for the nodes; ``encoded`` holds the vector of every text."""
        vectors = np.array([encoded[text] for text in self.texts(tree)])
        return vectors if self.blend is None else self.blend(tree, vectors)

    def texts_behind(self, tree: TextTree, node: int) -> tuple[str, ...]:
        """The texts that must be encoded for the vector of this one node."""
        texts = self.texts(tree)
        return texts if self.blend is not None else (texts[node],)

    def vector(
        self, tree: TextTree, node: int, encoded: Mapping[str, NDArray[np.float64]]
    ) -> NDArray[np.float64]:
        """The (d,) vector of one node; ``encoded`` holds ``texts_behind`` it."""
        return encoded[self.texts(tree)[node]] if self.blend is None else self.vectors(tree, encoded)[node]

    def check_goes_with_texts(self, name: str, distance: str) -> None:
        """Raise ``OptionsError`` if this context (``name``) works on vectors; ``distance`` has none."""
        if self.blend is not None:
            choices = ", ".join(name for name, context in CONTEXTS.items() if context.blend is None)
            raise OptionsError(
                f"the context {name} works on vectors, and the distance {distance} on the texts themselves; "
                f"choose one of the contexts {choices}, or another distance"
            )


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
    "map": Context(
        none,
        "Each sentence counts with those above it and with the subject of the map.",
        whole_map,
        looks_below=True,
    ),
    "dear-gaps": Context(
        none, "As none, but deleting and inserting cost half as much again: no metric.", gap_scale=1.5
    ),
}
