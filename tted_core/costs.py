"""The cost matrix: what replacing, deleting and inserting each node costs.

Replacing v by v' costs r(e(v), e(v')); deleting v costs r(e(v), e("")); inserting v' costs r(e(""), e(v')),
where e is the encoder, "" the empty string and r the distance (Sobolevsky and Vorontsov 2025, section III-A).
"""

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import Gap, with_gap
from tted_core.contexts import Context
from tted_core.distances import LoadedDistance
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.solvers import EditProblem
from tted_core.tree import TextTree


def cost_matrix(
    distance: LoadedDistance,
    context: Context,
    left: TextTree,
    right: TextTree,
    monitor: Monitor = UNWATCHED,
) -> NDArray[np.float64]:
    """All edit costs of two trees as one (n+1, m+1) matrix whose last row and column are the gap.

    Raises:
        EncoderError: a cost that is negative or not finite, or the model gives nothing that can be used.
        LimitError: the texts are too long for the distance.
    """
    return distance.costs(context.nodes(left), context.nodes(right), monitor)


def edit_problem(
    distance: LoadedDistance,
    context: Context,
    left: TextTree,
    right: TextTree,
    monitor: Monitor = UNWATCHED,
    *,
    by_depth: bool = False,
    gap: Gap = 0.0,
    power: float = 1.0,
) -> EditProblem:
    """Both trees with their costs, and with those of all trimmed trees if ``by_depth`` says so and they differ.

    :mod:`tted_core.arithmetic` tells of ``gap`` and ``power``.

    Raises:
        EncoderError: as ``cost_matrix``.
        LimitError: likewise.
    """
    costs = with_gap(cost_matrix(distance, context, left, right, monitor), gap)
    levels = max(left.depth, right.depth) if by_depth and context.looks_below else 0
    trimmed = {
        k: with_gap(cost_matrix(distance, context, left.trimmed(k), right.trimmed(k)), gap)
        for k in range(1, levels)
    }
    return EditProblem(left, right, costs, trimmed, power)
