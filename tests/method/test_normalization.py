"""The two normalisations on costs small enough to check by hand."""

import numpy as np
import pytest

from tted_core.normalization import published, steinhaus

# Two nodes that cost 1 and 3 to delete, one that costs 2 to insert; the other entries play no part.
COSTS = np.array([[9.0, 1.0], [9.0, 3.0], [2.0, 0.0]])


@pytest.mark.parametrize(
    ("function", "distance", "expected"),
    [
        (published, 3.0, 6 / (3 * 3 + 3)),  # w_max = 3, three nodes
        (published, 0.0, 0.0),
        (steinhaus, 3.0, 6 / (1 + 3 + 2 + 3)),
        (steinhaus, 6.0, 1.0),  # everything deleted and inserted
        (steinhaus, 0.0, 0.0),
    ],
)
def test_by_hand(function, distance, expected):
    assert function(distance, COSTS) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("function", [published, steinhaus])
def test_two_trees_of_empty_texts_are_equal(function):
    assert function(0.0, np.zeros((2, 3))) == 0.0


def test_the_gap_of_both_trees_counts_for_the_largest_cost():
    assert published(3.0, COSTS.T) == published(3.0, COSTS)
    assert published(1.0, np.array([[5.0, 1.0], [4.0, 0.0]])) == pytest.approx(2 / (4 * 2 + 1))
