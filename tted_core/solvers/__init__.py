"""Solvers: from two trees and their cost matrix to an optimal mapping.

The three orders are three different numbers: unordered <= constrained and unordered <= ordered, while
constrained and ordered can lie either way.
"""

from tted_core.registry import lookup
from tted_core.solvers.choices import NO_CHOICES, Choices, solve_under
from tted_core.solvers.edit_problem import EditProblem
from tted_core.solvers.polynomial import solve_constrained, solve_ordered
from tted_core.solvers.solution import (
    Mapping,
    Solution,
    Solver,
    TellBounds,
    check_mapping,
    checked,
    mapping_cost,
)
from tted_core.solvers.unordered import StopSolving, solve_unordered

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
    "StopSolving",
    "check_mapping",
    "mapping_cost",
    "solve",
]


def solve(
    problem: EditProblem,
    order: str,
    choices: Choices = NO_CHOICES,
    *,
    time_limit: float | None = None,
    progress: TellBounds | None = None,
) -> Solution:
    """The cheapest mapping of this order that keeps the choices, checked whatever the solver says of it.

    Args:
        problem: two trees and their costs.
        order: a name of ``SOLVERS``.
        choices: what must and what must not be in the mapping.
        time_limit: seconds, None for no limit; an order that always finishes with a proof ignores it.
        progress: is told the bounds now and then; may raise ``StopSolving`` to have the best mapping at once.

    Raises:
        UnknownNameError: no such order.
        ChoiceError: no mapping of this order keeps all choices.
        SolverError: the mapping breaks a rule of the order, or doesn't cost what the solver says.
    """
    found = solve_under(
        choices,
        problem.left,
        problem.right,
        problem.weights,
        solver=lookup(SOLVERS, order, "order"),
        order=order,
        time_limit=time_limit,
        progress=progress and (lambda lower, upper: progress(*map(problem.distance, (lower, upper)))),
    )
    return checked(found, problem, ordered=order == "ordered")
