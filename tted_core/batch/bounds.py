"""Lower bounds of many distances, for a tenth of what solving costs."""

import numpy as np
from numpy.typing import NDArray

from tted_core.batch.chunk_kernels import cheapest_edits
from tted_core.batch.costs import ChunkCosts
from tted_core.batch.solving import chunks
from tted_core.batch.work import Pairs, Work


def lower_bounds(work: Work, pairs: Pairs) -> NDArray[np.float64]:
    """(p,) bounds under the work's first setting; 0 where a pair can't be compared.

    Each node costs at least its cheapest operation, whatever the others take, and the larger map loses nodes; the
    sum over the left map's nodes and that over the right one's both bound any mapping, in every order.
    """
    setting = work.settings[0]
    bounds = np.zeros(len(pairs))
    for chunk in chunks(work, pairs):
        costs = ChunkCosts(work, setting, pairs[chunk])
        found = np.zeros(len(costs.rows))
        cheapest_edits(costs.weights, found)
        if setting.power != 1 and len(found):
            starts = costs.problems.starts[:-1]
            found = np.maximum.reduceat(costs.problems.costs, starts) * found ** (1 / setting.power)
        bounds[chunk.start + costs.rows] = found
    return bounds
