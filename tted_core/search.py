"""A solver at work on a comparison: told of, stopped, checked, and asked for every depth.

The whole trees give TTED; trimmed to k levels, TTED@k, of which the published code makes AvgTTED.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core import normalization
from tted_core.errors import ChoiceError, SolverError
from tted_core.notices import by_depth_notices
from tted_core.solvers import (
    NO_CHOICES,
    Choices,
    Solution,
    Solver,
    StopSolving,
    check_mapping,
    mapping_cost,
    solve_under,
)
from tted_core.tree import TextTree

Progress: TypeAlias = Callable[[str, float], None]
"""Called with the stage in words and the share of it that is done, 0 to 1; may raise to give up."""


@dataclass(frozen=True)
class ByDepth:
    """TTED@k for k = 1, 2, ..., those k for which it is not proven, and those for which no choice is kept."""

    tted: tuple[float, ...]
    normalized: tuple[float, ...]
    unproven: tuple[int, ...]
    free: tuple[int, ...]

    @property
    def notices(self) -> tuple[str, ...]:
        """What a reader of these numbers should know."""
        return by_depth_notices(self.unproven, self.free)


@dataclass(frozen=True)
class Search:
    """A solver at work on two trees, and how it tells of it."""

    solver: Solver
    trees: tuple[TextTree, TextTree]
    costs: NDArray[np.float64]
    order: str
    progress: Progress
    should_stop: Callable[[], bool]
    choices: Choices = NO_CHOICES
    trimmed_costs: Mapping[int, NDArray[np.float64]] = field(default_factory=dict)
    """k -> the costs of the trees trimmed to k levels, where they are not just those of the nodes kept."""

    def run(
        self,
        trees: tuple[TextTree, TextTree],
        costs: NDArray[np.float64],
        seconds: float | None,
        choices: Choices | None = None,
    ) -> Solution:
        """Solve, and check what the solver says; ``choices`` are those of the whole trees unless given."""
        solution = solve_under(
            self.choices if choices is None else choices,
            *trees,
            costs,
            solver=self.solver,
            order=self.order,
            time_limit=seconds,
            progress=self._tell,
        )
        return _checked(solution, *trees, costs, ordered=self.order == "ordered")

    def by_depth(self, whole: Solution, time_limit: float | None) -> ByDepth:
        """Solve the trees trimmed to each depth; ``whole`` is the solution of the untrimmed ones.

        Trimmed trees keep the choices whose nodes they have; none if they can't, for the partners are below.
        """
        levels = max(tree.depth for tree in self.trees)
        seconds = None if time_limit is None else time_limit / levels
        tted, normalized, unproven, free = [], [], [], []
        for k in range(1, levels + 1):
            self.progress(f"Computing TTED@k for k = 1 to {levels}", k / levels)
            solution, costs = whole, self.costs
            if k < levels:
                rows, columns = (tree.nodes_to_depth(k) for tree in self.trees)
                costs = self.trimmed_costs.get(k, self.costs[np.ix_((*rows, -1), (*columns, -1))])
                left, right = (tree.trimmed(k) for tree in self.trees)
                try:
                    solution = self.run((left, right), costs, seconds, self.choices.within(rows, columns))
                except ChoiceError:
                    solution = self.run((left, right), costs, seconds, NO_CHOICES)
                    free.append(k)
            tted.append(solution.upper)
            normalized.append(normalization.published(solution.upper, costs))
            if not solution.proven:
                unproven.append(k)
        return ByDepth(tuple(tted), tuple(normalized), tuple(unproven), tuple(free))

    def _tell(self, lower: float, upper: float) -> None:
        if self.should_stop():
            raise StopSolving
        share = lower / upper if upper else 1.0
        self.progress(f"Searching: the best script costs {upper:.4f}, none less than {lower:.4f}", share)


def _checked(
    solution: Solution, left: TextTree, right: TextTree, costs: NDArray[np.float64], *, ordered: bool
) -> Solution:
    """The solution with its mapping's own cost, after checking that mapping and bounds agree with it."""
    check_mapping(left, right, solution.mapping, ordered=ordered)
    cost = mapping_cost(costs, solution.mapping)
    tolerance = 1e-9 * (1.0 + cost)
    agrees = abs(cost - solution.upper) <= tolerance and solution.lower <= cost + tolerance
    if not agrees:  # nor does a NaN
        raise SolverError(
            f"the solver says {solution.upper:.12g} (at least {solution.lower:.12g}) but its mapping costs "
            f"{cost:.12g}; please report this"
        )
    return replace(solution, lower=cost if solution.proven else min(solution.lower, cost), upper=cost)
