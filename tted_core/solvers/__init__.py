"""Solvers: from two trees and their cost matrix to an optimal mapping.

The three orders are three different numbers: unordered <= constrained and unordered <= ordered, while
constrained and ordered can lie either way.
"""

from collections.abc import Sequence

import numpy as np

from tted_core.errors import SolverError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.registry import lookup
from tted_core.solvers.choices import NO_CHOICES, Choices, solve_under
from tted_core.solvers.polynomial import solve_constrained, solve_ordered
from tted_core.solvers.solution import (
    EditProblem,
    Mapping,
    Solution,
    Solver,
    check_mapping,
    checked,
    mapping_cost,
    mapping_from_partners,
)
from tted_core.solvers.unordered import solve_unordered

SOLVERS: dict[str, Solver] = {
    "ordered": solve_ordered,
    "constrained": solve_constrained,
    "unordered": solve_unordered,
}

__all__ = [
    "NO_CHOICES",
    "SOLVERS",
    "Choices",
    "EditProblem",
    "Mapping",
    "Solution",
    "Solver",
    "check_mapping",
    "mapping_cost",
    "solve",
    "solve_many",
]


def solve(
    problem: EditProblem,
    order: str,
    choices: Choices = NO_CHOICES,
    *,
    time_limit: float | None = None,
    monitor: Monitor = UNWATCHED,
) -> Solution:
    """The cheapest mapping of this order that keeps the choices, checked whatever the solver says of it.

    Args:
        problem: two trees and their costs.
        order: a name of ``SOLVERS``.
        choices: what must and what must not be in the mapping.
        time_limit: seconds, None for no limit; an order that always finishes with a proof ignores it.
        monitor: is told the bounds now and then; may end the search with the best mapping so far.
    """
    found = solve_under(
        choices,
        problem.left,
        problem.right,
        problem.weights,
        solver=lookup(SOLVERS, order, "order"),
        order=order,
        time_limit=time_limit,
        monitor=monitor.telling(lambda _stage, *bounds: monitor.advance(*map(problem.distance, bounds))),
    )
    return checked(found, problem, ordered=order == "ordered")


def solve_many(
    problems: Sequence[EditProblem],
    order: str,
    *,
    time_limit: float | None = None,
    monitor: Monitor = UNWATCHED,
) -> list[Solution | SolverError]:
    """The cheapest mapping of each problem, checked, as by ``solve``, but all in one call of compiled code.

    An unordered problem that the bounds don't settle at once goes to the exact solver by itself.

    Args:
        problems: pairs of trees and their costs.
        order: a name of ``SOLVERS``.
        time_limit: seconds for each problem of an order that may take long; None for no limit.
        monitor: may stop it; a search that is stopped has no solution then.

    Returns:
        For each problem its solution, or what is wrong with the one that the solver gives.

    Raises:
        UnknownNameError: no such order.
    """
    from tted_core.solvers.kernels.many import KERNELS, packed, solve_pairs
    from tted_core.solvers.unordered.many import solve_pairs_unordered

    lookup(SOLVERS, order, "order")
    together = packed([(each.left, each.right, each.weights) for each in problems])
    if order in KERNELS:
        found, proven = solve_pairs(KERNELS[order], together), np.ones(len(problems), dtype=np.bool_)
    else:
        found, proven = solve_pairs_unordered(together)
    solutions: list[Solution | SolverError] = []
    for number, problem in enumerate(problems):
        try:
            if proven[number]:
                mapping = mapping_from_partners(found.of(number), len(problem.right))
                weight = float(found.distances[number])
                solution = checked(Solution(mapping, weight, weight), problem, ordered=order == "ordered")
            else:
                solution = solve(problem, order, time_limit=time_limit, monitor=monitor)
                monitor.check()
            solutions.append(solution)
        except SolverError as error:
            solutions.append(error)
    return solutions
