"""Solvers: from two trees and their cost matrix to an optimal mapping.

The three orders give three different distances: unordered <= constrained and unordered <= ordered, while
constrained and ordered aren't comparable.
"""

import numpy as np

from tted_core.errors import lookup
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.solvers.choices import NO_CHOICES, Choices, apply_choices, restrict_costs
from tted_core.solvers.kernels.compiling import Booleans, Floats
from tted_core.solvers.kernels.many import (
    KERNELS,
    EditProblems,
    Mappings,
    new_mappings,
    pack_problems,
    solve_pairs,
)
from tted_core.solvers.polynomial import solve_constrained, solve_ordered
from tted_core.solvers.solution import (
    EditProblem,
    Mapping,
    Solution,
    Solver,
    check_mapping,
    check_solution,
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
    "solve_alone",
    "solve_packed",
]


def solve(
    problem: EditProblem,
    order: str,
    choices: Choices = NO_CHOICES,
    *,
    time_limit: float | None = None,
    monitor: Monitor = UNWATCHED,
) -> Solution:
    """The cheapest mapping of a problem that keeps the choices, verified independently of the solver.

    Args:
        problem: a pair of trees and their costs.
        order: a name of ``SOLVERS``.
        choices: entries that the mapping must or must not have.
        time_limit: seconds for an order that may take long; None for no limit.
        monitor: receives the bounds now and then; may end a search with the best mapping so far.

    Raises:
        UnknownNameError: no such order.
        ChoiceError: no mapping keeps the choices.
        SolverError: the solver's mapping or its distance is wrong.
    """
    lookup(SOLVERS, order, "order")
    costs, out = restrict_costs(choices, problem, order) if choices else (problem.weights, None)
    mappings, proven = solve_packed(order, pack_problems([(problem.left, problem.right, costs)]))
    if proven[0]:
        distance = float(mappings.distances[0])
        found = Solution(mapping_from_partners(mappings.partners, len(problem.right)), distance, distance)
    else:
        found = solve_alone(problem, order, costs, time_limit=time_limit, monitor=monitor)
    if out is not None:
        found = apply_choices(found, choices, problem, order, out)
    return check_solution(found, problem, ordered=order == "ordered")


def solve_alone(
    problem: EditProblem,
    order: str,
    costs: Floats,
    *,
    time_limit: float | None = None,
    monitor: Monitor = UNWATCHED,
) -> Solution:
    """Solve a pair that ``solve_packed`` doesn't prove by the order's solver of single pairs, unverified.

    ``costs`` are the problem's weights, or those that keep choices.
    """
    watched = monitor.with_report(lambda _stage, *bounds: monitor.advance(*map(problem.distance, bounds)))
    return SOLVERS[order](problem.left, problem.right, costs, time_limit=time_limit, monitor=watched)


def solve_packed(order: str, problems: EditProblems) -> tuple[Mappings, Booleans]:
    """The best mapping of each pair that one call of compiled code finds, and whether it is proven optimal.

    Those of the polynomial orders always are, unordered ones as far as bounds and a short search prove them;
    other orders have no compiled code.
    """
    if order in KERNELS:
        return solve_pairs(KERNELS[order], problems), np.ones(len(problems.pairs), dtype=np.bool_)
    if order == "unordered":
        from tted_core.solvers.unordered.many import solve_pairs_unordered

        return solve_pairs_unordered(problems)
    return new_mappings(problems), np.zeros(len(problems.pairs), dtype=np.bool_)
