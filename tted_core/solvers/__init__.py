"""Solvers: from two trees and their cost matrix to an optimal mapping.

The three orders are three different numbers: unordered <= constrained and unordered <= ordered, while
constrained and ordered can lie either way.
"""

from tted_core.solvers.edist_reference import solve_constrained, solve_ordered
from tted_core.solvers.solution import Mapping, Solution, Solver, check_mapping, mapping_cost

SOLVERS: dict[str, Solver] = {"ordered": solve_ordered, "constrained": solve_constrained}

__all__ = ["SOLVERS", "Mapping", "Solution", "Solver", "check_mapping", "mapping_cost"]
