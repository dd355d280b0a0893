"""The orders that take polynomial time: edist for small pairs, compiled kernels for large ones, one answer."""

import subprocess
import sys

import numpy as np
import pytest
from helpers.random_pairs import SHAPES, random_costs, random_tree
from helpers.references import by_all_mappings, check_and_cost
from helpers.trees import SAMPLES

from tted_core.solvers import SOLVERS, kernels, polynomial, unordered
from tted_core.solvers.edist_reference import solve_constrained, solve_ordered
from tted_core.warm_up import warm_up

each_order = pytest.mark.parametrize("order", ["ordered", "constrained"])


def pairs(seed, sizes):
    rng = np.random.default_rng(seed)
    for size_left, size_right in sizes:
        left, right = (random_tree(rng, size, rng.choice(SHAPES)) for size in (size_left, size_right))
        yield left, right, random_costs(rng, left, right, "metric")


@each_order
def test_both_ways_give_one_answer(order, monkeypatch):
    around = [(31, 32), (32, 32), (40, 25), (25, 40), (1, 1000), (1, 1001), (1, 1), (10, 100), (11, 91)]
    for left, right, costs in pairs(1, around):
        found = []
        for bound in (0, 10**9):
            monkeypatch.setattr(polynomial, "EDIST_PAIRS", bound)
            solution = SOLVERS[order](left, right, costs)
            assert solution.proven
            assert check_and_cost(order, left, right, solution.mapping, costs) == pytest.approx(
                solution.upper
            )
            found.append(solution.upper)
        assert found[0] == pytest.approx(found[1], rel=1e-9)


@each_order
@pytest.mark.parametrize("bound", [0, 10**9])
def test_replacing_may_cost_more_than_deleting_and_inserting(order, bound, monkeypatch):
    """As with costs that are no metric; held against all mappings of small trees."""
    monkeypatch.setattr(polynomial, "EDIST_PAIRS", bound)
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
def test_the_bound_decides(order, monkeypatch):
    asked = []
    solvers = {"ordered": (solve_ordered, "zhang_shasha"), "constrained": (solve_constrained, "constrained")}
    reference, kernel = solvers[order]
    monkeypatch.setattr(
        polynomial.edist_reference,
        reference.__name__,
        lambda *pair: asked.append("edist") or reference(*pair),
    )
    compiled = getattr(kernels, kernel)
    monkeypatch.setattr(kernels, kernel, lambda *pair: asked.append("kernel") or compiled(*pair))
    for left, right, costs in pairs(2, [(25, 40), (40, 25), (7, 143)]):
        SOLVERS[order](left, right, costs, time_limit=0.0)
    assert asked == ["edist", "edist", "kernel"]


def test_a_small_pair_loads_no_machine_code_and_a_large_one_no_edist():
    program = """
import sys
import numpy as np
from tted_core.solvers import SOLVERS
from tted_core.tree import TextTree
def solve(size):
    tree = TextTree(("",) * size, (-1, *[0] * (size - 1)))
    for order in ("ordered", "constrained"):
        SOLVERS[order](tree, tree, 1.0 - np.eye(size + 1))
    return ["edist" in sys.modules, "numba" in sys.modules]
size = int(sys.argv[1])
print(*solve(size))
"""
    for size, loaded in ((31, "True False\n"), (32, "False True\n")):
        result = subprocess.run(
            [sys.executable, "-c", program, str(size)],
            cwd=SAMPLES.parent,
            capture_output=True,
            text=True,
            check=True,
            timeout=240,
        )
        assert (result.stdout, result.stderr) == (loaded, "")


def test_warming_up_reaches_all_solvers(monkeypatch):
    called = []
    monkeypatch.setattr(kernels, "warm_up", lambda: called.append("polynomial"))
    monkeypatch.setattr(unordered, "warm_up", lambda: called.append("unordered"))
    warm_up()
    assert called == ["polynomial", "unordered"]


@each_order
@pytest.mark.parametrize("exponent", [-300, -12, -6, -3, 0, 3, 6, 9, 12, 300])
def test_costs_of_any_size_are_solved(order, exponent):
    """edist's backtrace has a tolerance that doesn't know how large the costs are."""
    for left, right, costs in pairs(3, [(25, 25)] * 5 + [(2, 500), (500, 2), (1, 1)]):
        scaled = costs * 10.0**exponent
        solution = SOLVERS[order](left, right, scaled)
        assert solution.proven
        cost = check_and_cost(order, left, right, solution.mapping, scaled)
        assert solution.upper == pytest.approx(cost, rel=1e-9, abs=0.0)
        expected = SOLVERS[order](left, right, costs).upper
        assert solution.upper == pytest.approx(expected * 10.0**exponent, rel=1e-9, abs=0.0)


@each_order
def test_what_is_almost_a_tie_is_decided_rightly(order):
    """Costs that differ in the seventh digit only: the mapping must still be the cheapest."""
    for left, right, costs in pairs(4, [(15, 15)] * 30):
        near = np.round(costs) + 1e-7 * costs
        near[-1, -1] = 0.0
        solution = SOLVERS[order](left, right, near)
        cost = check_and_cost(order, left, right, solution.mapping, near)
        assert cost == pytest.approx(solution.upper, rel=1e-11, abs=0.0)


@each_order
def test_costs_of_nothing(order):
    for left, right, costs in pairs(5, [(5, 7), (1, 1)]):
        assert SOLVERS[order](left, right, 0.0 * costs).upper == 0.0
