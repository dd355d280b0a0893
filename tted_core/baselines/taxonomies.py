"""Edge F1 and ancestor F1 of taxonomy induction, after alignment of the nodes.

Bansal et al., ACL 2014; Mao et al., ACL 2018, repository morningmoni/TaxoRL. There both taxonomies have the same
terms. Two mind maps don't, so their nodes are aligned before: one to one, so that the cosines sum to the most, but
for pairs below ``ALIKE``. The alignment is ours, the counting theirs.
"""

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines.assignment import best_assignment
from tted_core.baselines.kernel import F1Score, f1_score
from tted_core.baselines.ontologies import ALIKE
from tted_core.baselines.vectors import Vectors, node_cosines
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.tree import TextTree

Above = NDArray[np.bool_]
"""(n, n): whether the row's node stands above the column's."""


def edge_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """How many edges, of nodes that are aligned, are an edge in the other map too.

    Raises:
        EncoderError: the encoder gives nothing that can be used.
    """
    return pairs_f1(parents(left), parents(right), node_cosines(encoder, left, right))


def ancestor_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """How many pairs of a node and one above it, of nodes that are aligned, are such a pair in the other map too.

    Raises:
        EncoderError: the encoder gives nothing that can be used.
    """
    return pairs_f1(ancestors(left), ancestors(right), node_cosines(encoder, left, right))


def parents(tree: TextTree) -> Above:
    """Which node is the parent of which."""
    above = np.zeros((len(tree), len(tree)), dtype=np.bool_)
    above[tree.parents[1:], np.arange(1, len(tree))] = True
    return above


def ancestors(tree: TextTree) -> Above:
    """Which node is an ancestor of which."""
    above = parents(tree)
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            above[:, node] |= above[:, parent]
    return above


def pairs_f1(left: Above, right: Above, similarity: Vectors) -> F1Score:
    """F1 of the pairs of nodes by the best alignment of (n, m) similarities."""
    rows, columns = best_assignment(similarity)
    kept = similarity[rows, columns] >= ALIKE
    rows, columns = rows[kept], columns[kept]
    common = left[np.ix_(rows, rows)] & right[np.ix_(columns, columns)]
    return f1_score(int(common.sum()), int(right.sum()), int(left.sum()))
