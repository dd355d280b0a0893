"""What a solver is asked: two trees, and what it costs to edit one into the other, node by node."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import distance_of, largest_cost, weights_of, with_gap
from tted_core.tree import TextTree
from tted_core.weighing import Gap


@dataclass(frozen=True)
class EditProblem:
    """Two trees and the costs of all edits.

    Attributes:
        left: the tree that is edited, n nodes.
        right: the tree that comes out, m nodes.
        costs: (n+1, m+1), finite and >= 0, the last row and column being the gap.
        trimmed_costs: k -> the costs of the trees trimmed to k levels, if a node's costs depend on nodes below it;
            else they are among ``costs``.
        power: the p of d_p, to which costs are raised before they are added up.
    """

    left: TextTree
    right: TextTree
    costs: NDArray[np.float64] = field(repr=False)
    trimmed_costs: Mapping[int, NDArray[np.float64]] = field(default_factory=dict, repr=False)
    power: float = 1.0

    def under(self, gap: Gap, power: float) -> "EditProblem":
        """The same problem with another price of missing nodes, and another power."""
        trimmed = {k: with_gap(costs, gap) for k, costs in self.trimmed_costs.items()}
        return EditProblem(self.left, self.right, with_gap(self.costs, gap), trimmed, power)

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """(n+1, m+1): what the solvers add up in place of the costs."""
        return weights_of(self.costs, self.power, largest_cost(self.costs))

    def distance(self, weight: float) -> float:
        """The distance whose weight, a sum of ``weights``, is this."""
        return distance_of(weight, self.power, largest_cost(self.costs))

    @property
    def levels(self) -> int:
        """The deeper tree's depth."""
        return max(self.left.depth, self.right.depth)

    def kept(self, k: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The nodes of either tree on its first k levels, in preorder."""
        return self.left.nodes_to_depth(k), self.right.nodes_to_depth(k)

    def trimmed(self, k: int) -> "EditProblem":
        """The problem of the trees trimmed to k levels (>= 1), whose script costs TTED@k."""
        if k >= self.levels:
            return self
        costs = self.trimmed_costs.get(k)
        if costs is None:
            rows, columns = self.kept(k)
            costs = self.costs[np.ix_((*rows, -1), (*columns, -1))]
        smaller = {level: each for level, each in self.trimmed_costs.items() if level < k}
        return EditProblem(self.left.trimmed(k), self.right.trimmed(k), costs, smaller, self.power)
