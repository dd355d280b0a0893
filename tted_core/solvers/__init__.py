"""Solvers: from two trees and their cost matrix to an optimal mapping.

The three orders are three different numbers: unordered <= constrained and unordered <= ordered, while
constrained and ordered can lie either way.
"""

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
