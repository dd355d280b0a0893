"""The two orders that can be solved in polynomial time, ordered and constrained, for one pair at a time."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from tted_core.errors import SolverError
from tted_core.solvers.kernels.many import KERNELS, new_mappings, pack_problems, solve_each, solve_pairs
from tted_core.solvers.kernels.review import Rules, new_review, review_each
from tted_core.solvers.solution import Solution, mapping_cost, mapping_from_partners
from tted_core.tree import TextTree


def solve_polynomial(
    order: str,
    left: TextTree,
    right: TextTree,
    costs: NDArray[np.float64],
    **_search: object,
) -> Solution:
    """Solve a pair by the kernel of an order, which needs no options of a search (``Solver``)."""
    found = solve_pairs(KERNELS[order], pack_problems([(left, right, costs)]))
    mapping = mapping_from_partners(found.partners, len(right))
    cost = mapping_cost(costs, mapping)
    if np.isnan(found.distances[0]):
        raise SolverError(
            f"the kernel's mapping costs {cost!r}, which isn't its distance; please report this"
        )
    return Solution(mapping, cost, cost)


solve_ordered = partial(solve_polynomial, "ordered")  # siblings keep their order (Zhang and Shasha 1989)

# Siblings in any order, disjoint subtrees to disjoint ones (Zhang 1996).
solve_constrained = partial(solve_polynomial, "constrained")


def warm_up_polynomial() -> None:
    """Compile the kernels of both orders, or load them from the cache, by running them on tiny trees."""
    tree = TextTree(("", "", "", "", "", ""), (-1, 0, 0, 2, 2, 4))
    problem = pack_problems([(tree, tree, np.ones((7, 7)) - np.eye(7))])
    for order in KERNELS.values():
        solve_each(order, problem, found := new_mappings(problem))
    review_each(problem, found, Rules(problem.parents, 1.0, 0), new_review(1))
