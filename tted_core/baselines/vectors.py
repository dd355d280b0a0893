"""What the baselines of meaning share: vectors of a map's sentences, and their cosines."""

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.embedding import embed, unit_vectors
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.tree import TextTree

Vectors = NDArray[np.float64]


def node_vectors(encoder: Encoder, *trees: TextTree) -> list[Vectors]:
    """(n, d) vectors of each tree's n nodes.

    Raises:
        EncoderError: the encoder gives nothing that can be used.
    """
    known = embed(encoder, [label for tree in trees for label in tree.labels])
    return [np.array([known[label] for label in tree.labels]) for tree in trees]


def node_cosines(encoder: Encoder, left: TextTree, right: TextTree) -> Vectors:
    """(n, m) cosines of the nodes' vectors; raises as ``node_vectors``."""
    return cosines(*node_vectors(encoder, left, right))


def cosines(rows: Vectors, columns: Vectors) -> Vectors:
    """(n, m) cosines of (n, d) and (m, d) vectors, from -1 to 1.

    Raises:
        EncoderError: a zero vector, whose direction is undefined.
    """
    return np.clip(unit_vectors(rows) @ unit_vectors(columns).T, -1.0, 1.0)
