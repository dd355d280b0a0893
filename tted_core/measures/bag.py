"""A map as a bag of sentences: the edit distance that is left when nothing about the structure counts.

What measures between texts see when they are lifted to whole maps: the sentences are matched one to one, at the
least total cost of replacing, deleting and inserting, whatever stands above what. Every edit script is such a
matching, so this is a lower bound of TTED in each order; the difference is the price of the structure.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import sizes_of, steinhaus
from tted_core.baselines.edges import best_assignment
from tted_core.comparison import Comparison


@dataclass(frozen=True)
class BagPoint:
    """A pair of maps of some kind: its distance as bags of sentences, and TTED, both by Steinhaus (0 to 1)."""

    name: str
    kind: str
    bag: float
    tted: float


def bag_point(name: str, kind: str, comparison: Comparison) -> BagPoint:
    """The two distances of a comparison, on one scale: bag <= tted."""
    problem = comparison.problem
    distance = problem.distance(bag_distance(problem.weights))
    bag = float(steinhaus(distance, sizes_of(problem.costs, problem.power)))
    return BagPoint(name, kind, bag, comparison.steinhaus)


def bag_distance(costs: NDArray[np.float64]) -> float:
    """The least total cost of an assignment between the nodes of two maps.

    Args:
        costs: (n+1, m+1) edit costs (or their weights), the last row and column being the gap.
    """
    gaps = np.add.outer(costs[:-1, -1], costs[-1, :-1])
    saved = np.maximum(gaps - costs[:-1, :-1], 0.0)  # a pair that saves nothing is deleted and inserted
    rows, columns = best_assignment(saved)
    used = saved[rows, columns] > 0
    rows, columns = rows[used], columns[used]
    left_over = np.delete(costs[:-1, -1], rows).sum() + np.delete(costs[-1, :-1], columns).sum()
    return float(costs[rows, columns].sum() + left_over)
