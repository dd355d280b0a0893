"""Compiled: what two maps cost at least as bags of sentences, whatever their trees.

A bound is a sum of prices of the nodes of both maps. No price is above what its node costs to delete or insert,
and no two together are above what one costs to be replaced by the other, so no mapping costs less than all prices.
Of the larger map at least as many nodes are missing as it has more; they cost at least what is cheapest of that.
"""

import numpy as np

from tted_core.solvers.kernels.compiling import compiled
from tted_core.solvers.kernels.many import EditProblems, pair_of
from tted_core.solvers.kernels.restricted import kept_gains
from tted_core.solvers.kernels.trees import Floats, Integers
from tted_core.solvers.unordered.many import matched_gains


@compiled
def priced_bags(texts: Integers, starts: Integers, weights: Floats, bounds: Floats) -> None:
    """Bounds of the weight of one map's mappings to each of m maps.

    Args:
        texts: (N,) the number of each node's text.
        starts: (m + 1,) where each map's nodes begin.
        weights: (t + 1, n + 1) of each text and the gap against the one map's nodes and the gap.
        bounds: (m,) receives them.
    """
    for number in range(starts.size - 1):
        chosen = texts[starts[number] : starts[number + 1]]
        bounds[number] = max(_priced(chosen, weights, True), _priced(chosen, weights, False))


@compiled
def _priced(chosen: Integers, weights: Floats, own_first: bool) -> float:
    """The sum of prices, each as high as those that were made before it let it be."""
    own = weights[-1, :-1].copy()
    others = np.zeros(chosen.size)
    for turn in range(3):
        if own_first == (turn % 2 == 0):
            own[:] = weights[-1, :-1]
            for j in range(chosen.size):
                row = weights[chosen[j]]
                for i in range(own.size):
                    own[i] = min(own[i], row[i] - others[j])
        else:
            if turn == 0:
                own[:] = 0.0
            for j in range(chosen.size):
                row = weights[chosen[j]]
                price = row[own.size]
                for i in range(own.size):
                    price = min(price, row[i] - own[i])
                others[j] = price
    missing = own.size - chosen.size
    if missing > 0:
        more = np.sort(weights[-1, :-1] - own)[:missing].sum()
    else:
        spare = np.empty(chosen.size)
        for j in range(chosen.size):
            spare[j] = weights[chosen[j], own.size] - others[j]
        more = np.sort(spare)[:-missing].sum()
    return float(own.sum() + others.sum() + more)


@compiled
def matched_bags(problems: EditProblems, bounds: Floats) -> None:
    """For each pair the weight of its best mapping, whatever the trees."""
    for pair in range(problems.pairs.shape[0]):
        _, _, weights = pair_of(problems, pair)
        kept, total = kept_gains(weights)
        bounds[pair] = total - matched_gains(kept)
