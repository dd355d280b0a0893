"""The cost matrix: who stands where, and what it refuses."""

import numpy as np
import pytest

from tted_core.costs import cost_matrix
from tted_core.distances.vectors import DISTANCES
from tted_core.errors import EncoderError

LEFT = np.array([[1.0, 0.0], [0.0, 2.0]])
RIGHT = np.array([[3.0, 0.0], [1.0, 0.0], [0.0, 5.0]])
EMPTY = np.array([0.0, 1.0])


def test_rows_are_deleted_columns_inserted_and_the_gap_is_last():
    costs = cost_matrix(LEFT, RIGHT, EMPTY, DISTANCES["manhattan"])
    assert costs.tolist() == [
        [2.0, 0.0, 6.0, 2.0],
        [5.0, 3.0, 3.0, 1.0],
        [4.0, 2.0, 4.0, 0.0],
    ]


@pytest.mark.parametrize("name", DISTANCES)
def test_every_entry_is_a_distance(name):
    distance = DISTANCES[name]
    costs = cost_matrix(LEFT, RIGHT, EMPTY, distance)
    assert costs.shape == (3, 4)
    assert costs[:-1, :-1] == pytest.approx(distance(LEFT, RIGHT))
    assert costs[:-1, -1] == pytest.approx(distance(LEFT, EMPTY[None])[:, 0])
    assert costs[-1, :-1] == pytest.approx(distance(EMPTY[None], RIGHT)[0])
    assert costs[-1, -1] == 0.0


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e-9])
def test_costs_that_would_mislead_a_solver_are_refused(value):
    def bad(left, right):
        costs = np.ones((len(left), len(right)))
        costs[0, 1] = value
        return costs

    with pytest.raises(EncoderError, match="negative or not a number"):
        cost_matrix(LEFT, RIGHT, EMPTY, bad)


def test_vectors_too_long_for_their_distance_are_refused():
    with np.errstate(over="ignore"), pytest.raises(EncoderError, match="negative or not a number"):
        cost_matrix(LEFT * 1e308, RIGHT * -1e308, EMPTY, DISTANCES["manhattan"])
