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

from tted_core.learn.exercises.exercise import random_separating_pair
from tted_core.learn.mappings import (
    NEVER,
    RANKINGS,
    Violation,
    pairs_of,
    separating_pair,
    unit_costs,
    violation,
    with_gaps,
)
from tted_core.solvers import SOLVERS, check_mapping
from tted_core.solvers.structure import Obstacle
from tted_core.tree import TextTree

REFERENCES = {"ordered": ordered_distance, "constrained": constrained_distance}


@pytest.mark.parametrize("ranking", RANKINGS, ids=" > ".join)
def test_the_pair_is_ranked_as_it_says_by_slow_references_too(ranking):
    pair = separating_pair(ranking)
    costs = unit_costs(pair.left, pair.right, replace=NEVER)
    first, second, third = (pair.distances[order] for order in ranking)
    assert first > second > third == len(pair.left) - len(pair.right)  # no mapping costs less
    for order, reference in REFERENCES.items():
        # Zhang's recursion wants replacing to cost no more than deleting and inserting; 2 changes no distance.
        assert pair.distances[order] == reference(pair.left, pair.right, costs.clip(max=2.0))
    for order, solution in pair.solutions.items():
        assert check_and_cost(order, pair.left, pair.right, solution.mapping, costs) == pair.distances[order]


@pytest.mark.thorough
def test_the_first_pair_by_trying_all_mappings():
    pair = separating_pair(RANKINGS[0])
    costs = unit_costs(pair.left, pair.right, replace=NEVER)
    assert pair.distances == {
        order: by_all_mappings(order, pair.left, pair.right, costs) for order in SOLVERS
    }


def shapes(size):
    """The parents of all ordered trees of this size."""

    def grown(parents):
        if len(parents) == size:
            yield parents
            return
        node = len(parents) - 1
        while node >= 0:  # any node of the path to the last one can have the next child
            yield from grown((*parents, node))
            node = parents[node]

    return grown((-1,))


def most_kept(left, right, pairs):
    """Order -> how many of these pairs of equal letters a mapping can keep."""
    kept = dict.fromkeys(SOLVERS, 0)
    for size in range(len(pairs), 0, -1):
        for some in itertools.combinations(pairs, size):
            for order in SOLVERS:
                if kept[order] < size and allowed(order, left, right, list(some)):
                    kept[order] = size
        if all(kept.values()):
            break
    return kept


@pytest.mark.thorough
def test_no_pair_of_eight_nodes_or_fewer_separates_the_orders():
    """All pairs of trees, and all ways in which they can have letters in common, none twice in a tree."""
    tried = 0
    for size, other in ((3, 3), (4, 3), (5, 3), (4, 4)):
        for parents, others in itertools.product(shapes(size), shapes(other)):
            left, right = TextTree(("",) * size, parents), TextTree(("",) * other, others)
            for common in range(3, other + 1):  # three different numbers of kept pairs, 1 being the least
                for mine in itertools.combinations(range(size), common):
                    for its in itertools.permutations(range(other), common):
                        kept = most_kept(left, right, list(zip(mine, its, strict=True)))
                        assert len(set(kept.values())) < len(kept)
                        tried += 1
    assert tried > 4000


def test_generated_pairs_separate_the_orders_and_differ():
    pairs = [random_separating_pair(random.Random(seed)) for seed in range(40)]
    for pair in pairs:
        values = pair.distances
        assert len(set(values.values())) == 3
        assert values["unordered"] == min(values.values())
        costs = unit_costs(pair.left, pair.right, replace=2.0)
        for order, reference in REFERENCES.items():
            assert values[order] == reference(pair.left, pair.right, costs)
    assert len({(pair.left.parents, pair.right.parents, pair.right.labels) for pair in pairs}) > 30


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
