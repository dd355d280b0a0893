"""The bounds along the heavy paths of deep, narrow trees."""

import numpy as np
import pytest
from helpers.random_pairs import random_costs

from benchmarks.maps import deep_pair
from tted_core.foundations.monitor import UNWATCHED
from tted_core.solvers.kernels.trees import tree_layout
from tted_core.solvers.solution import check_mapping, mapping_cost
from tted_core.solvers.unordered import paths, solve_unordered
from tted_core.solvers.unordered.problem import Deadline, Problem


def test_a_spine_lists_what_hangs_beside_the_heavy_path():
    spine = paths.new_spine(0, tree_layout(np.array([-1, 0, 1, 0, 3, 4, 4, 3])))
    assert spine.path.tolist() == [3, 4, 5]
    assert spine.beside.tolist() == [1, 2, 7, 6]
    assert spine.depth.tolist() == [0, 0, 1, 2]
    assert spine.parent.tolist() == [-1, 0, -1, -1]
    assert spine.start.tolist() == [0, 2, 3, 4, 4]
    assert paths.heavy_path_length(tree_layout(np.array([-1, 0, 1, 0, 3, 4, 4, 3]))) == 4


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["metric", "any"])
def test_bounds_by_crossings_hold_the_exact_value(monkeypatch, kind):
    tightened = 0
    for seed in range(12):
        left, right, _ = deep_pair(30, 12, seed)
        costs = random_costs(np.random.default_rng(seed), left, right, kind)
        exact = solve_unordered(left, right, costs)  # its paths are too short: without crossings
        assert exact.proven
        problem = Problem.from_costs(left, right, costs)
        deadline = Deadline(None, UNWATCHED)
        monkeypatch.setattr("tted_core.solvers.unordered.problem.STEPS", 4)
        problem.fill(deadline)
        before = problem.bounds.forest_upper.copy()
        monkeypatch.setattr("tted_core.solvers.unordered.problem.STEPS", 300)
        problem.tighten_paths(deadline, long=1)
        monkeypatch.undo()
        tightened += int((problem.bounds.forest_upper < before).sum())
        assert problem.lower <= exact.upper + 1e-9
        assert problem.upper >= exact.upper - 1e-9
        if kind == "metric":
            assert problem.upper - problem.lower < 0.01 * exact.upper
    assert tightened > 0


@pytest.mark.thorough
def test_a_deep_pair_is_proven():
    left, right, costs = deep_pair(60, 30, 0)
    solution = solve_unordered(left, right, costs)
    check_mapping(left, right, solution.mapping)
    assert solution.upper == mapping_cost(costs, solution.mapping)
    assert solution.proven
