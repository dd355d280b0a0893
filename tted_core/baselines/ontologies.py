"""Continuous, Fuzzy and Graph F1: measures of ontologies, as the authors' repository andylolu2/ollm computes them.

Lo, Jiang, Li and Jamnik, "End-to-End Ontology Learning with Large Language Models", NeurIPS 2024. Their encoder is
all-MiniLM-L6-v2 as well, pooled and not brought to length 1, which matters to Graph F1 alone.
"""

import numpy as np

from tted_core.baselines.assignment import best_assignment
from tted_core.baselines.kernel import F1Score, f1_score
from tted_core.baselines.vectors import Vectors, cosines, node_cosines, node_vectors
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.tree import TextTree

ALIKE = 0.436
"""The cosine from which on two texts are taken for the same: the authors' threshold, the median cosine of synonyms
in WordNet by MiniLM."""

ROUNDS = 2
"""How often a node's vector is mixed with its parent's: the number of the published figures."""


def continuous_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """The best one-to-one matching of edges, each pair worth the lower cosine of parents and of children.

    Raises:
        EncoderError: the encoder gives nothing that can be used.
    """
    gains = np.minimum(*_edge_cosines(left, right, encoder))
    rows, columns = best_assignment(gains)
    return f1_score(float(gains[rows, columns].sum()), len(right) - 1, len(left) - 1)


def fuzzy_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """The share of edges that have an edge in the other map with both ends at least ``ALIKE``.

    Raises:
        EncoderError: the encoder gives nothing that can be used.
    """
    parents, children = _edge_cosines(left, right, encoder)
    alike = (parents >= ALIKE) & (children >= ALIKE)
    found, wanted = (int(alike.any(axis=axis).sum()) for axis in (0, 1))
    return f1_score(found, len(right) - 1, len(left) - 1, found_wanted=wanted)


def graph_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """The best one-to-one matching of nodes by the cosines of their vectors after ``ROUNDS`` of graph convolution.

    Raises:
        EncoderError: the encoder gives nothing that can be used.
    """
    vectors = node_vectors(encoder, left, right)
    gains = cosines(*(convolved(tree, each) for tree, each in zip((left, right), vectors, strict=True)))
    rows, columns = best_assignment(gains)
    return f1_score(float(gains[rows, columns].sum()), len(right), len(left))


def convolved(tree: TextTree, vectors: Vectors) -> Vectors:
    """Simple graph convolution (Wu et al. 2019) with edges from parents to children and the identity as weights.

    In a round a node's vector becomes the sum of what comes in along its edge and its own loop, each divided by
    the root of both ends' in-degrees: 1 for the root, whose loop is all, and 2 for the others.
    """
    parents = np.maximum(tree.parents, 0)
    roots = np.array(tree.parents)[:, None] < 0
    degrees = np.where(roots, 1.0, 2.0)
    for _ in range(ROUNDS):
        flow = vectors[parents] / np.sqrt(degrees * degrees[parents])
        vectors = vectors / degrees + np.where(roots, 0.0, flow)
    return vectors


def _edge_cosines(left: TextTree, right: TextTree, encoder: Encoder) -> tuple[Vectors, Vectors]:
    """(n - 1, m - 1) cosines of the edges' parents, and of their children: all nodes but the root."""
    between = node_cosines(encoder, left, right)
    return between[np.ix_(left.parents[1:], right.parents[1:])], between[1:, 1:]
