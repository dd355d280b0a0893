"""Solvers: from two trees and their cost matrix to an optimal mapping.

The three orders are three different numbers: unordered <= constrained and unordered <= ordered, while
constrained and ordered can lie either way.
"""

from tted_core.solvers.choices import NO_CHOICES, Choices, solve_under
from tted_core.solvers.polynomial import solve_constrained, solve_ordered
from tted_core.solvers.solution import Mapping, Solution, Solver, check_mapping, mapping_cost
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
    "Mapping",
    "Solution",
    "Solver",
    "StopSolving",
    "check_mapping",
    "mapping_cost",
    "solve_under",
]
