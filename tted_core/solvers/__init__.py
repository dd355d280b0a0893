"""Solvers: from two trees and their cost matrix to an optimal mapping.

The three orders give three different distances: unordered <= constrained and unordered <= ordered, while
constrained and ordered aren't comparable.
"""

from collections.abc import Sequence

from tted_core.errors import SolverError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.registry import lookup
from tted_core.solvers.choices import NO_CHOICES, Choices, chosen, restricted
from tted_core.solvers.kernels import solved_at_once
from tted_core.solvers.polynomial import solve_constrained, solve_ordered
from tted_core.solvers.solution import (
    EditProblem,
    Mapping,
    Solution,
    Solver,
    check_mapping,
    checked,
    mapping_cost,
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
    """The cheapest mapping of a problem that keeps the choices: ``solve_many`` for one problem."""
    (found,) = solve_many([problem], order, choices, time_limit=time_limit, monitor=monitor)
    if isinstance(found, SolverError):
        raise found
    return found


def solve_many(
    problems: Sequence[EditProblem],
    order: str,
    choices: Choices = NO_CHOICES,
    *,
    time_limit: float | None = None,
    monitor: Monitor = UNWATCHED,
) -> list[Solution | SolverError]:
    """The cheapest mapping of each problem that keeps the choices, verified independently of the solver.

    Problems of the polynomial orders are solved in one call of compiled code, and so are unordered ones as far as
    bounds and a short search prove them; the others go to the exact solver one by one.

    Args:
        problems: pairs of trees and their costs.
        order: a name of ``SOLVERS``.
        choices: entries that each mapping must or must not have.
        time_limit: seconds for each problem of an order that may take long; None for no limit.
        monitor: receives the bounds now and then; may end a search with the best mapping so far.

    Returns:
        For each problem its solution, or the error of a wrong one.

    Raises:
        UnknownNameError: no such order.
        ChoiceError: no mapping keeps the choices.
    """
    solver = lookup(SOLVERS, order, "order")
    weighted = [restricted(choices, problem, order) for problem in problems]
    pairs = [(each.left, each.right, costs) for each, (costs, _) in zip(problems, weighted, strict=True)]
    at_once = solved_at_once(order, pairs)
    solutions: list[Solution | SolverError] = []
    for problem, (costs, out), solution in zip(problems, weighted, at_once, strict=True):
        watched = monitor.reporting(
            lambda _stage, *bounds, problem=problem: monitor.advance(*map(problem.distance, bounds))
        )
        try:
            found = solution or solver(
                problem.left, problem.right, costs, time_limit=time_limit, monitor=watched
            )
            found = chosen(found, choices, problem, order, out)
            solutions.append(checked(found, problem, ordered=order == "ordered"))
        except SolverError as error:
            solutions.append(error)
    return solutions
