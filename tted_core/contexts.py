"""Contexts: what of a node is compared (Sobolevsky and Vorontsov 2025, section III-F a).

A context turns a tree into one text per node, in preorder. "It is discussed there." means little without the
nodes above it; with the context "ancestors" the encoder reads them too. A context can also work on the texts'
vectors, which costs no further encoding.

Blends are such contexts: a node's vector made of its own sentence's and of those around it in the tree.

Joining texts (context "ancestors") lets the encoder read them together, but it is cut where the encoder stops
reading, and each node needs an encoding of its own. A blend costs nothing, and it averages: what the chance of
wording does to one sentence's vector evens out over several, and what they have in common stays.

Every blend keeps TTED a metric on trees. It gives each tree's nodes other labels (vectors), and TTED of trees
whose labels come from a metric space is a metric. Trees that differ stay different: for a tree of known shape the
sentences' vectors can be got back from the blended ones, as each blend is linear and invertible. (Under cosine,
which sees directions alone, two trees could meet by chance.) What is lost is requirement 2 of the paper: adding
one node changes others' vectors too, and no longer costs just its own distance to the empty string.

Sums over siblings are made in the order of the numbers, so that the order of siblings changes no bit of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.foundations.limits import check_limit
from tted_core.tree import TextTree

MAX_CONTEXT_CHARACTERS = 20_000_000
"""Characters of all texts of one map after its ancestors' labels were put before each."""

Vectors: TypeAlias = NDArray[np.float64]

Blend: TypeAlias = Callable[[TextTree, Vectors], Vectors]
"""(tree, (n, d) vectors of its nodes' texts) -> (n, d) vectors of its nodes."""

HALF = 0.5


def path(tree: TextTree, own: Vectors) -> Vectors:
    """x(root) = e(root); x(v) = e(v)/2 + x(parent)/2."""
    blended = own.copy()
    for node, above in enumerate(tree.parents[1:], start=1):
        blended[node] = HALF * own[node] + HALF * blended[above]
    return blended


def children(tree: TextTree, own: Vectors) -> Vectors:
    """x(v) = e(v)/2 + mean of the children's e/2; a leaf keeps e(v)."""
    blended = own.copy()
    for node, below in enumerate(tree.children):
        if below:
            blended[node] = HALF * own[node] + HALF * _total(own[list(below)]) / len(below)
    return blended


def subtree(tree: TextTree, own: Vectors) -> Vectors:
    """x(v) = e(v)/2 + mean of e over v and all nodes below it/2."""
    totals = own.copy()
    for node in range(len(tree) - 1, -1, -1):
        below = tree.children[node]
        if below:
            totals[node] += _total(totals[list(below)])
    means: Vectors = totals / np.array(tree.sizes)[:, None]
    return HALF * own + HALF * means


def _total(vectors: Vectors) -> Vectors:
    """The sum of (n, d) vectors, the same bit by bit in whatever order they come."""
    total: Vectors = np.sort(vectors, axis=0).sum(axis=0)
    return total


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
    """

    texts: Texts
    note: str
    blend: Blend | None = None
    looks_below: bool = False


def none(tree: TextTree) -> tuple[str, ...]:
    """Each node's own label."""
    return tree.labels


def ancestors(tree: TextTree) -> tuple[str, ...]:
    """All ancestors' labels from the root down, then the node's own, joined by one space."""
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
