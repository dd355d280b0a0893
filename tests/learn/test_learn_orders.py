"""The pairs on which the orders differ, and the rules of each order."""

import itertools
import random
import re

import pytest
from helpers.references import (
    allowed,
    by_all_mappings,
    check_and_cost,
    constrained_distance,
    ordered_distance,
)
from helpers.trees import random_tree, tree_of

from tted_core.learn.exercise import random_pair
from tted_core.learn.mappings import (
    NEVER,
    SMALLEST,
    clash_in_words,
    explain_omissions,
    letter_solutions,
    list_pairs,
    unit_costs,
    violation,
    with_gaps,
)
from tted_core.solvers import SOLVERS, check_mapping
from tted_core.solvers.structure import Obstacle
from tted_core.tree import TextTree

REFERENCES = {"ordered": ordered_distance, "constrained": constrained_distance}


def distances(left, right):
    return {order: solution.upper for order, solution in letter_solutions(left, right).items()}


@pytest.mark.parametrize("ranking", SMALLEST, ids=" > ".join)
def test_the_pair_is_ranked_as_it_says_by_slow_references_too(ranking):
    left, right = SMALLEST[ranking]
    costs, found = unit_costs(left, right, replace=NEVER), distances(left, right)
    first, second, third = (found[order] for order in ranking)
    assert first > second > third == len(left) - len(right)  # no mapping costs less
    for order, reference in REFERENCES.items():
        # Zhang's recursion wants replacing to cost no more than deleting and inserting; 2 changes no distance.
        assert found[order] == reference(left, right, costs.clip(max=2.0))
    for order, solution in letter_solutions(left, right).items():
        assert check_and_cost(order, left, right, solution.mapping, costs) == found[order]


@pytest.mark.thorough
def test_the_first_pair_by_trying_all_mappings():
    left, right = next(iter(SMALLEST.values()))
    costs = unit_costs(left, right, replace=NEVER)
    assert distances(left, right) == {order: by_all_mappings(order, left, right, costs) for order in SOLVERS}


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
    assert broken is None if rule is None else broken[1].rule == rule


def test_the_pairs_of_a_violation_break_it_alone():
    broken = violation("constrained", LEFT, RIGHT, [(0, 0), (2, 1), (3, 2), (4, 3)])
    assert broken == ((4, 3), Obstacle("branches", ((2, 1), (3, 2))))


PAIRS = [*SMALLEST.values(), *(random_pair(random.Random(seed), 7) for seed in range(30))]


@pytest.mark.parametrize("order", SOLVERS)
def test_the_text_of_an_order_is_about_the_mapping_that_is_drawn(order):
    """Each pair that is missing from the drawing is named with drawn pairs, beside which it is not allowed."""
    for left, right in PAIRS:
        solutions = letter_solutions(left, right)
        drawn, wished = (list_pairs(solutions[name].mapping) for name in (order, "unordered"))
        missing = [left.labels[pair[0]] for pair in wished if pair not in drawn]
        sentences = explain_omissions(order, left, right, drawn, wished)
        assert len(sentences) == len(missing)
        for label, sentence in zip(missing, sentences, strict=True):
            first, *others = re.findall("“(\\w)”", sentence)
            assert first == label
            assert len(others) == (2 if "separate branches" in sentence else 1)
            excluding = [(left.labels.index(each), right.labels.index(each)) for each in (first, *others)]
            assert [each in drawn for each in excluding] == [False, *(True for _ in others)]
            assert not allowed(order, left, right, excluding)


def test_pairs_that_exclude_each_other_in_words():
    found = []
    for (left, right), order in zip(SMALLEST.values(), ("ordered", "constrained"), strict=True):
        solutions = letter_solutions(left, right)
        found += explain_omissions(
            order, left, right, *(list_pairs(solutions[name].mapping) for name in (order, "unordered"))
        )
    assert found[0] == (
        "*ordered* can't keep the pair “C” (no. 1 → 3): the order of branches must be kept, but “D” (no. 2 → 2) "
        "comes after it on the left and before it on the right."
    )
    assert found[-2] == (
        "*constrained* can't keep the pair “D” (no. 2 → 2): separate branches must stay separate, but together "
        "with “C” (no. 1 → 1) and “G” (no. 5 → 3) it would join or split one."
    )
    twice = clash_in_words("unordered", LEFT, RIGHT, (0, 1), Obstacle("one-to-one", ((0, 0),)))
    assert "“a” (no. 5) already has another partner" in twice


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
            assert sorted(list_pairs(whole)) == sorted(pairs)
    assert len(outcomes) == 12
