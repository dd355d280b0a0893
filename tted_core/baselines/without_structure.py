"""Controls of structure: measures that ignore the hierarchy of sentences.

A measure of maps that agrees with people less than these is worth less than a bag of sentences
(:mod:`tted_core.lab.people`). All except ``size_ratio`` are cosines of the encoder's vectors, or means of cosines.
"""

import numpy as np

from tted_core.baselines.kernel import BaselineScore, cosines, node_cosines, node_vectors, share_score
from tted_core.baselines.sim import best_assignment
from tted_core.baselines.suite import linear_text
from tted_core.encoders.embedding import embed
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.tree import TextTree


def mean_vector(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """The cosine of both maps' mean vectors."""
    means = [vectors.mean(axis=0, keepdims=True) for vectors in node_vectors(encoder, left, right)]
    return share_score(float(cosines(*means)[0, 0]))


def joined_text(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """The cosine of both maps as texts, their sentences joined depth-first, up to the encoder's maximum length."""
    texts = [linear_text(left), linear_text(right)]
    vectors = embed(encoder, texts)
    rows = [np.asarray(vectors[text])[None] for text in texts]
    return share_score(float(cosines(*rows)[0, 0]))


def greedy_match(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """F1 of each sentence's highest cosine with one of the other map, like BERTScore's of tokens."""
    between = node_cosines(encoder, left, right)
    precision, recall = float(between.max(axis=0).mean()), float(between.max(axis=1).mean())
    both = precision + recall
    return share_score(2 * precision * recall / both if precision > 0 and recall > 0 else min(both, 0.0))


def best_match(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """The best one-to-one matching of sentences: twice the sum of its cosines, per sentence of both maps."""
    between = node_cosines(encoder, left, right)
    rows, columns = best_assignment(between)
    return share_score(2 * float(between[rows, columns].sum()) / sum(between.shape))


def root_cosine(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """The cosine of both roots."""
    return share_score(float(node_cosines(encoder, left, right)[0, 0]))


def size_ratio(left: TextTree, right: TextTree) -> BaselineScore:
    """The number of nodes of the smaller map, divided by that of the larger one."""
    sizes = len(left), len(right)
    return share_score(min(sizes) / max(sizes))
