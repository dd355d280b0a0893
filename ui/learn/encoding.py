"""The bundled encoder's view of small maps."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tted_core import DISTANCES, TextTree
from tted_core.costs import cost_matrix
from tted_core.encoders.sentence_encoder import embed
from ui import cache

ENCODER = "minilm"


def vectors(texts: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Each text's vector, and that of the empty string."""
    return embed(cache.encoder(ENCODER), [*texts, ""])


def costs_of(left: TextTree, right: TextTree) -> NDArray[np.float64]:
    """The (n+1, m+1) cost matrix of two trees: cosine distances, without context."""
    known = vectors((*left.labels, *right.labels))
    sides = (np.array([known[label] for label in tree.labels]) for tree in (left, right))
    return cost_matrix(*sides, known[""], DISTANCES["cosine"])
