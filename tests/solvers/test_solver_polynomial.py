"""The orders that take polynomial time, held against edist and against all mappings of small trees."""

import numpy as np
import pytest
from helpers.random_pairs import SHAPES, random_costs, random_tree
from helpers.references import by_all_mappings, check_and_cost

from tted_core.solvers import SOLVERS, EditProblem
from tted_core.solvers.second_opinion import edist_distance

each_order = pytest.mark.parametrize("order", ["ordered", "constrained"])


def pairs(seed, sizes):
    rng = np.random.default_rng(seed)
    for size_left, size_right in sizes:
        left, right = (random_tree(rng, size, rng.choice(SHAPES)) for size in (size_left, size_right))
        yield left, right, random_costs(rng, left, right, "metric")


@each_order
def test_replacing_may_cost_more_than_deleting_and_inserting(order):
    """As with costs that are no metric; held against all mappings of small trees."""
    rng = np.random.default_rng(5)
    apart = 0
    for _ in range(60):
        left, right = (random_tree(rng, int(rng.integers(2, 6)), rng.choice(SHAPES)) for _ in "lr")
        costs = rng.random((len(left) + 1, len(right) + 1))
        costs[:-1, :-1] *= 3
        costs[-1, -1] = 0
        solution = SOLVERS[order](left, right, costs)
        expected = by_all_mappings(order, left, right, costs)
        assert solution.upper == pytest.approx(expected, abs=1e-9)
        assert check_and_cost(order, left, right, solution.mapping, costs) == pytest.approx(expected)
        apart += bool((costs[:-1, :-1] > costs[:-1, -1:] + costs[-1:, :-1]).any())
    assert apart > 40


@each_order
@pytest.mark.parametrize("exponent", [-300, -6, 9, 300])
def test_costs_of_any_size_are_solved(order, exponent):
    for left, right, costs in pairs(3, [(25, 25)] * 5 + [(2, 500), (500, 2), (1, 1)]):
        scaled = costs * 10.0**exponent
        solution = SOLVERS[order](left, right, scaled)
        assert solution.proven
        cost = check_and_cost(order, left, right, solution.mapping, scaled)
        assert solution.upper == pytest.approx(cost, rel=1e-9, abs=0.0)
        expected = SOLVERS[order](left, right, costs).upper
        assert solution.upper == pytest.approx(expected * 10.0**exponent, rel=1e-9, abs=0.0)


@each_order
def test_a_second_opinion_raises_costs_to_the_power_of_the_distance(order):
    for left, right, costs in pairs(3, [(12, 9)]):
        problem = EditProblem(left, right, costs, power=4)
        solution = SOLVERS[order](left, right, problem.weights)
        assert edist_distance(problem, order) == pytest.approx(problem.distance(solution.upper), abs=1e-4)
