"""The cost matrix: who stands where, and what it refuses."""

import numpy as np
import pytest
from helpers.encoders import with_vectors
from helpers.trees import tree_of

from tted_core.compare import compare_maps
from tted_core.distances import DISTANCES, Distance, Models
from tted_core.errors import EncoderError
from tted_core.method import Method

VECTORS = {"": (0, 1), "a": (1, 0), "b": (0, 2), "x": (3, 0), "y": (1, 0), "z": (0, 5)}
LEFT, RIGHT = tree_of("a(b)"), tree_of("x(y z)")
OF_VECTORS = [name for name, each in DISTANCES.items() if each.reads == "encoder"]


def costs_by(name, *, factor=1.0):
    vectors = {text: [factor * number for number in vector] for text, vector in VECTORS.items()}
    return compare_maps(LEFT, RIGHT, Method(distance=name), Models(with_vectors(vectors))).costs


def test_rows_are_deleted_columns_inserted_and_the_gap_is_last():
    assert costs_by("manhattan").tolist() == [
        [2.0, 0.0, 6.0, 2.0],
        [5.0, 3.0, 3.0, 1.0],
        [4.0, 2.0, 4.0, 0.0],
    ]


@pytest.mark.parametrize("name", OF_VECTORS)
def test_every_entry_is_a_distance(name):
    left, right = (np.array([VECTORS[label] for label in tree.labels], float) for tree in (LEFT, RIGHT))
    empty = np.array([VECTORS[""]], float)
    distance = DISTANCES[name].function
    costs = costs_by(name)
    assert costs.shape == (3, 4)
    assert costs[:-1, :-1] == pytest.approx(distance(left, right))
    assert costs[:-1, -1] == pytest.approx(distance(left, empty)[:, 0])
    assert costs[-1, :-1] == pytest.approx(distance(empty, right)[0])
    assert costs[-1, -1] == 0.0


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e-9])
def test_costs_that_would_mislead_a_solver_are_refused(value, monkeypatch):
    def bad(left, right):
        costs = np.ones((len(left), len(right)))
        costs[0, 1] = value
        return costs

    monkeypatch.setitem(DISTANCES, "bad", Distance("bad", bad, ""))
    with pytest.raises(EncoderError, match="negative or not a number"):
        costs_by("bad")


def test_vectors_too_long_for_their_distance_are_refused():
    with np.errstate(over="ignore"), pytest.raises(EncoderError, match="negative or not a number"):
        costs_by("manhattan", factor=3e307)
