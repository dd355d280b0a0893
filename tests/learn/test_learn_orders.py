"""The pairs on which the orders differ, and the rules of each order."""

import random
import re

import pytest
from helpers.references import (
    allowed,
    by_all_mappings,
    check_and_cost,
)
from helpers.trees import tree_of

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
)
from tted_core.solvers import SOLVERS
from tted_core.solvers.structure import Obstacle


def distances(left, right):
    return {order: solution.upper for order, solution in letter_solutions(left, right).items()}


@pytest.mark.parametrize("ranking", SMALLEST, ids=" > ".join)
def test_the_pair_is_ranked_as_it_says(ranking):
    left, right = SMALLEST[ranking]
    costs, found = unit_costs(left, right, replace=NEVER), distances(left, right)
    first, second, third = (found[order] for order in ranking)
    assert first > second > third == len(left) - len(right)  # no mapping costs less
    for order, solution in letter_solutions(left, right).items():
        assert check_and_cost(order, left, right, solution.mapping, costs) == found[order]


@pytest.mark.thorough
def test_the_first_pair_by_trying_all_mappings():
    left, right = next(iter(SMALLEST.values()))
    costs = unit_costs(left, right, replace=NEVER)
    assert distances(left, right) == {order: by_all_mappings(order, left, right, costs) for order in SOLVERS}


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
