"""What a solver is asked and what it returns, and the independent check of it.

A mapping lists every node of both trees once: ``(v, w)`` for a pair, ``(v, None)`` for a deleted node of the
first tree, ``(None, w)`` for an inserted node of the second. Its cost is the sum of the entries it picks from
the cost matrix, whose last row and column stand for the gap (Tai 1979: the cheapest mapping costs exactly the
distance, any other bounds it from above).
"""

import math
from collections.abc import Container
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
    normalised,
    sizes_of,
    total,
    weights_of,
    with_gap,
)
from tted_core.errors import SolverError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.tree import TextTree

Mapping: TypeAlias = tuple[tuple[int | None, int | None], ...]


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
    trimmed_costs: MappingOf[int, NDArray[np.float64]] = field(default_factory=dict, repr=False)
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

    def normalised(self, distance: float) -> dict[str, float]:
        """All normalised distances, by name, of the trees at this distance."""
        found = normalised(distance, sizes_of(self.costs, self.power), self.power)
        return {name: float(value) for name, value in found.items()}

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


@dataclass(frozen=True)
class Solution:
    """A mapping and what is known of its distance to the optimum.

    ``upper`` is the mapping's cost, ``lower`` a certified lower bound of the distance; equal means proven
    optimal.
    """

    mapping: Mapping
    lower: float
    upper: float

    @property
    def proven(self) -> bool:
        """Whether the mapping is proven optimal."""
        return self.lower == self.upper


class Solver(Protocol):
    """What finds the cheapest mapping of one order: an entry of ``SOLVERS``."""

    def __call__(
        self,
        left: TextTree,
        right: TextTree,
        costs: NDArray[np.float64],
        *,
        time_limit: float | None = None,
        monitor: Monitor = UNWATCHED,
    ) -> Solution:
        """``costs`` is (n+1, m+1), finite and >= 0, the last row and column being the gap.

        ``time_limit`` is in seconds, None for no limit. ``monitor`` is told the certified lower bound and the best
        cost now and then, and may end the search with the best mapping so far. A solver that always finishes with
        a proof ignores both.
        """
        ...


def mapping_cost(costs: NDArray[np.float64], mapping: Mapping) -> float:
    """The sum of a mapping's costs, correctly rounded."""
    return math.fsum(picked(costs, mapping))


def mapping_from_partners(partners: NDArray[np.int64], size_right: int) -> Mapping:
    """The full mapping, from each left node's partner (-1 for none)."""
    kept: list[int] = partners.tolist()
    inserted = set(range(size_right)).difference(kept)
    return (
        *((v, None if w < 0 else w) for v, w in enumerate(kept)),
        *((None, w) for w in sorted(inserted)),
    )


def picked(costs: NDArray[np.float64], mapping: Mapping) -> list[float]:
    """The entries of the (n+1, m+1) cost matrix that a mapping picks."""
    rows, columns = costs.shape
    places = [
        (rows - 1 if v is None else v) * columns + (columns - 1 if w is None else w) for v, w in mapping
    ]
    found: list[float] = costs.take(places).tolist()
    return found


def check_mapping(left: TextTree, right: TextTree, mapping: Mapping, *, ordered: bool = False) -> None:
    """Check that ``mapping`` is a Tai mapping: one-to-one, complete, and ancestors map to ancestors.

    With ``ordered`` the left-to-right order must be kept too.
    """
    if sorted(v for v, _ in mapping if v is not None) != list(range(len(left))) or sorted(
        w for _, w in mapping if w is not None
    ) != list(range(len(right))):
        raise SolverError("the solver's mapping doesn't use every node exactly once; please report this")
    partners = {v: w for v, w in mapping if v is not None and w is not None}
    above_left, above_right = _kept_above(left, partners), _kept_above(right, set(partners.values()))
    above = ((above_left[v], above_right[w]) for v, w in partners.items())
    if any((None if v is None else partners[v]) != w for v, w in above):
        raise SolverError("the solver's mapping doesn't keep the ancestor relation; please report this")
    # Among nodes that aren't ancestors of one another, preorder is the left-to-right order.
    in_order = [partners[v] for v in sorted(partners)]
    if ordered and in_order != sorted(in_order):
        raise SolverError("the solver's mapping doesn't keep the sibling order; please report this")


def _kept_above(tree: TextTree, kept: Container[int]) -> list[int | None]:
    """The nearest kept node above each node, None if there is none."""
    found: list[int | None] = [None]
    for parent in tree.parents[1:]:
        found.append(parent if parent in kept else found[parent])
    return found


def checked(solution: Solution, problem: EditProblem, *, ordered: bool) -> Solution:
    """The solution as a distance, after checking that mapping and bounds agree with each other.

    The solver's bounds are sums of ``problem.weights``; those given back are roots of such sums.
    """
    check_mapping(problem.left, problem.right, solution.mapping, ordered=ordered)
    costs = picked(problem.costs, solution.mapping)
    cost = math.fsum(costs if problem.power == 1 else picked(problem.weights, solution.mapping))
    tolerance = 1e-9 * (1.0 + cost)
    agrees = abs(cost - solution.upper) <= tolerance and solution.lower <= cost + tolerance
    if not agrees:  # nor does a NaN
        raise SolverError(
            f"the solver says {solution.upper:.12g} (at least {solution.lower:.12g}) but its mapping costs "
            f"{cost:.12g}; please report this"
        )
    upper = total(costs, problem.power)
    lower = upper if solution.proven else min(problem.distance(solution.lower), upper)
    return replace(solution, lower=lower, upper=upper)
