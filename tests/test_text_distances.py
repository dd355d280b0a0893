"""Distances of texts themselves, alone and under TTED."""

import numpy as np
import pytest
from helpers.encoders import counting
from helpers.trees import tree_of

from tted_core.compare import compare
from tted_core.contexts import CONTEXTS, Context
from tted_core.errors import Interrupted, OptionsError
from tted_core.solvers import SOLVERS
from tted_core.text_distances import TEXT_DISTANCES

TEXTS = ["", "ab", "aba", "ba", "Мир", "мир ☮"]


def between(name, left, right):
    return TEXT_DISTANCES[name].between(left, right, lambda _done, _all: None)


@pytest.mark.parametrize("name", TEXT_DISTANCES)
def test_each_is_symmetric_and_exactly_0_for_equal_texts_alone(name):
    costs = between(name, TEXTS, TEXTS)
    assert costs.dtype == np.float64
    assert costs == pytest.approx(costs.T)
    assert np.diagonal(costs).tolist() == [0.0] * len(TEXTS)
    assert (costs + np.eye(len(TEXTS)) > 0).all()


def test_levenshtein_by_hand_and_why_it_is_no_metric():
    costs = between("levenshtein", ["ab"], ["", "aba", "ba"])
    assert costs.tolist() == [[1.0, pytest.approx(1 / 3), 1.0]]
    assert costs[0, 2] > costs[0, 1] + between("levenshtein", ["aba"], ["ba"])[0, 0]
    assert not TEXT_DISTANCES["levenshtein"].metric


@pytest.mark.parametrize("order", SOLVERS)
@pytest.mark.parametrize("name", TEXT_DISTANCES)
def test_it_compares_maps_without_an_encoder(name, order):
    encoder, asked = counting()
    left, right = tree_of("root(alpha beta)"), tree_of("root(alpha beta gamma)")
    result = compare(left, right, encoder=encoder, distance=name, order=order)
    assert asked == []
    assert result.tted == pytest.approx(between(name, [""], ["gamma"])[0, 0])
    assert result.options.encoder == "none"
    assert "|enc:none@none|" in result.signature
    assert result.notices == ()


def test_it_can_be_stopped(monkeypatch):
    def slow(left, right, progress):
        progress(0, 1)
        raise AssertionError("it was stopped before")

    monkeypatch.setitem(TEXT_DISTANCES, "slow", TEXT_DISTANCES["levenshtein"].__class__(slow, False, ""))
    with pytest.raises(Interrupted):
        compare(tree_of("a"), tree_of("b"), distance="slow", should_stop=lambda: True)


def test_a_context_of_vectors_is_refused(monkeypatch):
    monkeypatch.setitem(CONTEXTS, "blend", Context(CONTEXTS["none"].texts, lambda tree, own, empty: own))
    with pytest.raises(OptionsError, match="context blend works on vectors, and the distance levenshtein"):
        compare(tree_of("a"), tree_of("b"), distance="levenshtein", context="blend")
