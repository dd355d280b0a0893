"""The distances between embeddings against their definitions, and the arithmetic that must stay exact."""

import numpy as np
import pytest
from helpers.floats import by_arithmetic
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist

from tted_core import distances
from tted_core.distances.vectors import cosine, euclidean, manhattan
from tted_core.errors import EncoderError

DEFINITIONS = {
    "cosine": lambda a, b: np.sqrt(max(0, 1 - a @ b / np.sqrt((a @ a) * (b @ b)))),
    "euclidean": lambda a, b: np.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True))),
    "manhattan": lambda a, b: sum(abs(x - y) for x, y in zip(a, b, strict=True)),
}
# The empty set of vectors is left out: a tree has at least one node.
VECTORS = arrays(np.float64, st.tuples(st.integers(1, 4), st.just(5)), elements=st.floats(0.1, 10))

DISTANCES = {name: each.function for name, each in distances.DISTANCES.items() if each.reads == "encoder"}
each_distance = pytest.mark.parametrize("name", DISTANCES)


def test_every_distance_has_a_definition():
    assert set(DISTANCES) == set(DEFINITIONS)


@each_distance
@given(left=VECTORS, right=VECTORS)
def test_agrees_with_its_definition(name, left, right):
    expected = [[DEFINITIONS[name](a, b) for b in right] for a in left]
    # The textbook sqrt(1 - cos) of nearly equal vectors is itself good to 1e-8 only.
    assert DISTANCES[name](left, right) == pytest.approx(np.array(expected), abs=3e-8)


@pytest.mark.parametrize("rows", [1, 2, 3, 26, pytest.param(300, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("columns", [1, 2, 31, 250])
@pytest.mark.parametrize("dimension", [1, 2, 9, 384])
def test_the_same_as_scipy_gives(rows, columns, dimension):
    """For small maps and large ones, which are computed differently."""
    rng = np.random.default_rng([rows, columns, dimension])
    left, right = rng.standard_normal((rows, dimension)), rng.standard_normal((columns, dimension)) * 1e3
    assert euclidean(left, right) == by_arithmetic(cdist(left, right, "euclidean"))
    assert manhattan(left, right) == by_arithmetic(cdist(left, right, "cityblock"))
    unit = [side / np.linalg.norm(side, axis=1, keepdims=True) for side in (left, right)]
    assert cosine(left, right) == by_arithmetic(cdist(*unit, "euclidean") / np.sqrt(2))


@each_distance
@pytest.mark.parametrize("dimension", [1, 3, 17, 384, 768])
def test_equal_vectors_are_at_distance_0_at_any_position(name, dimension):
    rng = np.random.default_rng(dimension)
    vectors = rng.standard_normal((40, dimension)).astype(np.float32).astype(np.float64)
    for size in (1, 2, 7, 40):
        assert np.diagonal(DISTANCES[name](vectors[:size], vectors)).tolist() == [0.0] * size
        assert DISTANCES[name](vectors[::-1], vectors[:size])[-1, 0] == 0.0


@each_distance
@given(vectors=VECTORS)
def test_is_symmetric_and_keeps_the_triangle_inequality(name, vectors):
    distances = DISTANCES[name](vectors, vectors)
    assert np.array_equal(distances, distances.T)
    detours = distances[:, :, None] + distances[None, :, :]
    assert (distances[:, None, :] <= detours + 1e-12).all()


@pytest.mark.parametrize("zero", [0, 1])
def test_a_zero_vector_has_no_cosine(zero):
    sides = [np.ones((2, 3)), np.ones((2, 3))]
    sides[zero][1] = 0
    with pytest.raises(EncoderError, match=r"zero vector .*choose the distance euclidean or manhattan"):
        cosine(*sides)
    assert np.isfinite(euclidean(*sides)).all()
