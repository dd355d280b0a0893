"""Contexts: which text of a node is encoded (Sobolevsky and Vorontsov 2025, section III-F a).

A context turns a tree into one text per node, in preorder. "It is discussed there." means little without the
nodes above it; with the context "ancestors" the encoder reads them too.
"""

from collections.abc import Callable
from typing import TypeAlias

from tted_core.limits import MAX_CONTEXT_CHARACTERS, check_limit
from tted_core.tree import TextTree

Context: TypeAlias = Callable[[TextTree], tuple[str, ...]]


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


CONTEXTS: dict[str, Context] = {"none": none, "ancestors": ancestors}
