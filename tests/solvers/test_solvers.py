"""The polynomial solvers against slow references and edist; mappings costed again; many pairs in one call."""

import random

import numpy as np
import pytest
from helpers.random_pairs import SHAPES, random_costs, random_pairs, random_tree
from helpers.references import by_all_mappings, check_and_cost, keeps_ancestors, keeps_order
from helpers.trees import random_tree as labelled_tree
from helpers.trees import tree_of

from tted_core.distances.formulas import euclidean
from tted_core.errors import SolverError
from tted_core.solvers import SOLVERS, EditProblem, check_mapping, mapping_cost
from tted_core.solvers.kernels.many import CONSTRAINED, ORDERED, pack_problems, solve_pairs
from tted_core.solvers.second_opinion import edist_distance
from tted_core.solvers.solution import mapping_from_partners
from tted_core.solvers.unordered.many import solve_pairs_unordered

each_solver = pytest.mark.parametrize("order", SOLVERS)


def any_costs(rng, left, right):
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
        left, right = (labelled_tree(rng, rng.randint(1, largest)) for _ in range(2))
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
@pytest.mark.parametrize("costs_of", [any_costs, tied_costs, metric_costs])
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
        left, right = (labelled_tree(rng, rng.randint(1, 5)) for _ in range(2))
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


def in_one_call(order, triples):
    """Distance and mapping of each."""
    found = solve_pairs(order, pack_problems(triples))
    for number, (_, right, _) in enumerate(triples):
        partners = found.partners[found.starts[number] : found.starts[number + 1]]
        yield found.distances[number], mapping_from_partners(partners, len(right))


@pytest.mark.parametrize(("order", "name"), [(ORDERED, "ordered"), (CONSTRAINED, "constrained")])
def test_many_pairs_give_the_results_of_single_ones(order, name):
    triples = list(random_pairs(seed=4, count=400, largest=14))
    for (left, right, costs), (distance, mapping) in zip(triples, in_one_call(order, triples), strict=True):
        alone = SOLVERS[name](left, right, costs)
        assert distance == pytest.approx(alone.upper, abs=1e-12)
        assert mapping == alone.mapping
        check_mapping(left, right, mapping, ordered=order == ORDERED)
        assert distance == pytest.approx(mapping_cost(costs, mapping), abs=1e-9)


def test_maps_may_have_more_leaves_than_a_number_has_bits():
    rng = np.random.default_rng(6)
    left, right = random_tree(rng, 70, "wide"), random_tree(rng, 72, "wide")
    costs = random_costs(rng, left, right, "any")
    found, _ = solve_pairs_unordered(pack_problems([(left, right, costs)]))
    mapping = mapping_from_partners(found.partners, len(right))
    check_mapping(left, right, mapping)
    assert found.distances[0] == pytest.approx(mapping_cost(costs, mapping), abs=1e-9)
    assert found.distances[0] <= SOLVERS["constrained"](left, right, costs).upper + 1e-9


@pytest.mark.thorough
def test_proven_results_are_the_unordered_distance_and_others_are_never_below_it():
    triples = list(random_pairs(seed=5, count=300, largest=12))
    found, proven = solve_pairs_unordered(pack_problems(triples))
    assert proven.mean() > 0.95
    for number, (left, right, costs) in enumerate(triples):
        partners = found.partners[found.starts[number] : found.starts[number + 1]]
        mapping = mapping_from_partners(partners, len(right))
        check_mapping(left, right, mapping)
        distance = found.distances[number]
        assert distance == pytest.approx(mapping_cost(costs, mapping), abs=1e-9)
        exact = SOLVERS["unordered"](left, right, costs).upper
        assert distance >= exact - 1e-9
        if proven[number]:
            assert distance == pytest.approx(exact, abs=1e-8)
