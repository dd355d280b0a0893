"""NDD against a slow and plain reference, the paper's weights by hand, and what must hold for any edit."""

import random
from itertools import pairwise

import numpy as np
import pytest
from helpers.ndd_reference import SlowModel, slow_ndd, slow_node_distance
from hypothesis import given, settings
from hypothesis import strategies as st

from tted_core.distances.ndd import Span, Weights, align, measure_ndd, ndd_distances
from tted_core.errors import LimitError

OLD = ["I", "am", "walking", "in", "the", "cold", "rain", "plants", "drink", "water"]
NEW = ["snow", "hot", "He", "was", "running", "coral", "reef", "seas"]
INITIAL = "I am walking in the cold rain."


@pytest.fixture(scope="module")
def slow(tiny_masked_folder):
    return SlowModel(tiny_masked_folder)


def random_edit(rng):
    """Unedited words and one to three edited spans; no word is in both, so that the alignment is plain."""
    pieces = list(rng.sample(OLD, rng.randint(3, len(OLD))))
    for position in rng.sample(range(len(pieces)), rng.randint(1, 3)):
        removed, added = rng.choice([(1, 0), (0, 1), (1, 1), (1, 2), (2, 1)])
        old = [pieces[position], rng.choice(("night", "light"))][:removed]
        span = (old, rng.sample(NEW, added))
        pieces[position : position + 1] = [span] if removed else [span, pieces[position]]
        if isinstance(pieces[position], str):
            break
    return merged(pieces)


def merged(pieces):
    """Spans that touch are one."""
    done = []
    for piece in pieces:
        if done and isinstance(piece, tuple) and isinstance(done[-1], tuple):
            done[-1] = (done[-1][0] + piece[0], done[-1][1] + piece[1])
        else:
            done.append(piece)
    return done


def texts(pieces):
    return [
        " ".join(word for piece in pieces for word in ([piece] if isinstance(piece, str) else piece[side]))
        for side in (0, 1)
    ]


EDITS = [random_edit(random.Random(seed)) for seed in range(50)]
WEIGHTINGS = [
    {"mu": 0.9},
    {"mu": 0.5, "nu": 0.8, "balanced": True},
    {"mu": 1.0},
    {"mu": 0.9, "nu": 0.9, "balanced": True},
]


def test_fifty_random_edits_are_scored_as_by_the_slow_reference(masked_model, slow):
    for number, pieces in enumerate(EDITS):
        weighting = WEIGHTINGS[number % len(WEIGHTINGS)]
        result = measure_ndd(*texts(pieces), masked_model, Weights(**weighting))
        assert result == pytest.approx(slow_ndd(slow, pieces, **weighting), abs=1e-6), pieces
        assert result > 0
    assert {len(align(*(text.split() for text in texts(pieces))).spans) for pieces in EDITS} >= {1, 2}


def test_distances_between_nodes_are_those_of_the_slow_reference(masked_model, slow):
    for pieces in EDITS[:8]:
        before, after = texts(pieces)
        forth = slow_node_distance(slow, pieces)
        back = slow_node_distance(
            slow, [piece if isinstance(piece, str) else piece[::-1] for piece in pieces]
        )
        directed = ndd_distances([before, after], [before, after], masked_model, directed=True)
        assert directed == pytest.approx(np.array([[0, forth], [back, 0]]), abs=1e-6)
        both = ndd_distances([before, after], [before, after], masked_model)
        assert both == pytest.approx(np.array([[0, 1], [1, 0]]) * (forth + back) / 2, abs=1e-6)


def test_unrelated_texts_cost_as_much_as_deleting_and_inserting(masked_model, slow):
    left, right = ["plants drink", ""], ["coral reef", "", "plants drink"]
    costs = ndd_distances(left, right, masked_model, directed=True)
    assert costs[0, 1] == pytest.approx(slow_node_distance(slow, [(["plants", "drink"], [])]), abs=1e-6)
    assert costs[0, 0] == pytest.approx(costs[0, 1] + costs[1, 0], abs=1e-9)
    assert costs[0, 1] > 0
    assert (ndd_distances(["rain"], ["", "snow"], masked_model) > 0).all()
    assert (costs[1, 1], costs[0, 2]) == (0, 0)


@pytest.mark.parametrize("sentence", [INITIAL, "", "plants", "¡!?"])
def test_an_unchanged_sentence_has_ndd_0(masked_model, sentence):
    assert measure_ndd(sentence, sentence, masked_model) == 0.0
    assert ndd_distances([sentence], [sentence], masked_model).tolist() == [[0.0]]


def test_the_weights_as_printed_by_hand():
    """Words 3 and 4 of 6 are deleted: i = 3, j = 4, n' = 6 - (4 - 3 + 1) = 4, mu = 1/2, nu = 1/10.

    a_k = mu^min(|k-3|, |k-4|), over all k: a_0 .. a_6 = 1/8, 1/4, 1/2, 1, 1, 1/2, 1/4, and a_-1 = 1/16, a_-2
    = 1/32.
    """
    edit = align(["one", "two", "three", "four", "five", "six"], ["one", "two", "five", "six"])
    assert Weights(mu=0.5).of(edit) == [1 / 4, 1 / 2, 1 / 2, 1 / 4]
    # a'_k = a_k + a_(4-k) mu^4: k = 1, 2, 5, 6 take a_3, a_2, a_-1, a_-2
    balanced = [1 / 4 + 1 / 16, 1 / 2 + 1 / 32, 1 / 2 + 1 / 256, 1 / 4 + 1 / 512]
    assert Weights(mu=0.5, balanced=True).of(edit) == balanced
    with_b = [weight * 0.1**k for weight, k in zip(balanced, (1, 2, 5, 6), strict=True)]
    assert Weights(mu=0.5, nu=0.1, balanced=True).of(edit) == pytest.approx(with_b, rel=1e-15)


def test_the_weights_of_several_spans_and_insertions_by_hand():
    """The nearest span counts; the words beside an insertion are at distance 1."""
    edit = align(["a", "b", "c", "d", "e", "f"], ["X", "b", "c", "d", "Y", "e", "f"])
    assert edit.spans == (Span((0, 1), (0, 1)), Span((4, 4), (4, 5)))
    assert Weights(mu=0.5).of(edit) == [0.5, 0.25, 0.5, 0.5, 0.25]  # b by a; c by either; d, e and f by Y


@pytest.mark.parametrize("wrong", [{"mu": 0.0}, {"mu": 1.1}, {"nu": -1}, {"nu": float("nan")}])
def test_weights_out_of_range_are_refused(wrong):
    with pytest.raises(LimitError, match="must be above 0 and at most 1"):
        Weights(**wrong)


@settings(max_examples=40)
@given(st.lists(st.sampled_from("abc"), max_size=7), st.lists(st.sampled_from("abc"), max_size=7))
def test_an_alignment_transforms_one_list_into_the_other(before, after):
    edit = align(before, after)
    assert all(before[here] == after[there] for here, there in edit.kept)
    for side, words in enumerate((before, after)):
        ranges = [(span.before, span.after)[side] for span in edit.spans]
        covered = [pair[side] for pair in edit.kept] + [at for each in ranges for at in range(*each)]
        assert sorted(covered) == list(range(len(words)))
    for one, other in pairwise(edit.spans):  # they would be one span if no word stood between them
        assert one.before[1] < other.before[0]
        assert one.after[1] < other.after[0]


def test_a_word_of_several_pieces_is_one_gap(masked_model, slow):
    """ "plants" has the pieces plant and ##s; it is hidden behind one mask, and so is the unknown "zebras"."""
    pieces = ["plants", (["drink"], ["live"]), "zebras", "water"]
    assert measure_ndd(*texts(pieces), masked_model) == pytest.approx(slow_ndd(slow, pieces), abs=1e-6)


def test_too_many_words_for_the_memory_are_refused_before_the_work(masked_model, monkeypatch):
    monkeypatch.setattr("tted_core.distances.ndd.MAX_PREDICTED_VALUES", 8 * masked_model.vocabulary_size)
    ndd_distances([INITIAL], [""], masked_model)
    with pytest.raises(LimitError, match="predictions of 9 words"):
        ndd_distances([INITIAL], ["rain"], masked_model)
