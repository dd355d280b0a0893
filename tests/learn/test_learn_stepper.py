"""Runs that are shown step by step, the player's data, and the pairs on which the orders differ."""

import itertools
import json
import random
import re

import numpy as np
import pytest
from helpers.random_pairs import random_pairs
from helpers.references import allowed, by_all_mappings, check_and_cost, ordered_forest_distance
from helpers.trees import random_tree, tree_of

from tted_core.errors import MAX_NODES_TRACED, LimitError
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
from tted_core.learn.stepper import RECORDERS, constrained, player_data
from tted_core.learn.stepper.ordered import trace
from tted_core.learn.stepper.recording import number_nodes
from tted_core.solvers import SOLVERS
from tted_core.solvers.structure import Obstacle

LEFT, RIGHT = tree_of("a(b(c d) e)"), tree_of("a(c d f(e))")

RUN = trace(LEFT, RIGHT, unit_costs(LEFT, RIGHT))

TWELVE = tree_of("a(b(c d e) f(g h) i(j k l))"), tree_of("a(f(h g) b(e c) i(l m k) n)")


def entries(data):
    """(grid, row, column) -> (step, text) of each time that the entry is filled."""
    found = {}
    for position, step in enumerate(data["steps"]):
        for grid, row, column, text, *_ in step.get("fills", ()):
            found.setdefault((grid, row, column), []).append((position, text))
    return found


def test_every_cell_of_every_table_of_the_ordered_run_has_its_step():
    data, distance = player_data("ordered", LEFT, RIGHT)
    found = entries(data)
    assert distance == RUN.distance
    for cell in RUN.cells:
        [(position, text)] = found[cell.position]
        assert text == f"{cell.value:g}"
        step = data["steps"][position]
        assert step["cell"] == cell.position
        ways = step.get("ways", ())
        assert [way["line"] for way in ways] == [each.line for each in cell.ways]
        for way, each in zip(ways, cell.ways, strict=True):
            assert sum(map(float, way["sum"].split(" + "))) == float(way["value"]) == each.value
    for i, j in itertools.product(range(1, len(LEFT) + 1), range(1, len(RIGHT) + 1)):
        [(_, text)] = found[len(RUN.grids) - 1, i, j]
        assert text == f"{RUN.trees[i, j]:g}"


@pytest.mark.parametrize("order", RECORDERS)
def test_a_run_is_complete(order):
    """Each entry of each grid is filled; what a step adds up is known before; the mapping costs the distance."""
    for left, right, _ in random_pairs(seed=84, count=15, largest=8):
        costs = unit_costs(left, right)
        data, distance = player_data(order, left, right)
        found = entries(data)
        json.dumps(data, allow_nan=False)
        for grid, shown in enumerate(data["grids"]):
            for row, column in itertools.product(shown["rows"], shown["columns"]):
                assert found[grid, row, column], (order, grid, row, column)
        for position, step in enumerate(data["steps"]):
            for origin in (*step.get("origins", ()), *step.get("winners", ())):
                assert found[tuple(origin)][0][0] <= position
            for way in step.get("ways", ()):
                assert way["line"] in {line["key"] for line in data["lines"][step["lines"]]}
            assert len(step["text"]) <= 310, step["text"]  # two lines of a presentation
        pays = {"match": 0.0, "replace": 1.0, "delete": 1.0, "insert": 1.0}
        marks = [mark for step in data["steps"][data["walk"] :] for mark in step.get("marks", ())]
        assert sum(pays[kind] for kind, _, _ in marks) == distance == SOLVERS[order](left, right, costs).upper
        assert sorted(i for _, i, _ in marks if i) == list(range(1, len(left) + 1))
        assert sorted(j for _, _, j in marks if j) == list(range(1, len(right) + 1))
        jumps = [jump["at"] for jump in data["jumps"]]
        assert jumps == sorted(jumps)
        assert jumps[0] == 0
        assert jumps[-1] < len(data["steps"])


@pytest.mark.parametrize("order", RECORDERS)
def test_the_largest_run_stays_small_enough_to_send(order):
    comb = tree_of("a(b " * 5 + "a(b)" + ")" * 5)
    assert len(comb) == MAX_NODES_TRACED
    for pair in ((comb, comb), TWELVE):
        data, _ = player_data(order, *pair)
        assert len(json.dumps(data)) < 1_500_000


def test_the_sentences_say_what_happens():
    texts = [step["text"] for step in player_data("ordered", LEFT, RIGHT)[0]["steps"]]
    assert "2, 4 and 5 on the left, 2, 4 and 5 on the right" in texts[0]
    assert any(text.startswith("Table 9 of 9, keyroots 5 and 5:") for text in texts)
    assert "Against nothing, 3 (b) can only be deleted: f(3, nothing) = 3." in texts
    assert any("3 (b) is deleted, which costs 1." in text for text in texts)
    assert any("4 (f) is inserted, which costs 1." in text for text in texts)
    assert any("1 (c) and 1 (c) match, which costs 0." in text for text in texts)
    assert "4 pairs, 1 deleted, 1 inserted" in texts[-1]
    assert texts[-1].endswith("D(5, 5) = 2, the ordered tree edit distance.")


def test_too_large_trees_are_refused_in_a_sentence():
    large = tree_of("a(" + "b " * MAX_NODES_TRACED + ")")
    for order in RECORDERS:
        with pytest.raises(LimitError, match="13 nodes in the left map"):
            player_data(order, large, RIGHT)


PAIRS = tuple(
    (left, right, np.minimum(costs, costs[:, -1:] + costs[-1:]))  # no pair costs more than both gaps
    for left, right, costs in random_pairs(seed=91, count=200, largest=MAX_NODES_TRACED)
)


def test_an_entry_is_the_least_of_its_ways():
    for left, right, costs in PAIRS[:60]:
        run = constrained.trace(left, right, costs)
        for cell in run.cells:
            assert not cell.ways or cell.value == min(way.value for way in cell.ways)
            for way in cell.ways:
                signs = (1, 1, -1) if way.line in {"left", "right"} else (1,) * len(way.terms)
                assert [term.sign for term in way.terms] == list(signs)
                for term in way.terms:
                    if term.position and term.name.startswith("T"):
                        assert term.value == run.trees[term.position[1:]]


FIRST, SECOND = tree_of("f(d(a c(b)) e)"), tree_of("f(c(d(a b)) e)")


def test_every_cell_is_the_distance_of_its_two_forests():
    """The recursion knows neither postorder nor keyroots, so an error in the numbering would show."""
    for left, right, costs in random_pairs(seed=82, count=40, largest=7):
        run = trace(left, right, costs)
        distance = ordered_forest_distance(left, right, costs)

        def roots(tree, side, numbers, last):
            nodes = {side.preorder[position] for position in numbers if position <= last} - {-1}
            return tuple(sorted(node for node in nodes if tree.parents[node] not in nodes))

        for cell in run.cells:
            table = run.grids[cell.position[0]]
            forest = roots(left, run.left, table.rows[1:], cell.row)
            other = roots(right, run.right, table.columns[1:], cell.column)
            assert cell.value == pytest.approx(distance(forest, other), abs=1e-9)


def test_the_numbering_by_hand():
    numbers = number_nodes(FIRST)
    assert numbers.labels == ("", "a", "b", "c", "d", "e", "f")
    assert numbers.leftmost == (0, 1, 2, 2, 1, 5, 1)
    assert numbers.keyroots == (3, 5, 6)
    assert [numbers.keyroot_of(node) for node in range(1, 7)] == [6, 3, 3, 6, 5, 6]


def test_the_papers_own_example():
    """Zhang and Shasha (1989), with costs of 0 and 1: the matrix that the literature repeats."""
    run = trace(FIRST, SECOND, unit_costs(FIRST, SECOND))
    assert run.distance == 2
    assert run.trees[1:, 1:].tolist() == [
        [0, 1, 2, 3, 1, 5],
        [1, 0, 2, 3, 1, 5],
        [2, 1, 2, 2, 2, 4],
        [3, 3, 1, 2, 4, 4],
        [1, 1, 3, 4, 0, 5],
        [5, 5, 3, 3, 5, 2],
    ]


def test_ties_are_reported_and_the_kept_pair_wins():
    tree = tree_of("a(b)")
    cell = trace(tree, tree_of("b(a)"), np.array([[2.0, 0, 1], [0, 2.0, 1], [1, 1, 0]])).cells[-1]
    assert (cell.row, cell.column) == (2, 2)
    assert [way.line for way in cell.ways] == ["replace", "delete", "insert"]
    assert [way.value for way in cell.ways] == [4, 2, 2]
    assert [way.line for way in cell.best] == ["delete", "insert"]


@pytest.mark.parametrize("side", ["left", "right"])
def test_large_trees_are_refused(side):
    small, large = (random_tree(random.Random(1), size) for size in (3, MAX_NODES_TRACED + 1))
    pair = (large, small) if side == "left" else (small, large)
    with pytest.raises(LimitError, match=f"13 nodes in the {side} map"):
        trace(*pair, unit_costs(*pair))


def test_unit_costs():
    assert unit_costs(tree_of("a(b)"), tree_of("b"), replace=2).tolist() == [[2, 1], [0, 1], [1, 0]]


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


SMALL, SMALLER = tree_of("a(b(c d) e)"), tree_of("a(c d e)")


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
    broken = violation(order, SMALL, SMALLER, pairs)
    assert broken is None if rule is None else broken[1].rule == rule


def test_the_pairs_of_a_violation_break_it_alone():
    broken = violation("constrained", SMALL, SMALLER, [(0, 0), (2, 1), (3, 2), (4, 3)])
    assert broken == ((4, 3), Obstacle("branches", ((2, 1), (3, 2))))


EXAMPLES = [*SMALLEST.values(), *(random_pair(random.Random(seed), 7) for seed in range(30))]


@pytest.mark.parametrize("order", SOLVERS)
def test_the_text_of_an_order_is_about_the_mapping_that_is_drawn(order):
    """Each pair that is missing from the drawing is named with drawn pairs, beside which it is not allowed."""
    for left, right in EXAMPLES:
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
    twice = clash_in_words("unordered", SMALL, SMALLER, (0, 1), Obstacle("one-to-one", ((0, 0),)))
    assert "“a” (no. 5) already has another partner" in twice
