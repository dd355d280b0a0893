"""The run of Zhang and Shasha's algorithm that is shown step by step, held against slow references."""

import random

import numpy as np
import pytest
from helpers.random_pairs import random_pairs
from helpers.references import ordered_forest_distance
from helpers.trees import random_tree, tree_of

from tted_core.errors import LimitError
from tted_core.foundations.limits import MAX_NODES_TRACED
from tted_core.learn.mappings import unit_costs
from tted_core.learn.stepper.ordered import trace
from tted_core.learn.stepper.recording import number_nodes

LEFT, RIGHT = tree_of("f(d(a c(b)) e)"), tree_of("f(c(d(a b)) e)")


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
    numbers = number_nodes(LEFT)
    assert numbers.labels == ("", "a", "b", "c", "d", "e", "f")
    assert numbers.leftmost == (0, 1, 2, 2, 1, 5, 1)
    assert numbers.keyroots == (3, 5, 6)
    assert [numbers.keyroot_of(node) for node in range(1, 7)] == [6, 3, 3, 6, 5, 6]


def test_the_papers_own_example():
    """Zhang and Shasha (1989), with costs of 0 and 1: the matrix that the literature repeats."""
    run = trace(LEFT, RIGHT, unit_costs(LEFT, RIGHT))
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
