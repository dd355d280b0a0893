"""The exercises: every answer is calculated again by a slow reference that shares nothing with what made it."""

import math
import re
from fractions import Fraction

import pytest
from helpers.references import allowed, ordered_distance, ordered_forest_distance
from helpers.thorough import sampled

from tted_core.errors import UnknownNameError
from tted_core.learn.exercises import EXERCISES, exercise
from tted_core.learn.mappings import list_pairs, unit_costs

SEEDS = range(300)
NUMBERS = ["postorder", "reading", "edits", "cost", "distance", "score", "cell"]


def postorder(tree, node=0):
    return [each for child in tree.children[node] for each in postorder(tree, child)] + [node]


def forest_cell(task):
    """f(i, j) of the last table by the recursion over forests, and the ways to it."""
    left, right = task.trees
    i, j = map(int, re.search(r"f\((\d+), (\d+)\)", task.question).groups())
    distance = ordered_forest_distance(left, right, unit_costs(left, right))

    def f(row, column):
        forests = []
        for tree, count in ((left, row), (right, column)):
            nodes = set(postorder(tree)[:count])
            forests.append(tuple(sorted(node for node in nodes if tree.parents[node] not in nodes)))
        return distance(*forests)

    return f, i, j


def is_right_postorder(task):
    tree = task.trees[0]
    label = re.search(r"\*\*(\w)\*\*", task.question)[1]
    return task.answer == postorder(tree).index(tree.labels.index(label)) + 1


def is_right_keyroots(task):
    tree = task.trees[0]
    roots = [0, *(child for below in tree.children for child in below[1:])]
    return {task.options[position] for position in task.answer} == {tree.labels[node] for node in roots}


def is_right_cell(task):
    f, i, j = forest_cell(task)
    return task.answer == f(i, j)


def is_right_distance(task):
    return task.answer == ordered_distance(*task.trees, unit_costs(*task.trees))


def is_right_reading(task):
    """Unit costs: nodes without a partner, and pairs of different letters."""
    (mapping,) = task.mappings
    (left, right), pairs = task.trees, list_pairs(mapping)
    kept = sum(left.labels[v] == right.labels[w] for v, w in pairs)
    assert allowed("ordered", left, right, pairs)
    return task.answer == len(left) + len(right) - len(pairs) - kept


def is_right_mapping(task):
    (position,) = task.answer
    broken = [not allowed("ordered", *task.trees, list_pairs(mapping)) for mapping in task.mappings]
    return sum(broken) == 1 and broken[position]


def is_right_orders(task):
    (mapping,) = task.mappings
    pairs = list_pairs(mapping)
    return {task.options[position] for position in task.answer} == {
        order for order in task.options if allowed(order, *task.trees, pairs)
    }


def is_right_edits(task):
    """The sum of three entries of the table, named by the question."""
    table = {
        (row, column): Fraction(text or 0)
        for row, *texts in task.grid[1:]
        for column, text in zip(task.grid[0][1:], texts, strict=True)
    }
    replaced, by, gone, new = re.search(
        r"replace (\w) with (\w), delete (\w), insert (\w)", task.question
    ).groups()
    edits = ((replaced, by), (gone, "∅"), ("∅", new))
    return Fraction(task.answer).limit_denominator(100) == sum(table[edit] for edit in edits)


def is_right_cost(task):
    cosine = float(re.search(r"\*\*(0\.\d+)\*\*", task.question)[1])
    return math.isclose(task.answer, math.sqrt(1 - cosine), abs_tol=1e-9)


def is_right_score(task):
    n, m, d = map(int, re.findall(r"\*\*(\d+)\*\*", task.question))
    return math.isclose(task.answer, 2 * d / (n + m + d))


CHECKS = {name: globals()[f"is_right_{name}"] for name in EXERCISES}


@pytest.mark.parametrize("name", sampled(EXERCISES, 5))
def test_every_answer_is_right(name):
    for seed in SEEDS:
        task = exercise(name, seed)
        assert CHECKS[name](task), (seed, task)
        assert task.is_right(task.answer)
        assert task.explanation


def roundings(value, decimals):
    """All correct roundings of a fraction to so many decimals: two where it lies in the middle."""
    scaled = value * 10**decimals
    below = math.floor(scaled)
    half = Fraction(1, 2)
    kept = [each for each in (below, below + 1) if abs(scaled - each) <= half]
    return [float(Fraction(each, 10**decimals)) for each in kept]


def test_these_have_a_number_as_their_answer():
    """Named and not computed, since what is computed while tests are collected keeps all of them waiting."""
    assert [name for name in EXERCISES if not exercise(name, 0).options] == NUMBERS


@pytest.mark.parametrize("name", sampled(NUMBERS, 3))
def test_every_correct_rounding_is_accepted_and_no_other_number(name):
    middles = 0
    for seed in SEEDS:
        task = exercise(name, seed)
        exact = Fraction(task.answer).limit_denominator(1000)
        accepted = set()
        for decimals in (2, 3, 4):
            right = roundings(exact, decimals)
            middles += len(right) - 1
            accepted.update(right)
            assert all(map(task.is_right, right)), (seed, right)
            step = 10.0**-decimals
            near = {round(given + way * step, decimals) for given in right for way in (-1, 1)}
            assert not any(map(task.is_right, near - accepted)), (seed, near)
        assert not task.is_right(math.nan)
        assert not task.is_right(math.inf)
    assert middles or name != "score", "no variant lies in the middle between two roundings"


@pytest.mark.parametrize("name", sampled(EXERCISES, 5))
def test_a_seed_gives_the_same_exercise_to_everybody_and_another_one_another(name):
    assert exercise(name, 1) == exercise(name, 1)
    assert len({exercise(name, seed).question + str(exercise(name, seed).trees) for seed in SEEDS[:20]}) > 3


def test_wrong_answers_are_refused():
    number = exercise("cost", 0)
    assert number.is_right(round(number.answer, 2))
    assert not number.is_right(number.answer + 0.02)
    options = exercise("keyroots", 0)
    assert not options.is_right(frozenset())
    assert not options.is_right(frozenset(list(options.answer)[1:]))
    assert not options.is_right(1.0)


def test_the_grid_hides_the_requested_cell_and_all_later_ones():
    for seed in SEEDS[:30]:
        task = exercise("cell", seed)
        texts = [text for _, *row in task.grid[1:] for text in row]
        position = texts.index("?")
        assert all(text.isdigit() for text in texts[:position])
        assert not any(texts[position + 1 :])
        assert len(task.grid[0]) == len(task.trees[1]) + 2


def test_an_unknown_exercise():
    with pytest.raises(UnknownNameError, match="choose one of: postorder, reading, mapping"):
        exercise("knitting", 0)


def test_exercises_on_tted_precede_those_on_algorithms():
    assert list(EXERCISES)[:3] == ["postorder", "reading", "mapping"]  # the third one needs both
    advanced = ["(advanced)" in kind.title for kind in EXERCISES.values()]
    assert advanced == sorted(advanced)


def test_a_mapping_to_judge_is_allowed_by_one_order_at_least():
    answers = {exercise("orders", seed).answer for seed in SEEDS[:60]}
    assert frozenset({0, 1, 2}) in answers
    assert frozenset({1, 2}) in answers
