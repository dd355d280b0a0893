"""``rouge_sim_published`` against a slow, literal version of its definition."""

import random

import pytest
from helpers.rouge import phrase_tree, published_edges, published_r, star
from helpers.trees import sample

from tted_core.baselines.sim_published import rouge_sim_published
from tted_core.tree import TextTree


def published_sim(left, right):
    """The module's docstring, word for word."""
    remaining = list(published_edges(left))
    total = 0.0
    for parent, child in published_edges(right):
        best = ("_", "_")
        best_score = published_r("_", parent) + published_r("_", child)
        for edge in remaining:
            score = published_r(edge[0], parent) + published_r(edge[1], child)
            if score > best_score:
                best, best_score = edge, score
        if best in remaining:
            remaining.remove(best)
        total += best_score / 2
    return total


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("photosynthesis/base", "photosynthesis/structure_3"),
        ("urban-heat/base", "urban-heat/paraphrase_1"),
        ("urban-heat/meaning_1", "urban-heat/base"),
        ("baikal/base", "baikal/paraphrase_1"),
    ],
)
def test_published_on_sample_maps(left, right):
    left, right = sample(left), sample(right)
    assert rouge_sim_published(left, right).sim == pytest.approx(published_sim(left, right), abs=1e-12)


def test_published_on_adversarial_labels():
    """The label "_" equals the start value; full stops alone, spaced or not, and no text at all are no words."""
    rng = random.Random(3)
    for _ in range(60):
        left, right = (phrase_tree(rng, rng.randint(1, 8)) for _ in range(2))
        assert rouge_sim_published(left, right).sim == pytest.approx(published_sim(left, right), abs=1e-12), (
            left,
            right,
        )


def test_published_removes_an_edge_only_if_it_is_strictly_better_than_the_start():
    assert rouge_sim_published(star("_", "_"), star("_", "_")).sim == pytest.approx(2 / 3, abs=1e-7)
    both_at_start = rouge_sim_published(star("_", "_"), TextTree(("_", "_", "_"), (-1, 0, 1))).sim
    assert both_at_start == pytest.approx(4 / 3, abs=1e-7)  # the one edge of the left tree is never used up
