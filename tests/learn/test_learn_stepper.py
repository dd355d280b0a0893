"""What the step player is given: every cell and every sentence of a run."""

import json

import pytest
from helpers.random_pairs import random_pairs
from helpers.trees import tree_of

from tted_core.learn.stepper import player_data
from tted_core.learn.stepper.narration import number, tell
from tted_core.learn.unit_costs import unit_costs
from tted_core.learn.zhang_shasha import trace
from tted_core.limits import MAX_NODES_TRACED

LEFT, RIGHT = tree_of("a(b(c d) e)"), tree_of("a(c d f(e))")
RUN = trace(LEFT, RIGHT, unit_costs(LEFT, RIGHT))


def test_every_cell_of_every_table_has_its_step():
    data = player_data(LEFT, RIGHT, RUN)
    for index, table in enumerate(RUN.tables):
        shown = data["tables"][index]
        assert data["steps"][shown["first"] - 1]["kind"] == "table"
        for place, cell in enumerate(table.cells, start=shown["first"]):
            step = data["steps"][place]
            assert (step["table"], *step["cell"], step["value"]) == (
                index,
                cell.row,
                cell.column,
                number(cell.value),
            )
            for way, candidate in zip(step["ways"], cell.candidates, strict=True):
                assert float(way["start"]) + float(way["added"]) == float(way["value"]) == candidate.value
    assert [step["at"] for step in data["steps"]] == list(range(len(data["steps"])))


def test_each_subtree_distance_appears_with_the_step_that_finds_it():
    data = player_data(LEFT, RIGHT, RUN)
    for i in range(1, len(LEFT) + 1):
        for j in range(1, len(RIGHT) + 1):
            entry = data["trees"][i][j]
            assert entry["value"] == number(RUN.tree_distances[i, j])
            step = data["steps"][entry["at"]]
            assert step["tree"]
            assert step["cell"] == (i, j)


def test_what_is_used_is_known_before():
    """No candidate may need a cell or a subtree distance that a later step fills."""
    for left, right, costs in random_pairs(seed=84, count=30, largest=8):
        data = player_data(left, right, trace(left, right, costs))
        for step in data["steps"]:
            for way in step.get("ways", ()):
                table = data["tables"][step["table"]]
                row, column = (
                    way["from"][side] - table[name][0] for side, name in enumerate(("rows", "columns"))
                )
                assert table["first"] + row * len(table["columns"]) + column < step["at"]
                if way["move"] == "subtree":
                    i, j = step["cell"]
                    assert data["trees"][i][j]["at"] < step["at"]


def test_the_largest_run_stays_small_enough_to_send():
    comb = tree_of("a(b " * 5 + "a(b)" + ")" * 5)
    assert len(comb) == MAX_NODES_TRACED
    data = player_data(comb, comb, trace(comb, comb, unit_costs(comb, comb)))
    assert len(json.dumps(data)) < 1_500_000


def test_the_sentences_say_what_happens():
    texts = [step.text for step in tell(RUN)]
    assert "2, 4 and 5 on the left, 2, 4 and 5 on the right" in texts[0]
    assert any(text.startswith("Table 9 of 9, keyroots 5 and 5:") for text in texts)
    assert "Against nothing, 3 (b) can only be deleted: f(3, 0) = 3." in texts
    assert any("3 (b) is deleted, which costs 1." in text for text in texts)
    assert any("4 (f) is inserted, which costs 1." in text for text in texts)
    assert any("1 (c) and 1 (c) match, which costs 0." in text for text in texts)
    assert "4 pairs, 1 deleted, 1 inserted" in texts[-1]
    assert texts[-1].endswith("D(5, 5) = 2, the ordered tree edit distance.")


@pytest.mark.parametrize(("value", "shown"), [(3.0, "3"), (0.0, "0"), (1.23456, "1.235"), (0.5, "0.500")])
def test_numbers_in_tables(value, shown):
    assert number(value) == shown
