"""Costs that a language model gives, such that every sum of them that is shown can be checked."""

import numpy as np
from numpy.typing import NDArray

from tted_core.contexts import CONTEXTS
from tted_core.costs import cost_matrix
from tted_core.distances import DISTANCES, Models
from tted_core.encoders import Encoder
from tted_core.tree import TextTree

DECIMALS = 3
"""Of a cost, and of every number that is shown of a run."""


def model_costs(encoder: Encoder, left: TextTree, right: TextTree) -> NDArray[np.float64]:
    """The (n+1, m+1) cost matrix of two trees: cosine distances, without context, rounded to ``DECIMALS``.

    Raises:
        EncoderError: the model gives nothing that can be used.
    """
    distance = DISTANCES["cosine"].load(Models(encoder))
    return cost_matrix(distance, CONTEXTS["none"], left, right).round(DECIMALS)
