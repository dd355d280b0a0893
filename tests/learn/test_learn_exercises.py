"""The exercises: every answer is calculated again by a slow reference that shares nothing with what made it."""

import math
import re
from fractions import Fraction

import pytest
from helpers.references import allowed, by_all_mappings, ordered_distance, ordered_forest_distance

from tted_core import SOLVERS, UnknownNameError
from tted_core.learn.exercises import EXERCISES, exercise
from tted_core.learn.mappings import pairs_of
from tted_core.learn.unit_costs import unit_costs

SEEDS = range(300)


def postorder(tree, node=0):
    return [each for child in tree.children[node] for each in postorder(tree, child)] + [node]


def forest_cell(asked):
    """f(i, j) of the last table by the recursion over forests, and the ways to it."""
    left, right = asked.trees
    i, j = map(int, re.search(r"f\((\d+), (\d+)\)", asked.question).groups())
    distance = ordered_forest_distance(left, right, unit_costs(left, right))

    def f(row, column):
        forests = []
        for tree, count in ((left, row), (right, column)):
            nodes = set(postorder(tree)[:count])
            forests.append(tuple(sorted(node for node in nodes if tree.parents[node] not in nodes)))
        return distance(*forests)

    return f, i, j


def is_right_postorder(asked):
    tree = asked.trees[0]
    label = re.search(r"\*\*(\w)\*\*", asked.question)[1]
    return asked.answer == postorder(tree).index(tree.labels.index(label)) + 1


def is_right_keyroots(asked):
    tree = asked.trees[0]
    roots = [0, *(child for below in tree.children for child in below[1:])]
    return {asked.options[place] for place in asked.answer} == {tree.labels[node] for node in roots}


def is_right_cell(asked):
    f, i, j = forest_cell(asked)
    return asked.answer == f(i, j)


def is_right_winner(asked):
    f, i, j = forest_cell(asked)
    (place,) = asked.answer
    gone = {"deleting the left node": f(i - 1, j) + 1, "inserting the right node": f(i, j - 1) + 1}
    winners = [option for option in asked.options if gone.get(option) == f(i, j)]
    return winners == [asked.options[place]] if winners else asked.options[place] not in gone


def is_right_distance(asked):
    return asked.answer == ordered_distance(*asked.trees, unit_costs(*asked.trees))


def is_right_script(asked):
    (place,) = asked.answer
    operations = [len(option.split(", ")) for option in asked.options]
    best = ordered_distance(*asked.trees, unit_costs(*asked.trees))
    return operations[place] == best and operations.count(best) == 1 == operations.count(min(operations))


def is_right_order(asked):
    (place,) = asked.answer
    left, right = asked.trees
    if len(left) > 5:  # trying all mappings takes too long; the pair itself is tested elsewhere
        return asked.options == tuple(SOLVERS)
    costs = unit_costs(left, right, replace=2)
    value = float(re.search(r"distance is \*\*(\d+)", asked.question)[1])
    return [by_all_mappings(order, left, right, costs) == value for order in asked.options].index(
        True
    ) == place


def is_right_mapping(asked):
    (place,) = asked.answer
    broken = [not allowed("ordered", *asked.trees, pairs_of(mapping)) for mapping in asked.mappings]
    return sum(broken) == 1 and broken[place]


def is_right_cost(asked):
    cosine = float(re.search(r"\*\*(0\.\d+)\*\*", asked.question)[1])
    return math.isclose(asked.answer, math.sqrt(1 - cosine), abs_tol=1e-9)


def is_right_score(asked):
    n, m, d = map(int, re.findall(r"\*\*(\d+)\*\*", asked.question))
    return math.isclose(asked.answer, 2 * d / (n + m + d))


CHECKS = {name: globals()[f"is_right_{name}"] for name in EXERCISES}


@pytest.mark.parametrize("name", EXERCISES)
def test_every_answer_is_right(name):
    for seed in SEEDS:
        asked = exercise(name, seed)
        assert CHECKS[name](asked), (seed, asked)
        assert asked.is_right(asked.answer)
        assert asked.explanation


def roundings(value, decimals):
    """All correct roundings of a fraction to so many decimals: two where it lies in the middle."""
    scaled = value * 10**decimals
    below = math.floor(scaled)
    half = Fraction(1, 2)
    kept = [each for each in (below, below + 1) if abs(scaled - each) <= half]
    return [float(Fraction(each, 10**decimals)) for each in kept]


@pytest.mark.parametrize("name", [name for name in EXERCISES if not exercise(name, 0).options])
def test_every_correct_rounding_is_accepted_and_no_other_number(name):
    middles = 0
    for seed in SEEDS:
        asked = exercise(name, seed)
        exact = Fraction(asked.answer).limit_denominator(1000)
        accepted = set()
        for decimals in (2, 3, 4):
            right = roundings(exact, decimals)
            middles += len(right) - 1
            accepted.update(right)
            assert all(map(asked.is_right, right)), (seed, right)
            step = 10.0**-decimals
            near = {round(given + way * step, decimals) for given in right for way in (-1, 1)}
            assert not any(map(asked.is_right, near - accepted)), (seed, near)
        assert not asked.is_right(math.nan)
        assert not asked.is_right(math.inf)
    assert middles or name != "score", "no variant lies in the middle between two roundings"


def test_both_roundings_of_an_eighth():
    """Of 0.125 neither 0.12 nor 0.13 is wrong."""
    for seed in (7, 84, 124, 125, 149):
        asked = exercise("score", seed)
        assert all(map(asked.is_right, roundings(Fraction(asked.answer), 2))), seed
        assert len(roundings(Fraction(asked.answer), 2)) == 2, seed
        assert asked.explanation.endswith(f"= {asked.answer:g}.")


@pytest.mark.parametrize("name", EXERCISES)
def test_a_seed_gives_the_same_exercise_to_everybody_and_another_one_another(name):
    assert exercise(name, 1) == exercise(name, 1)
    assert len({exercise(name, seed).question + str(exercise(name, seed).trees) for seed in SEEDS}) > 3


def test_wrong_answers_are_refused():
    number = exercise("cost", 0)
    assert number.is_right(round(number.answer, 2))
    assert not number.is_right(number.answer + 0.02)
    options = exercise("keyroots", 0)
    assert not options.is_right(frozenset())
    assert not options.is_right(frozenset(list(options.answer)[1:]))
    assert not options.is_right(1.0)


def test_solutions_are_written_as_people_would():
    assert exercise("postorder", 0).solution == f"{exercise('postorder', 0).answer:g}"
    script = exercise("script", 0)
    assert script.solution == script.options[next(iter(script.answer))]


def test_the_grid_hides_the_cell_that_is_asked_for_and_all_after_it():
    for seed in SEEDS[:30]:
        asked = exercise("cell", seed)
        texts = [text for row in asked.grid.cells for text in row]
        place = texts.index("?")
        assert all(text.isdigit() for text in texts[:place])
        assert not any(texts[place + 1 :])
        assert len(asked.grid.columns) == len(asked.trees[1]) + 1


def test_an_unknown_exercise():
    with pytest.raises(UnknownNameError, match="choose one of: postorder"):
        exercise("knitting", 0)
