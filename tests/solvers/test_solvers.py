"""The orders ordered and constrained against slow references; every mapping costed again by our own code."""

import random

import numpy as np
import pytest
from helpers.references import (
    by_all_mappings,
    check_and_cost,
    keeps_ancestors,
    keeps_order,
)
from helpers.trees import random_tree, tree_of

from tted_core.distances.vectors import euclidean
from tted_core.errors import SolverError
from tted_core.solvers import SOLVERS, check_mapping, mapping_cost

each_solver = pytest.mark.parametrize("order", SOLVERS)


def random_costs(rng, left, right):
    """Any costs, some of them equal and some 0; such as no encoder gives."""
    scale = rng.choice([1, 4, 1000])
    costs = [[rng.randint(0, scale) / scale for _ in range(len(right) + 1)] for _ in range(len(left) + 1)]
    costs[-1][-1] = 0.0
    return np.array(costs)


def metric_costs(rng, left, right):
    """Distances between random points, the gap being a point too, as costs of TTED always are."""
    points = np.array([[rng.uniform(-1, 1) for _ in range(3)] for _ in range(len(left) + len(right) + 1)])
    return euclidean(points[[*range(len(left)), -1]], points[len(left) :])


def tied_costs(rng, left, right):
    """A metric with many equal costs and some zeros: shortest ways through random whole numbers."""
    size = len(left) + len(right) + 1
    ways = np.array([[float(rng.randint(0, 4)) for _ in range(size)] for _ in range(size)])
    ways = np.minimum(ways, ways.T)
    np.fill_diagonal(ways, 0.0)
    for middle in range(size):
        ways = np.minimum(ways, ways[:, [middle]] + ways[[middle]])
    return ways[[*range(len(left)), -1]][:, [*range(len(left), size - 1), -1]]


def cases(count, largest, costs_of, seed):
    rng = random.Random(seed)
    for _ in range(count):
        left, right = (random_tree(rng, rng.randint(1, largest)) for _ in range(2))
        yield left, right, costs_of(rng, left, right)


@each_solver
@pytest.mark.parametrize("costs_of", [tied_costs, metric_costs])
def test_agrees_with_trying_all_mappings(order, costs_of):
    for left, right, costs in cases(200, 5, costs_of, seed=2):
        expected = by_all_mappings(order, left, right, costs)
        assert SOLVERS[order](left, right, costs).upper == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("left", "right", "ordered", "constrained", "unordered"),
    [
        ("a(b c)", "a(c b)", 2, 0, 0),  # siblings swapped
        ("a(b(c d))", "a(d c)", 3, 1, 1),
        ("a(b(c d) e)", "a(c d e)", 1, 3, 1),  # a parent taken out: subtrees apart in one tree only
        ("a(b(c d) e)", "a(d c e)", 3, 3, 1),  # both at once
        ("a(b(c) d)", "a(d b(c))", 2, 0, 0),  # ordered moves the leaf, not the branch
        ("a", "b", 2, 2, 2),
        ("a(b)", "b(a)", 2, 2, 2),  # ancestors may not swap
    ],
)
def test_worked_examples(left, right, ordered, constrained, unordered):
    """Renaming costs 2, so that only equal labels are worth matching; a node costs 1."""
    left, right = tree_of(left), tree_of(right)
    costs = np.array(
        [[0.0 if a == b else 2.0 for b in right.labels] + [1.0] for a in left.labels]
        + [[1.0] * len(right) + [0.0]]
    )
    expected = {"ordered": ordered, "constrained": constrained, "unordered": unordered}
    assert by_all_mappings("unordered", left, right, costs) == unordered
    for order, solver in SOLVERS.items():
        assert solver(left, right, costs).upper == expected[order], order


@each_solver
@pytest.mark.parametrize("costs_of", [random_costs, tied_costs, metric_costs])
def test_every_mapping_is_one_of_its_order_and_costs_what_the_solver_says(order, costs_of):
    for left, right, costs in cases(100, 9, costs_of, seed=4):
        solution = SOLVERS[order](left, right, costs)
        cost = check_and_cost(order, left, right, solution.mapping, costs)
        assert cost == pytest.approx(solution.upper, abs=1e-9)
        assert cost == mapping_cost(costs, solution.mapping)
        check_mapping(left, right, solution.mapping, ordered=order == "ordered")


@each_solver
def test_arguments_are_not_modified(order):
    left, right = tree_of("a(b c)"), tree_of("a(c(d))")
    costs = metric_costs(random.Random(5), left, right)
    before = costs.copy()
    first = SOLVERS[order](left, right, costs)
    assert np.array_equal(costs, before)
    assert SOLVERS[order](left, right, costs) == first


LEFT, RIGHT = tree_of("a(b c(d))"), tree_of("a(b(c) d)")
IDENTICAL = ((0, 0), (1, 1), (2, None), (3, 3), (None, 2))


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ((), "every node exactly once"),
        (IDENTICAL[:-1], "every node exactly once"),
        ((*IDENTICAL, (None, 2)), "every node exactly once"),
        (((0, 0), (1, 1), (2, 1), (3, 3), (None, 2)), "every node exactly once"),
        (((0, 0), (1, 1), (2, 2), (3, 4), (None, 3)), "every node exactly once"),
        (((0, 1), (1, 0), (2, None), (3, 3), (None, 2)), "ancestor relation"),  # child above parent
        (((0, 0), (1, 1), (2, None), (3, 2), (None, 3)), "ancestor relation"),  # apart, then not
        (((0, None), (1, 3), (2, 1), (3, 2), (None, 0)), "sibling order"),
    ],
)
def test_check_mapping_refuses_invalid_mappings(mapping, message):
    with pytest.raises(SolverError, match=message):
        check_mapping(LEFT, RIGHT, mapping, ordered=True)
    if message == "sibling order":
        check_mapping(LEFT, RIGHT, mapping)


def test_check_mapping_agrees_with_the_reference_check():
    rng = random.Random(6)
    outcomes = set()
    for _ in range(500):
        left, right = (random_tree(rng, rng.randint(1, 5)) for _ in range(2))
        size = rng.randint(0, min(len(left), len(right)))
        some, others = (rng.sample(range(len(tree)), size) for tree in (left, right))
        pairs = list(zip(some, others, strict=True))
        mapping = (
            *pairs,
            *((v, None) for v in range(len(left)) if v not in dict(pairs)),
            *((None, w) for w in range(len(right)) if w not in dict(pairs).values()),
        )
        for ordered in (False, True):
            expected = keeps_ancestors(left, right, pairs) and (not ordered or keeps_order(pairs))
            outcomes.add((ordered, expected))
            try:
                check_mapping(left, right, mapping, ordered=ordered)
            except SolverError:
                assert not expected
            else:
                assert expected
    assert len(outcomes) == 4


def test_mapping_cost_is_correctly_rounded():
    costs = np.array([[1e16, 1.0], [1.0, 0.0]])
    tree = tree_of("a")
    assert mapping_cost(costs, ((0, None), (None, 0))) == 2.0
    assert mapping_cost(np.array([[0.1] * 11] * 11), tuple((i, i) for i in range(10))) == 1.0
    assert mapping_cost(costs, tuple((v, v) for v in range(len(tree)))) == 1e16
