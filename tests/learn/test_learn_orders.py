"""The pairs on which the orders differ, and the rules of each order."""

import itertools
import random

import pytest
from helpers.references import (
    allowed,
    by_all_mappings,
    check_and_cost,
    constrained_distance,
    ordered_distance,
)
from helpers.trees import random_tree, tree_of

from tted_core import SOLVERS
from tted_core.learn.mappings import Violation, pairs_of, violation, with_gaps
from tted_core.learn.orders import NEVER, RANKINGS, separating_pair, trees
from tted_core.learn.unit_costs import unit_costs
from tted_core.solvers import check_mapping
from tted_core.solvers.structure import Obstacle

REFERENCES = {"ordered": ordered_distance, "constrained": constrained_distance}


@pytest.mark.parametrize("ranking", RANKINGS, ids=" > ".join)
def test_the_pair_is_ranked_as_it_says_by_slow_references_too(ranking):
    pair = separating_pair(ranking)
    costs = unit_costs(pair.left, pair.right, replace=NEVER)
    first, second, third = (pair.distances[order] for order in ranking)
    assert first > second > third == 1
    assert abs(len(pair.left) - len(pair.right)) == 1  # so that no mapping costs less than 1
    for order, reference in REFERENCES.items():
        # Zhang's recursion wants replacing to cost no more than deleting and inserting; 2 changes no distance.
        assert pair.distances[order] == reference(pair.left, pair.right, costs.clip(max=2.0))
    for order, solution in pair.solutions.items():
        assert check_and_cost(order, pair.left, pair.right, solution.mapping, costs) == pair.distances[order]


def test_the_first_pair_by_trying_all_mappings():
    pair = separating_pair(RANKINGS[0])
    costs = unit_costs(pair.left, pair.right, replace=NEVER)
    assert pair.distances == {
        order: by_all_mappings(order, pair.left, pair.right, costs) for order in SOLVERS
    }


@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 1), (3, 2), (4, 5), (5, 14), (6, 42)])
def test_there_are_as_many_ordered_trees_as_catalan_says(size, count):
    assert len({tree.parents for tree in trees(size)}) == count


LEFT, RIGHT = tree_of("a(b(c d) e)"), tree_of("a(c d e)")


@pytest.mark.parametrize(
    ("order", "pairs", "rule"),
    [
        ("unordered", [(0, 0), (0, 1)], "one-to-one"),
        ("unordered", [(1, 1), (2, 2)], "ancestors"),
        ("unordered", [(2, 3), (4, 1)], None),
        ("ordered", [(2, 3), (4, 1)], "siblings"),
        ("ordered", [(0, 0), (2, 1), (3, 2), (4, 3)], None),
        ("constrained", [(0, 0), (2, 1), (3, 2), (4, 3)], "branches"),
        ("constrained", [(0, 0), (2, 1), (3, 2)], None),
        ("ordered", [], None),
    ],
)
def test_the_broken_rule(order, pairs, rule):
    broken = violation(order, LEFT, RIGHT, pairs)
    assert broken is None if rule is None else broken.obstacle.rule == rule


def test_the_pairs_of_a_violation_break_it_alone():
    broken = violation("constrained", LEFT, RIGHT, [(0, 0), (2, 1), (3, 2), (4, 3)])
    assert broken == Violation((4, 3), Obstacle("branches", ((2, 1), (3, 2))))


def test_the_rules_agree_with_the_slow_ones_on_random_pairs():
    rng = random.Random(83)
    outcomes = set()
    for order, _ in itertools.product(SOLVERS, range(300)):
        left, right = (random_tree(rng, rng.randint(1, 6)) for _ in range(2))
        size = rng.randint(0, min(len(left), len(right)))
        pairs = list(zip(*(rng.sample(range(len(tree)), size) for tree in (left, right)), strict=True))
        expected = allowed(order, left, right, pairs)
        assert (violation(order, left, right, pairs) is None) == expected
        outcomes.add((order, expected, size > 2))
        if expected:
            whole = with_gaps(left, right, pairs)
            check_mapping(left, right, whole)
            assert sorted(pairs_of(whole)) == sorted(pairs)
    assert len(outcomes) == 12
