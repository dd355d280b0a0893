"""The exact unordered solver, and solving under forced and forbidden pairs, against trying all mappings."""

import itertools
import math
import random

import numpy as np
import pytest
from helpers.random_pairs import KINDS, SHAPES, random_costs, random_pairs, random_tree
from helpers.references import allowed, by_all_mappings, check_and_cost
from helpers.trees import random_tree as labelled_tree
from helpers.trees import tree_of
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from tted_core import TTEDError, solvers
from tted_core.errors import ChoiceError
from tted_core.solvers import SOLVERS, Choices, EditProblem
from tted_core.solvers.choices import check_choices
from tted_core.solvers.polynomial import solve_constrained, solve_ordered
from tted_core.solvers.solution import check_mapping, mapping_cost
from tted_core.solvers.structure import node_in_words, obstacle
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


each_order = pytest.mark.parametrize("order", SOLVERS)


def solve(choices, order, left, right, costs):
    return solvers.solve(EditProblem(left, right, costs), order, choices)


def keeps(choices, left, right, pairs):
    matched_left, matched_right = {v for v, _ in pairs}, {w for _, w in pairs}
    mapping = {
        *pairs,
        *((v, None) for v in range(len(left)) if v not in matched_left),
        *((None, w) for w in range(len(right)) if w not in matched_right),
    }
    return set(choices.forced) <= mapping and not set(choices.forbidden) & mapping


def random_choices(rng, left, right):
    """Up to two forced and three forbidden entries, now and then a gap among them."""

    def entry():
        v, w = rng.randrange(len(left)), rng.randrange(len(right))
        return rng.choice([(v, w), (v, w), (v, w), (v, None), (None, w)])

    forced = [entry() for _ in range(rng.choice([0, 1, 1, 2]))]
    return Choices().with_forced(*forced).with_forbidden(*(entry() for _ in range(rng.choice([0, 1, 3]))))


def small_cases(seed, count):
    rng = random.Random(seed)
    for left, right, costs in random_pairs(seed, count, 5):
        # Replacing costs no more than deleting and inserting, which the constrained solver takes for granted.
        usual = np.minimum(costs, costs[:, -1:] + costs[-1:])
        yield left, right, usual, random_choices(rng, left, right)


@each_order
@pytest.mark.parametrize("seed", [1, 2])
def test_under_choices_it_agrees_with_trying_all_mappings(order, seed):
    outcomes = set()
    for left, right, costs, choices in small_cases(seed, 60):
        expected = by_all_mappings(
            order, left, right, costs, lambda pairs, given=(choices, left, right): keeps(*given, pairs)
        )
        try:
            solution = solve(choices, order, left, right, costs)
        except ChoiceError:
            assert math.isinf(expected), (left, right, costs, choices)
        else:
            assert solution.upper == pytest.approx(expected, abs=1e-9), (left, right, costs, choices)
            assert check_and_cost(order, left, right, solution.mapping, costs) == pytest.approx(
                solution.upper, abs=1e-12
            )
            assert choices.are_kept_by(solution.mapping)
            assert solution.proven
        outcomes.add(math.isinf(expected))
    assert outcomes == {True, False}


@each_order
def test_an_obstacle_is_there_exactly_if_the_pair_cannot_join(order):
    rng = random.Random(4)
    rules = set()
    for _ in range(60):
        left, right = labelled_tree(rng, rng.randint(3, 7)), labelled_tree(rng, rng.randint(3, 7))
        pairs = list(itertools.product(range(len(left)), range(len(right))))
        rng.shuffle(pairs)
        mapping = []
        for pair in pairs:
            found = obstacle(left, right, order, pair, mapping)
            together = allowed(order, left, right, [*mapping, pair])
            assert (found is None) == together
            if found is None:
                mapping.append(pair)
                continue
            rules.add(found.rule)
            assert set(found.others) <= set(mapping)
            if found.rule == "branches":
                assert not allowed(order, left, right, [*found.others, pair])
            else:
                assert all(not allowed(order, left, right, [other, pair]) for other in found.others)
    special = {"ordered": {"siblings"}, "constrained": {"branches"}, "unordered": set()}[order]
    assert rules == {"one-to-one", "ancestors"} | special


CHAIN, STAR = tree_of("a(b(c))"), tree_of("a(b c)")


@pytest.mark.parametrize(
    ("order", "trees", "choices", "message"),
    [
        (
            "unordered",
            (STAR, STAR),
            Choices(((1, 1), (1, 2))),
            r"“b” \(no\. 1\) can't have the pair .* clear one",
        ),
        ("unordered", (STAR, STAR), Choices(((1, 1), (2, 1))), r"“b” \(no\. 1\) can't have the pair"),
        ("ordered", (STAR, STAR), Choices(((1, 1), (1, None))), "and the deletion of “b”"),
        ("constrained", (STAR, STAR), Choices(((1, 1),), ((1, 1),)), "both forced and forbidden"),
        (
            "unordered",
            (CHAIN, STAR),
            Choices(((1, 1), (2, 2))),
            "is above it on the left and beside it on the",
        ),
        (
            "ordered",
            (STAR, STAR),
            Choices(((1, 2), (2, 1))),
            "comes before it on the left and after it on the right",
        ),
        (
            "constrained",
            (tree_of("r(a b c)"), tree_of("r(x(a b) c)")),
            Choices(((1, 2), (3, 3), (2, 4))),
            "separate branches must stay separate",
        ),
        ("constrained", (STAR, tree_of("a")), Choices((), ((0, None), (1, None))), "can't be avoided"),
        ("ordered", (STAR, STAR), Choices(((7, 1),)), "names node 7, but the left map has 3 nodes"),
        ("ordered", (STAR, STAR), Choices((), ((None, None),)), "has no node"),
    ],
)
def test_impossible_choices_are_refused_in_one_sentence(order, trees, choices, message):
    left, right = trees
    costs = np.ones((len(left) + 1, len(right) + 1))
    costs[-1, -1] = 0.0
    with pytest.raises(TTEDError, match=message) as raised:
        solve(choices, order, left, right, costs)
    assert "\n" not in str(raised.value)


def test_the_constrained_order_alone_forbids_splitting_a_branch():
    left, right = tree_of("r(a b c)"), tree_of("r(x(a b) c)")
    choices = Choices(((1, 2), (3, 3), (2, 4)))
    check_choices(choices, "unordered", left, right)
    with pytest.raises(ChoiceError):
        check_choices(choices, "constrained", left, right)


def test_long_and_hostile_labels_are_shortened_and_not_changed_in_a_message():
    label = "<img src=x onerror=hit()>\n:red[x] " + "y" * 10_000
    tree = TextTree((label, label), (-1, 0))
    with pytest.raises(ChoiceError) as raised:
        check_choices(Choices(((0, 1), (1, 0))), "ordered", tree, tree)
    assert "“<img src=x onerror=hit()> :red[x] yyyyyyyyyyyyyyy…”" in str(raised.value)
    assert len(str(raised.value)) < 600


def test_a_label_that_turns_the_direction_of_writing_is_kept_apart():
    tree = TextTree(("\u202egnp", "plain"), (-1, 0))
    assert node_in_words(tree, 0) == "“\u2068\u202egnp\u2069” (no. 0)"
    assert node_in_words(tree, 1) == "“plain” (no. 1)"


def test_choices_are_made_once_and_taken_back():
    choices = Choices().with_forced((1, 2)).with_forced((1, 2)).with_forbidden((3, 4), (5, None))
    assert choices == Choices(((1, 2),), ((3, 4), (5, None)))
    assert len(choices) == 3
    assert choices.without((3, 4)).without((1, 2)) == Choices((), ((5, None),))
    assert choices.within((0, 1, 5), (0, 2, 3)) == Choices(((1, 1),), ((2, None),))
