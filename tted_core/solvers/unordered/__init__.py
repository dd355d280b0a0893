"""Exact unordered (Tai) tree edit distance, with a certificate.

The distance that the paper defines is NP-hard (Zhang, Statman and Shasha 1992). In gain form it is a dynamic
program over pairs of subtrees whose one hard step is an antichain matching (Hong, Kobayashi and Yamamoto 2017).
That step is bounded from both sides for all pairs (:mod:`.bounds`, :mod:`.lagrange`); then only the decisive
pairs are solved exactly (:mod:`.refinement`), by linear and by integer programs (:mod:`.model`). The search can be
stopped at any time: the bounds reached are the certificate.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.solvers.polynomial import solve_constrained
from tted_core.solvers.solution import Solution, mapping_cost, mapping_from_partners
from tted_core.solvers.unordered.bounds import fill_rows
from tted_core.solvers.unordered.many import recover_partners
from tted_core.solvers.unordered.problem import Deadline, Problem
from tted_core.tree import TextTree

__all__ = ["solve_unordered", "warm_up"]

_EQUAL = 1e-9  # relative to the total of all costs; closer bounds are equal up to rounding


def solve_unordered(
    left: TextTree,
    right: TextTree,
    costs: NDArray[np.float64],
    *,
    time_limit: float | None = None,
    monitor: Monitor = UNWATCHED,
) -> Solution:
    """The unordered distance; ``lower == upper`` if it is proven.

    The search starts from Zhang's constrained mapping (1996), so the result is never worse than that.

    Args:
        left: the first tree.
        right: the second tree.
        costs: (n+1, m+1), finite and >= 0, the last row and column being the gap.
        time_limit: seconds after which the best mapping found is returned, with the bounds reached; the current
            step may take a little longer.
        monitor: receives the certified lower bound and the best cost now and then; may end the search with the
            best mapping so far.
    """
    # The tolerances of the linear and integer programs are absolute, and with costs of 1e-8 they would prove
    # anything: the largest cost is scaled to about 1 by a power of 2, which is exact.
    shift = -math.frexp(float(costs.max()))[1]
    costs = np.ldexp(costs, shift)

    def report_unshifted(_stage: str, lower: float, upper: float) -> None:
        monitor.advance(math.ldexp(lower, -shift), math.ldexp(upper, -shift))

    deadline = Deadline(time_limit, monitor.with_report(report_unshifted))
    best = solve_constrained(left, right, costs)
    # Each node of either tree costs at least its cheapest edit.
    lower = float(max(costs[:-1].min(axis=1).sum(), costs[:, :-1].min(axis=0).sum()))
    deadline.report(lower, best.upper)
    partners, certified = _search(left, right, costs, deadline)
    if partners is not None:
        mapping = mapping_from_partners(partners, len(right))
        best = min(Solution(mapping, 0.0, mapping_cost(costs, mapping)), best, key=lambda found: found.upper)
    lower = max(lower, certified)
    if best.upper - lower <= _EQUAL * costs[:-1, -1].sum() + _EQUAL * costs[-1, :-1].sum():
        lower = best.upper
    return Solution(best.mapping, math.ldexp(lower, -shift), math.ldexp(best.upper, -shift))


def warm_up_unordered() -> None:
    """Compile the solver's kernels, or load them from the cache, by solving a small pair."""
    rng = np.random.default_rng(0)  # this pair needs an integer program
    trees = []
    for _ in range(2):
        children: list[list[int]] = [[] for _ in range(16)]
        for node in range(1, 16):
            children[int(rng.integers(node))].append(node)
        trees.append(TextTree.from_children([""] * 16, children))
    costs = 1.0 + 0.1 * rng.random((17, 17))
    solve_unordered(trees[0], trees[1], costs)


def _search(
    left: TextTree,
    right: TextTree,
    costs: NDArray[np.float64],
    deadline: Deadline,
) -> tuple[NDArray[np.int64] | None, float]:
    """Each left node's partner and a lower bound; (None, 0) if time runs out before there are bounds."""
    problem = Problem(left, right, costs)
    if deadline.passed or not problem.fill(deadline):
        return None, 0.0
    if problem.upper - problem.lower > problem.tolerance:
        from tted_core.solvers.unordered.refinement import Refiner

        Refiner(problem, deadline).run()
        fill_rows(0, len(left), 1, problem.tables)
    # The bounds are sums of up to some thousand floats; possible rounding is subtracted.
    return recover_partners(problem.tables), problem.lower - 1e-12 * problem.total
