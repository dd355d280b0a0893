"""Blends: a node's vector made of its own sentence's and of those around it in the tree.

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
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.tree import TextTree

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
