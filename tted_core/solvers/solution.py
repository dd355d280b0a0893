"""Problems and solutions of solvers, and the independent verification of solutions.

A mapping lists every node of both trees once: ``(v, w)`` for a pair, ``(v, None)`` for a deleted node of the
first tree, ``(None, w)`` for an inserted node of the second. Its cost is the sum of the entries it picks from
the cost matrix, whose last row and column stand for the gap (Tai 1979: the cheapest mapping costs exactly the
distance, any other bounds it from above).
"""

import math
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import (
    Gap,
    distance_of,
    largest_cost,
    normalize,
    sizes_of,
    total,
    weights_of,
    with_gap,
)
from tted_core.errors import SolverError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.solvers.kernels.review import ANCESTORS, NOT_ONCE, SIBLINGS, SOUND, broken_rule
from tted_core.tree import TextTree

Mapping: TypeAlias = tuple[tuple[int | None, int | None], ...]


@dataclass(frozen=True)
class EditProblem:
    """Two trees and the costs of all edits.

    Attributes:
        left: the source tree, n nodes.
        right: the target tree, m nodes.
        costs: (n+1, m+1), finite and >= 0; the last row and column are the gap.
        trimmed_costs: k -> the costs of the trees trimmed to k levels, if a node's costs depend on its
            descendants; otherwise they are a part of ``costs``.
        power: the p of d_p, to which costs are raised before they are added up.
    """

    left: TextTree
    right: TextTree
    costs: NDArray[np.float64] = field(repr=False)
    trimmed_costs: MappingOf[int, NDArray[np.float64]] = field(default_factory=dict, repr=False)
    power: float = 1.0

    def under(self, gap: Gap, power: float) -> "EditProblem":
        """This problem with another gap and another power."""
        trimmed = {k: with_gap(costs, gap) for k, costs in self.trimmed_costs.items()}
        return EditProblem(self.left, self.right, with_gap(self.costs, gap), trimmed, power)

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """(n+1, m+1) weights that the solvers add up instead of the costs."""
        return weights_of(self.costs, self.power, largest_cost(self.costs))

    def distance(self, weight: float) -> float:
        """The distance of a weight, which is a sum of ``weights``."""
        return distance_of(weight, self.power, largest_cost(self.costs))

    def normalizations(self, distance: float) -> dict[str, float]:
        """All normalised distances, by name, of the trees at this distance."""
        found = normalize(distance, sizes_of(self.costs, self.power), self.power)
        return {name: float(value) for name, value in found.items()}

    @property
    def levels(self) -> int:
        """Depth of the deeper tree."""
        return max(self.left.depth, self.right.depth)

    def nodes_to_depth(self, k: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The nodes of each tree on its first k levels, in preorder."""
        return self.left.nodes_to_depth(k), self.right.nodes_to_depth(k)

    def trimmed(self, k: int) -> "EditProblem":
        """The problem of the trees trimmed to k levels (>= 1), whose script costs TTED@k."""
        if k >= self.levels:
            return self
        costs = self.trimmed_costs.get(k)
        if costs is None:
            rows, columns = self.nodes_to_depth(k)
            costs = self.costs[np.ix_((*rows, -1), (*columns, -1))]
        smaller = {level: each for level, each in self.trimmed_costs.items() if level < k}
        return EditProblem(self.left.trimmed(k), self.right.trimmed(k), costs, smaller, self.power)


@dataclass(frozen=True)
class Solution:
    """A mapping with bounds of the distance.

    ``upper`` is the mapping's cost, ``lower`` a certified lower bound of the distance; equal means proven
    optimal.
    """

    mapping: Mapping
    lower: float
    upper: float

    @property
    def proven(self) -> bool:
        """True if the mapping is proven optimal."""
        return self.lower == self.upper


class Solver(Protocol):
    """A function that finds the cheapest mapping of one order: an entry of ``SOLVERS``."""

    def __call__(
        self,
        left: TextTree,
        right: TextTree,
        costs: NDArray[np.float64],
        *,
        time_limit: float | None = None,
        monitor: Monitor = UNWATCHED,
    ) -> Solution:
        """``costs`` is (n+1, m+1), finite and >= 0; the last row and column are the gap.

        ``time_limit`` is in seconds, None for no limit. ``monitor`` receives the certified lower bound and the
        best cost now and then, and may end the search with the best mapping so far. Solvers that always finish
        with a proof ignore both.
        """
        ...


def mapping_cost(costs: NDArray[np.float64], mapping: Mapping) -> float:
    """The correctly rounded sum of a mapping's costs."""
    return math.fsum(pick_costs(costs, mapping))


def mapping_from_partners(partners: NDArray[np.int64], size_right: int) -> Mapping:
    """The complete mapping, from each left node's partner (-1 for none)."""
    kept: list[int] = partners.tolist()
    inserted = set(range(size_right)).difference(kept)
    return (
        *((v, None if w < 0 else w) for v, w in enumerate(kept)),
        *((None, w) for w in sorted(inserted)),
    )


def partners_of(mapping: Mapping, size_left: int) -> NDArray[np.int64]:
    """Each left node's partner in a mapping, -1 for none."""
    partners = np.full(size_left, -1, dtype=np.int64)
    for v, w in mapping:
        if v is not None and w is not None:
            partners[v] = w
    return partners


def pick_costs(costs: NDArray[np.float64], mapping: Mapping) -> list[float]:
    """The costs of a mapping's entries in the (n+1, m+1) cost matrix."""
    rows, columns = costs.shape
    indices = [
        (rows - 1 if v is None else v) * columns + (columns - 1 if w is None else w) for v, w in mapping
    ]
    found: list[float] = costs.take(indices).tolist()
    return found


def check_mapping(left: TextTree, right: TextTree, mapping: Mapping, *, ordered: bool = False) -> None:
    """Check that ``mapping`` is a Tai mapping: one-to-one, complete, and ancestors map to ancestors.

    With ``ordered``, check the left-to-right order as well.
    """
    if sorted(v for v, _ in mapping if v is not None) != list(range(len(left))) or sorted(
        w for _, w in mapping if w is not None
    ) != list(range(len(right))):
        raise rule_error(NOT_ONCE)
    sides = np.array(left.parents), np.array(right.parents)
    broken = broken_rule.interpreted(*sides, partners_of(mapping, len(left)), int(ordered))
    if broken != SOUND:
        raise rule_error(broken)


def rule_error(broken: int) -> SolverError:
    """The error of a mapping that breaks a rule of ``kernels.review``."""
    rule = {
        NOT_ONCE: "use every node exactly once",
        ANCESTORS: "keep the ancestor relation",
        SIBLINGS: "keep the sibling order",
    }[broken]
    return SolverError(f"the solver's mapping doesn't {rule}; please report this")


def check_solution(solution: Solution, problem: EditProblem, *, ordered: bool) -> Solution:
    """The solution as a distance, after checking that mapping and bounds are consistent.

    The solver's bounds are sums of ``problem.weights``; the returned ones are roots of such sums.
    """
    check_mapping(problem.left, problem.right, solution.mapping, ordered=ordered)
    costs = pick_costs(problem.costs, solution.mapping)
    cost = math.fsum(costs if problem.power == 1 else pick_costs(problem.weights, solution.mapping))
    tolerance = 1e-9 * (1.0 + cost)
    agrees = abs(cost - solution.upper) <= tolerance and solution.lower <= cost + tolerance
    if not agrees:  # also for NaN
        raise SolverError(
            f"the solver says {solution.upper:.12g} (at least {solution.lower:.12g}) but its mapping costs "
            f"{cost:.12g}; please report this"
        )
    upper = total(costs, problem.power)
    lower = upper if solution.proven else min(problem.distance(solution.lower), upper)
    return replace(solution, lower=lower, upper=upper)
