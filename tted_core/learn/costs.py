"""Costs that can be added up by hand: 0 and 1, or those of a language model, rounded."""

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


def unit_costs(left: TextTree, right: TextTree, *, replace: float = 1.0) -> NDArray[np.float64]:
    """The (n+1, m+1) matrix in which deleting and inserting cost 1, equal texts 0, and other pairs ``replace``.

    With ``replace`` 1 these are the costs of Tai (1979) that textbooks calculate with. With 2 or more a pair of
    different texts is never worth keeping, so that the mapping shows what an order allows and nothing else.
    """
    costs = np.ones((len(left) + 1, len(right) + 1))
    costs[:-1, :-1] = [[replace * (a != b) for b in right.labels] for a in left.labels]
    costs[-1, -1] = 0.0
    return costs
