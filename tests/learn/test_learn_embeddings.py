"""The flat picture of embeddings."""

import numpy as np
import pytest
from helpers.encoders import hashed

from tted_core.distances.formulas import euclidean
from tted_core.foundations.stats import plane

VECTORS = hashed([f"sentence {number}" for number in range(12)])


def test_no_distance_in_the_plane_is_larger_than_the_real_one():
    positions, shares = plane(VECTORS)
    flat, real = (euclidean(each, each) for each in (positions, VECTORS))
    assert (flat <= real + 1e-9).all()
    assert 0 < shares[1] <= shares[0] < 1


def test_flat_points_keep_their_shape():
    flat = np.array([[0.0, 0.0, 5.0], [3.0, 0.0, 5.0], [0.0, 4.0, 5.0]])
    positions, shares = plane(flat)
    assert euclidean(positions, positions)[1, 2] == pytest.approx(5.0)
    assert shares.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("count", [1, 2])
def test_few_or_equal_vectors_have_coordinates_too(count):
    positions, shares = plane(np.ones((count, 4)))
    assert positions.shape == (count, 2)
    assert not positions.any()
    assert not shares.any()
