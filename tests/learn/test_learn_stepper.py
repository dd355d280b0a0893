"""Data of the step player: every entry and every sentence of a run, in either order."""

import itertools
import json

import pytest
from helpers.random_pairs import random_pairs
from helpers.trees import tree_of

from tted_core.errors import LimitError
from tted_core.foundations.limits import MAX_NODES_TRACED
from tted_core.learn.mappings import unit_costs
from tted_core.learn.stepper import RECORDERS, player_data
from tted_core.learn.stepper.ordered import trace
from tted_core.solvers import SOLVERS

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
