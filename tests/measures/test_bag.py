"""Maps as bags of sentences: the structure-blind distance and the structure-blind baseline."""

import itertools

import numpy as np
import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import sample, tree_of, trees
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tted_core.baselines.sim import label_scores, rouge_bag, split
from tted_core.measures.similarities import bag_distance
from tted_core.tree import TextTree


def every_matching(costs):
    """The cheapest of all partial one-to-one matchings, each tried."""
    n, m = costs.shape[0] - 1, costs.shape[1] - 1
    return min(
        sum(costs[row, column] for row, column in zip(rows, columns, strict=True))
        + sum(costs[row, -1] for row in set(range(n)) - set(rows))
        + sum(costs[-1, column] for column in set(range(m)) - set(columns))
        for size in range(min(n, m) + 1)
        for rows in itertools.combinations(range(n), size)
        for columns in itertools.permutations(range(m), size)
    )


@given(arrays(np.float64, st.tuples(st.integers(2, 5), st.integers(2, 5)), elements=st.floats(0, 3)))
def test_is_the_cheapest_of_all_matchings(costs):
    costs[-1, -1] = 0.0
    assert bag_distance(costs) == pytest.approx(every_matching(costs), abs=1e-12)


@pytest.mark.parametrize("order", ["ordered", "constrained"])
@settings(max_examples=25)
@given(left=trees(alphabet="abc", max_nodes=7), right=trees(alphabet="abc", max_nodes=7))
def test_never_exceeds_tted(order, left, right):
    result = compare(left, right, encoder=hashed, order=order)
    assert bag_distance(result.costs) <= result.tted + 1e-9


def test_never_exceeds_the_unordered_distance_either():
    result = compare(
        sample("photosynthesis/base"), sample("urban-heat/base"), encoder=hashed, order="unordered"
    )
    assert 0 < bag_distance(result.costs) <= result.tted + 1e-9


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_regrouped_map_is_the_same_bag(number):
    left, right = sample("coral-reefs/base"), sample(f"coral-reefs/structure_{number}")
    result = compare(left, right, encoder=hashed, baselines=["rouge_bag"])
    assert bag_distance(result.costs) == 0.0
    assert result.tted > 0
    score = result.baselines["rouge_bag"]
    assert score.sim == pytest.approx(score.sim_left)
    assert score.rho_base == pytest.approx(0, abs=1e-6)


def test_rouge_bag_tries_every_matching():
    left, right = tree_of("a(b c)"), tree_of("c(d)")
    left = TextTree(("reefs are built by corals", "corals need light", "fish"), left.parents)
    right = TextTree(("light", "corals build reefs"), right.parents)
    labels = [*left.labels, *right.labels]
    scores = label_scores([split(label) for label in labels])
    expected = max(
        sum(scores[row, 3 + column] for column, row in enumerate(rows))
        for rows in itertools.permutations(range(3), 2)
    )
    score = rouge_bag(left, right)
    assert score.sim == pytest.approx(expected)
    assert score.sim_left == pytest.approx(sum(scores[row, row] for row in range(3)))
    assert score.rho_base == pytest.approx(np.sqrt(score.sim_left + score.sim_right - 2 * score.sim))
