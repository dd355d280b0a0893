"""The arithmetic: by hand, and many pairs as single ones."""

import math

import numpy as np
import pytest

from tted_core.arithmetic import (
    NORMALISATIONS,
    Sizes,
    distance_of,
    increase,
    largest_cost,
    normalize,
    normalize_as_published,
    per_reference,
    reference_normalized,
    share,
    shares,
    sizes_of,
    steinhaus,
    total,
    weights_of,
    with_gap,
)

# Two nodes that cost 1 and 3 to delete, one that costs 2 to insert; the other entries play no part.
COSTS = np.array([[9.0, 1.0], [9.0, 3.0], [2.0, 0.0]])
POWERS = (1.0, 1.5, 2.0, 3.0, 8.0, 20.0)


def some_costs(count=40):
    rng = np.random.default_rng(5)
    for number in range(count):
        shape = rng.integers(2, 30, 2)
        yield rng.random(shape) * 10.0 ** rng.integers(-9, 9) * (number % 10 > 0)


@pytest.mark.parametrize(
    ("function", "distance", "expected"),
    [
        (normalize_as_published, 3.0, 6 / (3 * 3 + 3)),  # w_max = 3, three nodes
        (normalize_as_published, 0.0, 0.0),
        (steinhaus, 3.0, 6 / (1 + 3 + 2 + 3)),
        (steinhaus, 6.0, 1.0),  # everything deleted and inserted
        (steinhaus, 0.0, 0.0),
        (per_reference, 3.0, 3 / 2),  # two nodes of the reference
        (reference_normalized, 3.0, 6 / (3 + 4 + 4)),  # W = 4, W' = 2
        (reference_normalized, 6.0, 12 / (6 + 4 + 4)),
        (reference_normalized, 0.0, 0.0),
    ],
)
def test_by_hand(function, distance, expected):
    assert function(distance, sizes_of(COSTS, 1.0)) == pytest.approx(expected, abs=1e-15)


def test_by_hand_with_a_power():
    sizes = sizes_of(COSTS, 2.0)
    assert sizes.weights.tolist() == pytest.approx([10**0.5, 2.0])
    assert normalize_as_published(3.0, sizes, 2.0) == pytest.approx(6 / (3 * (2**0.5 + 1) + 3))
    assert steinhaus(3.0, sizes, 2.0) == pytest.approx(6 / (10**0.5 + 2 + 3))
    assert per_reference(3.0, sizes, 2.0) == pytest.approx(3 / 2**0.5)
    assert reference_normalized(3.0, sizes, 2.0) == pytest.approx(6 / (3 + 10**0.5 + 10**0.5))


def test_normalised_by_the_reference_a_larger_map_cannot_hide_its_nodes():
    small = sizes_of(
        np.array([[9.0, 1.0], [9.0, 3.0], [0.5, 0.0]]), 1.0
    )  # the reference weighs 4, the other 0.5
    assert reference_normalized(3.5, small) == pytest.approx(7 / (3.5 + 4 + 1))
    turned = sizes_of(COSTS.T, 1.0)  # the reference weighs 2, the other map 4
    assert reference_normalized(5.0, turned) == pytest.approx(10 / (5 + 2 + 2))
    assert reference_normalized(6.0, turned) < 2
    assert per_reference(5.0, turned) == 5.0


@pytest.mark.parametrize("name", NORMALISATIONS)
def test_two_trees_of_empty_texts_are_equal(name):
    assert normalize(0.0, sizes_of(np.zeros((2, 3)), 1.0), 1.0)[name] == 0.0


def test_the_gap_of_both_trees_counts_for_the_largest_cost():
    assert normalize_as_published(3.0, sizes_of(COSTS.T, 1.0)) == normalize_as_published(
        3.0, sizes_of(COSTS, 1.0)
    )
    other = np.array([[5.0, 1.0], [4.0, 0.0]])
    assert normalize_as_published(1.0, sizes_of(other, 1.0)) == pytest.approx(2 / (4 * 2 + 1))


@pytest.mark.parametrize("power", POWERS)
def test_many_pairs_at_once_give_the_values_of_single_pairs(power):
    every = list(some_costs())
    sizes = [sizes_of(costs, power) for costs in every]
    distances = np.array([0.4 * each.weights.sum() for each in sizes])
    together = Sizes(*(np.array(column) for column in zip(*sizes, strict=True)))
    bounds = {"tted_per_reference": np.inf, "reference_normalized": 2.0}
    for name, values in normalize(distances, together, power).items():
        one_by_one = [
            normalize(distance, each, power)[name] for distance, each in zip(distances, sizes, strict=True)
        ]
        assert values == pytest.approx(one_by_one, rel=1e-14)
        assert ((values >= 0) & (values <= bounds.get(name, 1.0))).all()


@pytest.mark.parametrize("power", POWERS)
def test_the_distance_of_a_weight_is_the_total_of_its_costs(power):
    for costs in some_costs():
        largest = largest_cost(costs)
        weight = float(weights_of(costs, power, largest).sum())
        assert distance_of(weight, power, largest) == pytest.approx(total(costs.ravel(), power))


def test_gaps_by_hand():
    costs = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert with_gap(costs, 0.0) is costs
    assert with_gap(costs, 0.5).tolist() == [[1.0, 2.0, 3.5], [4.5, 5.5, 6.0]]
    assert with_gap(costs, "=0.5").tolist() == [[1.0, 2.0, 0.5], [0.5, 0.5, 6.0]]
    assert costs.tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


def test_with_the_power_1_nothing_is_changed():
    costs = np.random.default_rng(0).random((5, 4))
    assert weights_of(costs, 1.0, largest_cost(costs)) is costs
    assert total([0.1] * 10, 1) == math.fsum([0.1] * 10)
    assert increase(2.0, 0.3, 1.0) == 0.3


def test_large_and_small_costs_keep_their_digits():
    for scale in (1e-150, 1.0, 1e150):
        assert total([3 * scale, 4 * scale], 2) == pytest.approx(5 * scale)
        assert shares([3 * scale, 4 * scale], 2) == pytest.approx([0.36, 0.64])
    assert shares([0.0, 0.0], 8) == [0.0, 0.0]


def test_shares_and_increases_by_hand():
    assert share(3.0, 5.0, 2.0) == pytest.approx(0.36)
    assert increase(3.0, 16.0, 2.0) == pytest.approx(2.0)
