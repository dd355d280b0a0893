"""The compiled kernels against edist, an independent reference and their own mappings."""

import numpy as np
import pytest
from edist import ted, uted
from helpers.random_pairs import random_costs, random_pairs
from scipy.optimize import linear_sum_assignment

from tted_core.solvers.kernels.many import KERNELS, new_mappings, pack_problems, solve_each
from tted_core.solvers.polynomial import solve_constrained, solve_ordered
from tted_core.solvers.second_opinion import edist_arguments
from tted_core.solvers.solution import check_mapping, mapping_cost
from tted_core.tree import TextTree

# edist's Munkres counts reduced costs below 1e-5 as 0, so its matching of children, and with it uted, can be
# too dear by that much per match (seen: 5.7e-7 on 25 nodes).
UTED_ERROR = 1e-5


def no_dearer_than_apart(costs):
    """The costs of an edit distance: a pair is never dearer than both of its nodes alone."""
    capped = costs.copy()
    capped[:-1, :-1] = np.minimum(costs[:-1, :-1], costs[:-1, -1:] + costs[-1:, :-1])
    return capped


def test_ordered_equals_edist_on_random_trees():
    for left, right, costs in random_pairs(1, 2000, 24):
        solution = solve_ordered(left, right, costs)
        check_mapping(left, right, solution.mapping, ordered=True)
        assert solution.proven
        assert solution.upper == mapping_cost(costs, solution.mapping)
        assert solution.upper == pytest.approx(
            ted.ted(*edist_arguments(left, right, costs)), rel=1e-9, abs=1e-9
        )


def test_constrained_equals_edist_on_random_trees():
    for left, right, costs in random_pairs(2, 2000, 24):
        solution = solve_constrained(left, right, costs)
        check_mapping(left, right, solution.mapping)
        assert solution.proven
        assert solution.upper == mapping_cost(costs, solution.mapping)
        expected = uted.uted(*edist_arguments(left, right, no_dearer_than_apart(costs)))
        assert -1e-9 <= expected - solution.upper <= UTED_ERROR * min(len(left), len(right))


@pytest.mark.parametrize("solve", [solve_ordered, solve_constrained])
def test_single_nodes_take_the_cheaper_way(solve):
    leaf = TextTree(("",), (-1,))
    assert solve(leaf, leaf, np.array([[3.0, 1.0], [1.0, 0.0]])).mapping == ((0, None), (None, 0))
    assert solve(leaf, leaf, np.array([[1.0, 1.0], [1.0, 0.0]])).mapping == ((0, 0),)


@pytest.mark.parametrize("size", [(300, 300), (300, 250), (40, 300)])
def test_wide_stars_match_like_scipy(size):
    rng = np.random.default_rng(5)
    left, right = (TextTree(("",) * (leaves + 1), (-1,) + (0,) * leaves) for leaves in size)
    costs = random_costs(rng, left, right, "any")
    gains = costs[1:-1, -1:] + costs[-1:, 1:-1] - costs[1:-1, 1:-1]
    best = gains[linear_sum_assignment(np.maximum(gains, 0.0), maximize=True)].clip(0.0).sum()
    roots = costs[0, 0] - costs[0, -1] - costs[-1, 0]
    expected = costs[:-1, -1].sum() + costs[-1, :-1].sum() - best + roots
    assert solve_constrained(left, right, costs).upper <= expected + 1e-9


@pytest.mark.parametrize("order", KERNELS)
def test_interpreted_and_compiled_give_the_same_to_the_last_bit(order):
    for left, right, costs in random_pairs(6, 400, 16):
        problem = pack_problems([(left, right, costs)])
        interpreted, machine = new_mappings(problem), new_mappings(problem)
        solve_each.interpreted(KERNELS[order], problem, interpreted)
        solve_each(KERNELS[order], problem, machine)
        assert interpreted.distances.tobytes() == machine.distances.tobytes()
        assert interpreted.partners.tolist() == machine.partners.tolist()
