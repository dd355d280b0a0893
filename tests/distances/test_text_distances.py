"""Distances of texts themselves, alone and under TTED."""

import pytest
from helpers.encoders import counting, hashed
from helpers.published import compare
from helpers.references import by_all_mappings
from helpers.trees import tree_of, trees
from hypothesis import given, settings

from tted_core.distances import DISTANCES, distances_at_hand
from tted_core.errors import OptionsError
from tted_core.solvers import SOLVERS
from tted_core.tree import TextTree

OF_TEXTS = [name for name, distance in distances_at_hand().items() if distance.reads != "encoder"]
WITHOUT_ENCODER = [name for name in OF_TEXTS if DISTANCES[name].reads == "none"]


def between(name, left, right):
    """The distances of texts."""
    return DISTANCES[name].load().between(left, right)[:-1, :-1]


@pytest.mark.parametrize("order", SOLVERS)
@pytest.mark.parametrize("name", WITHOUT_ENCODER)
def test_it_compares_maps_without_an_encoder(name, order):
    encoder, requested = counting()
    left, right = tree_of("root(alpha beta)"), tree_of("root(alpha beta gamma)")
    result = compare(left, right, encoder=encoder, distance=name, order=order)
    assert requested == []
    assert result.tted == pytest.approx(between(name, [""], ["gamma"])[0, 0])
    assert result.method.model == "none"
    assert "|enc:none@none|" in result.signature


@pytest.mark.parametrize("name", OF_TEXTS)
def test_a_notice_explains_a_distance_that_is_not_a_metric(name):
    result = compare(tree_of("a"), tree_of("b"), encoder="minilm", distance=name)
    distance = DISTANCES[name]
    assert [
        f"the distance {name} is not a metric, so TTED and the Steinhaus score with it are not metrics"
        in each
        for each in result.notices
    ] == ([] if distance.metric else [True])
    assert distance.symmetric or "symmetry and the triangle inequality can break" in result.notices[0]


def sentences(tree):
    """Texts of a few letters, so that the triangle inequality breaks now and then."""
    return TextTree(tuple(f"{label} b a"[: 1 + ord(label) % 5] for label in tree.labels), tree.parents)


@pytest.mark.parametrize("order", SOLVERS)
@pytest.mark.parametrize("name", ["levenshtein", "sequence-matcher"])
@settings(max_examples=15)
@given(left=trees(alphabet="abcdef", max_nodes=4), right=trees(alphabet="abcdef", max_nodes=4))
def test_the_cheapest_mapping_is_found_though_the_costs_are_no_metric(name, order, left, right):
    left, right = sentences(left), sentences(right)
    result = compare(left, right, distance=name, order=order)
    assert result.proven
    assert result.tted == pytest.approx(by_all_mappings(order, left, right, result.costs))


def test_bertscore_takes_the_encoder_that_is_chosen(minilm):
    left, right = tree_of("reefs(fish_swim)"), tree_of("reefs(fish_sleep)")
    by_name = compare(left, right, distance="bertscore")
    by_encoder = compare(left, right, distance="bertscore", encoder=minilm)
    assert by_name.tted == by_encoder.tted > 0
    assert by_name.method.model == "minilm"
    assert "|enc:minilm@53aa5117/layer6|dist:bertscore|" in by_name.signature
    assert by_encoder.signature == by_name.signature
    weighted = compare(left, right, distance="bertscore-idf")
    assert weighted.tted != by_name.tted


def test_bertscore_refuses_an_encoder_without_word_vectors():
    with pytest.raises(OptionsError, match=r"bertscore needs word vectors, .* name an encoder"):
        compare(tree_of("a"), tree_of("b"), distance="bertscore", encoder=hashed)


def test_bertscore_reports_foreign_scripts_and_truncated_texts():
    left = TextTree(("Озеро Байкал", "long " * 600), (-1, 0))
    notices = compare(left, tree_of("a"), distance="bertscore").notices
    assert len(notices) == 2
    assert "1 of 4 texts are longer than the 512 word pieces that minilm reads for BERTScore" in notices[1]
    notices = compare(tree_of("Байкал"), tree_of("озеро"), distance="bertscore").notices
    assert "the encoder minilm was trained on English only" in notices[1]
