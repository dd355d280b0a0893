"""Contexts: the text or vector that represents a node (Sobolevsky and Vorontsov 2025, section III-F a).

A context turns a tree into one text per node, in preorder. "It is discussed there." means little without the
nodes above it; with the context "ancestors" the encoder reads them too. A context can also blend the texts'
vectors, which needs no further encoding.

A blend makes a node's vector of its own sentence's vector and of those around it in the tree.

Joining texts (context "ancestors") lets the encoder read them together, but long texts are truncated and each
node needs an encoding of its own. A blend costs nothing and averages: accidents of wording in one sentence's
vector even out over several, and what they have in common stays.

Every blend keeps TTED a metric on trees: it relabels each tree's nodes (with vectors), and TTED of trees whose
labels come from a metric space is a metric. Different trees stay different: given the shape of a tree, the
sentences' vectors can be recovered from the blended ones, as each blend is linear and invertible. (Under cosine,
which sees directions only, two trees could coincide by chance.) Requirement 2 of the paper is lost: adding a node
changes other nodes' vectors too, and no longer costs just its own distance to the empty string.

Sums over siblings are taken in sorted order, so that the order of siblings doesn't change a bit of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.errors import check_limit
from tted_core.tree import TextTree

# Limit of the characters of all texts of one map after the ancestors' labels were prepended to each.
MAX_CONTEXT_CHARACTERS = 20_000_000

_Vectors: TypeAlias = NDArray[np.float64]


def path(tree: TextTree, own: _Vectors) -> _Vectors:
    """x(root) = e(root); x(v) = e(v)/2 + x(parent)/2."""
    blended = own.copy()
    for node, above in enumerate(tree.parents[1:], start=1):
        blended[node] = 0.5 * own[node] + 0.5 * blended[above]
    return blended


def children(tree: TextTree, own: _Vectors) -> _Vectors:
    """x(v) = e(v)/2 + mean of the children's e/2; a leaf keeps e(v)."""
    blended = own.copy()
    for node, below in enumerate(tree.children):
        if below:
            blended[node] = 0.5 * own[node] + 0.5 * _total(own[list(below)]) / len(below)
    return blended


def subtree(tree: TextTree, own: _Vectors) -> _Vectors:
    """x(v) = e(v)/2 + mean of e over v and all nodes below it/2."""
    totals = own.copy()
    for node in range(len(tree) - 1, -1, -1):
        below = tree.children[node]
        if below:
            totals[node] += _total(totals[list(below)])
    means: _Vectors = totals / np.array(tree.sizes)[:, None]
    return 0.5 * own + 0.5 * means


def _total(vectors: _Vectors) -> _Vectors:
    """The sum of (n, d) vectors, independent of their order bit by bit."""
    total: _Vectors = np.sort(vectors, axis=0).sum(axis=0)
    return total


@dataclass(frozen=True)
class Context:
    """The representation of a node that is compared.

    Attributes:
        texts: returns the text to encode for each node. It depends on the node and its ancestors only, so that
            trimming the tree gives no new text.
        note: one sentence for users.
        blend: makes (n, d) vectors of the nodes from those of their texts; None to use these as they are.
        looks_below: True if a node's vector depends on its descendants, so that it changes as a tree is trimmed.
    """

    texts: Callable[[TextTree], tuple[str, ...]]
    note: str
    blend: Callable[[TextTree, _Vectors], _Vectors] | None = None
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
    "path": Context(none, "Each sentence is mixed half and half with its parent's vector.", path),
    "children": Context(
        none, "Each sentence is mixed half and half with its children.", children, looks_below=True
    ),
    "subtree": Context(
        none, "Each sentence is mixed half and half with its whole branch.", subtree, looks_below=True
    ),
}
