"""The bundled encoder's view of small maps."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tted_core import CONTEXTS, DISTANCES, TextTree
from tted_core.costs import cost_matrix
from tted_core.distances import Models
from tted_core.encoders.embedding import embed
from ui import cache

ENCODER = "minilm"


def vectors(texts: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Each text's vector, and that of the empty string."""
    return embed(cache.encoder(ENCODER), [*texts, ""])


def costs_of(left: TextTree, right: TextTree) -> NDArray[np.float64]:
    """The (n+1, m+1) cost matrix of two trees: cosine distances, without context.

    They are rounded to as many decimals as are shown, so that every sum on screen can be checked.
    """
    distance = DISTANCES["cosine"].load(Models(cache.encoder(ENCODER)))
    return cost_matrix(distance, CONTEXTS["none"], left, right).round(3)
