"""The ROUGE columns of papers on mind-map generation, by hand and against the package rouge pair by pair."""

import random

import pytest
from helpers.rouge import phrase_tree
from helpers.trees import sample
from rouge import Rouge

from tted_core.baselines import BASELINES
from tted_core.tree import TextTree

VALUE_COLUMN = {"cmgn_rouge1": 0, "cmgn_rouge2": 1, "cmgn_rougel": 2, "cmgn_rouge": 3}


def f1s(reference, generated):
    """ROUGE-1, -2, -L by the package, and their mean; 1 of two empty texts, 0 where it refuses a text."""
    if not reference and not generated:
        return 1.0, 1.0, 1.0, 1.0
    try:
        scores = Rouge().get_scores(reference, generated)[0]
    except ValueError:
        return 0.0, 0.0, 0.0, 0.0
    three = [scores[name]["f"] for name in ("rouge-1", "rouge-2", "rouge-l")]
    return (*three, sum(three) / 3)


def pairs(tree):
    return [
        (tree.labels[above], label) for above, label in zip(tree.parents[1:], tree.labels[1:], strict=True)
    ]


def protocol(reference, generated, column):
    remaining, total = pairs(generated), 0.0
    for parent, child in pairs(reference):
        gains = [(f1s(parent, p)[column] + f1s(child, c)[column]) / 2 for p, c in remaining]
        if gains:
            best = max(range(len(gains)), key=gains.__getitem__)  # of equals the first
            total += gains[best]
            del remaining[best]
    return total / (len(pairs(reference)) + 1)


@pytest.mark.parametrize("name", VALUE_COLUMN)
def test_scores_follow_the_protocol_on_maps_of_any_size(name):
    """One of them may be a root alone, and have labels without a word."""
    rng = random.Random(5)
    for _ in range(40):
        left, right = (phrase_tree(rng, rng.randint(1, 7)) for _ in range(2))
        found = BASELINES[name](left, right).sim
        assert found == pytest.approx(protocol(left, right, VALUE_COLUMN[name]), abs=1e-12), (left, right)


def test_by_hand():
    """Reference a b -> c d, e f; generated a b -> c x. F1 of "c d" and "c x" is 1/2 by words, 0 by pairs of words.

    The pair of c takes the only generated one, (1 + 1/2) / 2, nothing is left for e; 3 pairs with the root's.
    """
    reference = TextTree(("a b", "c d", "e f"), (-1, 0, 0))
    generated = TextTree(("a b", "c x"), (-1, 0))
    assert BASELINES["cmgn_rouge1"](reference, generated).sim == pytest.approx(0.75 / 3, abs=1e-7)
    assert BASELINES["cmgn_rouge2"](reference, generated).sim == pytest.approx(0.5 / 3, abs=1e-7)
    assert BASELINES["cmgn_rougel"](reference, generated).sim == pytest.approx(0.75 / 3, abs=1e-7)
    assert BASELINES["cmgn_rouge"](reference, generated).sim == pytest.approx((2 / 3) / 3, abs=1e-7)


def test_a_map_with_itself_lacks_the_pair_of_the_root():
    tree = sample("photosynthesis/base")
    score = BASELINES["cmgn_rouge"](tree, tree)
    assert score.sim == pytest.approx((len(tree) - 1) / len(tree), abs=1e-6)
    assert score.rho_base == 0.0
