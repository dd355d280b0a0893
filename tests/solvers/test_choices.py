"""Solving under forced and forbidden pairs, held against trying all mappings; and what can't be had together."""

import itertools
import math
import random

import numpy as np
import pytest
from helpers.random_pairs import random_pairs
from helpers.references import allowed, by_all_mappings, check_and_cost
from helpers.trees import random_tree, tree_of

from tted_core import TTEDError, solvers
from tted_core.errors import ChoiceError
from tted_core.solvers import SOLVERS, Choices, EditProblem
from tted_core.solvers.choices import check_choices
from tted_core.solvers.structure import node_in_words, obstacle
from tted_core.tree import TextTree

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
    return Choices().forcing(*forced).forbidding(*(entry() for _ in range(rng.choice([0, 1, 3]))))


def small_cases(seed, count):
    rng = random.Random(seed)
    for left, right, costs in random_pairs(seed, count, 5):
        # Replacing costs no more than deleting and inserting, which the constrained solver takes for granted.
        usual = np.minimum(costs, costs[:, -1:] + costs[-1:])
        yield left, right, usual, random_choices(rng, left, right)


@each_order
@pytest.mark.parametrize("seed", [1, 2])
def test_agrees_with_trying_all_mappings(order, seed):
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
            assert choices.kept_by(solution.mapping)
            assert solution.proven
        outcomes.add(math.isinf(expected))
    assert outcomes == {True, False}


@each_order
def test_an_obstacle_is_there_exactly_if_the_pair_cannot_join(order):
    rng = random.Random(4)
    rules = set()
    for _ in range(60):
        left, right = random_tree(rng, rng.randint(3, 7)), random_tree(rng, rng.randint(3, 7))
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
    choices = Choices().forcing((1, 2)).forcing((1, 2)).forbidding((3, 4), (5, None))
    assert choices == Choices(((1, 2),), ((3, 4), (5, None)))
    assert len(choices) == 3
    assert choices.without((3, 4)).without((1, 2)) == Choices((), ((5, None),))
    assert choices.within((0, 1, 5), (0, 2, 3)) == Choices(((1, 1),), ((2, None),))
