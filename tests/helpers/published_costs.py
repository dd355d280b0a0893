"""The published code's arithmetic, beside which ours is held.

The code behind the tables of Sobolevsky and Vorontsov ("Text Tree Edit Distance", APEIE 2025) takes sqrt(1 - cos)
of a cosine in single precision. Of equal sentences that cosine can come out above 1: the root is not a number
(NaN). The solver never takes a pair of such a cost, as no comparison with NaN is true, so it deletes and inserts
the very sentences that are the same.
"""

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.embedding import embed
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.tree import TextTree


def published_costs(left: TextTree, right: TextTree, encoder: Encoder) -> NDArray[np.float32]:
    """(n+1, m+1) costs in single precision, NaN left in; the last row and column are the gap."""
    known = embed(encoder, ("", *left.labels, *right.labels))
    sides = [np.array([known[text] for text in (*tree.labels, "")], np.float32) for tree in (left, right)]
    units = [side / np.linalg.norm(side, axis=1, keepdims=True) for side in sides]
    with np.errstate(invalid="ignore"):
        costs: NDArray[np.float32] = np.sqrt(1 - units[0] @ units[1].T)
    return costs
