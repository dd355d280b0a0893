"""New sentences and words of a set, the curve over n, and intervals: by hand, and by scipy."""

import math

import numpy as np
import pytest
from helpers.encoders import hashed
from scipy.stats import bootstrap

from tted_core.measures.corpus import Missing, measure_corpus

NO_GRAMMAR = Missing("no Java")


def measured(generated, reference, grammar=NO_GRAMMAR):
    return measure_corpus(
        generated, reference, encoder=hashed, masked_model=Missing("no model"), grammar=grammar
    )


def test_punctuation_inside_a_word_does_not_count():
    """Both sentences are the same in the paper's sense, and neither has a word that the reference lacks."""
    found = measured(["It isn't long-term.", "it isnt longterm"], ["Isnt it?", "A long-term plan"])
    assert found.unique == 0.0
    assert found.new_words == ()


def test_punctuation_is_dropped_before_words_are_split():
    """As the paper does: a full stop or comma inside a number or an abbreviation makes no two words of it."""
    found = measured(["U.S. $77,000, or $1.5", "us 77000 or 15"], ["The U.S. — 77 000"])
    assert found.unique == 0.0
    assert found.new_words == ("15", "77000", "or")


def test_unique_and_vocabulary_with_n_by_hand():
    """Of a, b, a, c, d against c: after 3, b alone is unique; after 5, b and d."""
    found = measured(["a", "b", "A!", "c", "d"], ["c"])
    curve = [(point.n, point.unique, point.new_words) for point in found.curve]
    assert curve == [(1, 1.0, 1), (2, 1.0, 2), (3, 1 / 3, 2), (4, 1 / 4, 2), (5, 2 / 5, 3)]
    many = measured([str(number) for number in range(25)], ["c"]).curve
    assert [point.n for point in many] == [3, 5, 8, 10, 13, 15, 18, 20, 23, 25]


def test_new_words_have_the_interval_of_the_jackknife():
    """a, b c and b: without the first or the second a word is missing (a, c), without the third none."""
    found = measured(["a", "b c", "b"], ["x"]).sets["generated"]["new words"]
    left_out = np.array([2, 2, 3])
    error = math.sqrt(2 / 3 * ((left_out - left_out.mean()) ** 2).sum())
    assert found[:3] == pytest.approx((3, 3 - 1.96 * error, 3 + 1.96 * error))


def test_intervals_are_those_of_scipy_and_mark_differences():
    """40 generated sentences of which each has an error, 40 of the reference of which every fourth has one."""
    texts = [f"word {number}" for number in range(80)]
    errors = {text: int(number < 40 or number % 4 == 0) for number, text in enumerate(texts)}
    found = measured(texts[:40], texts[40:], grammar=lambda texts, stop: [errors[text] for text in texts])
    reference = found.sets["reference"]["grammar"]
    values = np.array([errors[text] / 2 for text in texts[40:]])
    interval = bootstrap((values,), np.mean, method="percentile", rng=1).confidence_interval
    assert reference[:3] == pytest.approx((0.125, *interval), abs=0.02)
    assert found.sets["generated"]["grammar"] == (0.5, 0.5, 0.5, True)
    assert reference.differs is None
    same = measured(texts[:40], texts[:40], grammar=lambda texts, stop: [errors[text] for text in texts])
    assert same.sets["generated"]["grammar"].differs is False
    alone = measured(["a"], ["b"]).sets["generated"]
    assert all((each.low, each.high, each.differs) == (None, None, None) for each in alone.values())
