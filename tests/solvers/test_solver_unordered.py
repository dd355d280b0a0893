"""The exact unordered solver against all mappings of small trees and a global integer program."""

import itertools

import numpy as np
import pytest
from helpers.random_pairs import KINDS, SHAPES, random_costs, random_pairs, random_tree
from helpers.references import by_all_mappings
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from tted_core.solvers.polynomial import solve_constrained, solve_ordered
from tted_core.solvers.solution import check_mapping, mapping_cost
from tted_core.solvers.unordered import solve_unordered
from tted_core.tree import TextTree


def is_above(tree, above, node):
    return above < node < above + tree.sizes[above]


def integer_program(left, right, costs):
    """One binary variable per pair of nodes, one row per two pairs that break the ancestor relation."""
    pairs = list(itertools.product(range(len(left)), range(len(right))))
    rows = [[p for p, (v, _) in enumerate(pairs) if v == node] for node in range(len(left))]
    rows += [[p for p, (_, w) in enumerate(pairs) if w == node] for node in range(len(right))]
    for (p, (v, w)), (q, (x, y)) in itertools.combinations(enumerate(pairs), 2):
        if (
            v != x
            and w != y
            and (
                is_above(left, v, x) != is_above(right, w, y) or is_above(left, x, v) != is_above(right, y, w)
            )
        ):
            rows.append([p, q])
    entries = [(row, column) for row, columns in enumerate(rows) for column in columns]
    matrix = csr_array((np.ones(len(entries)), np.array(entries).T), shape=(len(rows), len(pairs)))
    gains = np.array([costs[v, -1] + costs[-1, w] - costs[v, w] for v, w in pairs])
    result = milp(
        -gains,
        constraints=LinearConstraint(matrix, ub=1.0),
        integrality=np.ones(len(pairs)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0.0},
    )
    assert result.status == 0
    return costs[:-1, -1].sum() + costs[-1, :-1].sum() + result.fun


def checked(left, right, costs, **options):
    solution = solve_unordered(left, right, costs, **options)
    check_mapping(left, right, solution.mapping)
    assert solution.upper == mapping_cost(costs, solution.mapping)
    assert 0.0 <= solution.lower <= solution.upper
    return solution


def test_agrees_with_trying_all_mappings():
    for left, right, costs in random_pairs(1, 500, 6):
        solution = checked(left, right, costs)
        assert solution.proven
        assert solution.upper == pytest.approx(
            by_all_mappings("unordered", left, right, costs), rel=1e-9, abs=1e-9
        )


@pytest.mark.thorough
def test_equals_a_global_integer_program():
    rng = np.random.default_rng(2)
    for number in range(100):
        shape, kind = SHAPES[number % 3], KINDS[number % 5]
        left, right = random_tree(rng, 12, shape), random_tree(rng, 12, SHAPES[number % 2])
        costs = random_costs(rng, left, right, kind)
        solution = checked(left, right, costs)
        assert solution.proven
        assert solution.upper == pytest.approx(integer_program(left, right, costs), rel=1e-7, abs=1e-7)


def test_is_at_most_the_ordered_and_the_constrained_distance():
    for left, right, costs in random_pairs(3, 150, 40):
        solution = checked(left, right, costs)
        assert solution.proven
        polynomial = min(solve_ordered(left, right, costs).upper, solve_constrained(left, right, costs).upper)
        assert solution.upper <= polynomial + 1e-9


@given(st.integers(0, 2**32 - 1), st.integers(1, 25), st.integers(1, 25))
@settings(max_examples=40, deadline=None)
def test_is_symmetric_and_ignores_sibling_order(seed, size_left, size_right):
    rng = np.random.default_rng(seed)
    left, right = random_tree(rng, size_left, "any"), random_tree(rng, size_right, "wide")
    costs = random_costs(rng, left, right, "metric")
    there = checked(left, right, costs).upper
    assert checked(right, left, costs.T).upper == pytest.approx(there, rel=1e-9, abs=1e-9)
    children = [list(rng.permutation(below)) for below in left.children]
    order = []
    pending = [0]
    while pending:
        order.append(pending.pop())
        pending.extend(reversed(children[order[-1]]))
    shuffled = TextTree.from_children([""] * size_left, children)
    rows = [*order, size_left]
    assert checked(shuffled, right, costs[rows]).upper == pytest.approx(there, rel=1e-9, abs=1e-9)


def test_equal_trees_cost_nothing():
    rng = np.random.default_rng(4)
    tree = random_tree(rng, 60, "any")
    costs = random_costs(rng, tree, tree, "any") + 0.1
    np.fill_diagonal(costs, 0.0)
    solution = checked(tree, tree, costs)
    assert solution.proven
    assert solution.upper == 0.0
    assert solution.mapping == tuple((node, node) for node in range(60))


def test_single_nodes():
    leaf = TextTree(("",), (-1,))
    star = TextTree(("",) * 5, (-1, 0, 0, 0, 0))
    assert checked(leaf, leaf, np.array([[3.0, 1.0], [1.0, 0.0]])).mapping == ((0, None), (None, 0))
    assert checked(leaf, leaf, np.array([[1.0, 1.0], [1.0, 0.0]])).mapping == ((0, 0),)
    costs = np.ones((2, 6))
    costs[0, 3] = 0.25
    assert checked(leaf, star, costs).upper == 4.25


def test_a_very_deep_pair_does_not_reach_the_recursion_limit():
    rng = np.random.default_rng(7)
    path = TextTree(("",) * 700, tuple(range(-1, 699)))
    other = random_tree(rng, 30, "any")
    costs = random_costs(rng, path, other, "metric")
    assert checked(path, other, costs).proven


@pytest.mark.parametrize("factor", [1e-12, 1e-8, 1e-4, 1e4, 1e12])
def test_the_size_of_the_costs_does_not_matter(factor):
    """The programs' tolerances are absolute, so costs are brought to about 1 first."""
    rng = np.random.default_rng(5)
    for _ in range(6):
        left, right = random_tree(rng, 9, "any"), random_tree(rng, 9, "any")
        costs = 1 + 0.2 * rng.random((10, 10))
        reference = solve_unordered(left, right, costs)
        scaled = solve_unordered(left, right, costs * factor)
        assert reference.proven
        assert scaled.proven
        assert scaled.upper == pytest.approx(reference.upper * factor, rel=1e-9)
