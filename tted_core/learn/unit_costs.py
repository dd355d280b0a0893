"""Costs that can be added up on a blackboard."""

import numpy as np
from numpy.typing import NDArray

from tted_core.tree import TextTree


def unit_costs(left: TextTree, right: TextTree, *, replace: float = 1.0) -> NDArray[np.float64]:
    """The (n+1, m+1) matrix in which deleting and inserting cost 1, equal texts 0, and other pairs ``replace``.

    With ``replace`` 1 these are the costs of Tai (1979) that textbooks calculate with. With 2 or more a pair of
    different texts is never worth keeping, so that the mapping shows what an order allows and nothing else.
    """
    costs = np.ones((len(left) + 1, len(right) + 1))
    costs[:-1, :-1] = [[replace * (a != b) for b in right.labels] for a in left.labels]
    costs[-1, -1] = 0.0
    return costs
