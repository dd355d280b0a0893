"""NDD against a slow reference, by the paper's weights, under any edit, and as TTED's node distance."""

import json
import random
from itertools import pairwise

import numpy as np
import pytest
import streamlit
from helpers.command import LEFT, RIGHT
from helpers.encoders import counting, sentence_encoder
from helpers.floats import by_a_model
from helpers.ndd_reference import SlowModel, slow_ndd, slow_node_distance
from helpers.pages import opened
from helpers.paths import ROOT
from helpers.trees import tree_of
from hypothesis import given, settings
from hypothesis import strategies as st

from tted_core import compare, read_map
from tted_core.distances import DISTANCES, distances_at_hand
from tted_core.distances.ndd import (
    EditedSpan,
    TokenizedText,
    Weights,
    align,
    align_sentences,
    measure_ndd,
    ndd_distances,
    predictions,
    weigh_divergence,
)
from tted_core.errors import EncoderError, LimitError, OptionsError
from tted_core.solvers import SOLVERS
from ui import comparisons, models

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
        sentences = [TokenizedText.of(text) for text in texts(pieces)]
        known = (predictions(sentence, masked_model) for sentence in sentences)
        result = weigh_divergence(align_sentences(*sentences), *known, Weights(**weighting))
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
    assert edit.spans == (EditedSpan((0, 1), (0, 1)), EditedSpan((4, 4), (4, 5)))
    assert Weights(mu=0.5).of(edit) == [0.5, 0.25, 0.5, 0.5, 0.25]  # b by a; c by either; d, e and f by Y


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


MASKED = sorted(DISTANCES.keys() - distances_at_hand().keys())


@pytest.mark.parametrize("order", SOLVERS)
@pytest.mark.parametrize("name", MASKED)
def test_maps_are_compared_by_the_masked_model_and_no_encoder(masked_model, name, order):
    encoder, requested = counting()
    left, right = tree_of("rain(snow sea)"), tree_of("rain(snow)")
    result = compare(left, right, encoder=encoder, masked_model=masked_model, distance=name, order=order)
    assert requested == []
    (deleted,) = ndd_distances(["sea"], [""], masked_model, directed=name == "ndd-directed").ravel()
    assert result.tted == pytest.approx(deleted)
    assert deleted > 0
    assert f"|enc:tiny-masked@{masked_model.fingerprint}|dist:{name}|" in result.signature
    assert any(f"the distance {name} is not a metric" in notice for notice in result.notices)


def test_a_missing_model_is_not_substituted():
    for name in MASKED:
        with pytest.raises(EncoderError, match="hf download google-bert/bert-base-cased"):
            compare(tree_of("a"), tree_of("b"), distance=name)
        with pytest.raises(EncoderError, match="'bert-base-cased' can't be loaded"):
            DISTANCES[name].load()


def test_a_masked_model_is_no_encoder_for_bertscore(masked_model):
    with pytest.raises(OptionsError, match="a model with encode, or a function of texts"):
        compare(tree_of("a"), tree_of("b"), encoder=masked_model, distance="bertscore")


def test_the_command_line_takes_the_distance_and_the_model(tted, tiny_masked_folder, masked_model):
    model = ("--masked-model", str(tiny_masked_folder))
    status, out, err = tted(
        "compare", LEFT, RIGHT, "--distance", "ndd", *model, "--json", "--preset", "published"
    )
    content = json.loads(out)
    expected = compare(read_map(LEFT), read_map(RIGHT), masked_model=masked_model, distance="ndd")
    assert (status, content["tted"]) == (0, by_a_model(expected.tted))
    assert content["signature"] == expected.signature
    assert content["options"]["encoder"] == "tiny-masked"
    assert "the distance ndd is not a metric" in err
    status, out, err = tted("compare", LEFT, RIGHT, "--distance", "ndd-directed")
    assert (status, out) == (2, "")
    assert "hf download google-bert/bert-base-cased" in err


def test_a_replay_file_is_made_again_by_its_masked_model(tted, tiny_masked_folder, tmp_path):
    file, model = str(tmp_path / "replay.json"), ("--masked-model", str(tiny_masked_folder))
    assert tted("compare", LEFT, RIGHT, "--distance", "ndd", *model, "--replay", file)[0] == 0
    status, out, _ = tted("replay", file, *model)
    assert (status, out.startswith("Same result as in the file")) == (0, True)
    status, _, err = tted("replay", file)
    assert status == 2
    assert "the masked model 'tiny-masked', which is none of bert-base-cased" in err
    assert "give it by --masked-model" in err


def test_a_replay_file_of_a_distance_without_a_model_needs_none(tted, tmp_path, monkeypatch):
    file = tmp_path / "replay.json"
    assert tted("compare", LEFT, RIGHT, "--distance", "levenshtein", "--replay", str(file))[0] == 0
    status, out, _ = tted("replay", str(file))
    assert (status, out.startswith("Same result as in the file")) == (0, True)
    monkeypatch.setattr(models, "encoder", lambda name: sentence_encoder(name=name))
    monkeypatch.setattr(comparisons, "start_warming_up", lambda: None)
    page = opened("Compare", {})
    page.file_uploader(key="both-0").set_value([("any.json", file.read_bytes(), "application/json")]).run()
    assert not page.exception
    assert "same signature, same score" in page.success[0].value


@pytest.mark.thorough
def test_the_page_offers_it_with_the_models_there_are(monkeypatch, tiny_masked_folder, masked_model):
    monkeypatch.setattr(models, "encoder", lambda name: sentence_encoder(name=name))
    monkeypatch.setattr(comparisons, "start_warming_up", lambda: None)
    monkeypatch.setenv("TTED_MASKED_MODELS", str(tiny_masked_folder))
    streamlit.cache_resource.clear()
    page = opened()
    page.radio(key="distance").set_value("ndd").run()
    assert not page.exception
    assert not page.error
    coral = ROOT / "sample_trees" / "coral-reefs"
    maps = read_map(coral / "base.json"), read_map(coral / "demo.json")
    expected = compare(*maps, masked_model=masked_model, distance="ndd")
    assert expected.signature in [each.value for each in page.code]
    page.selectbox(key="masked_model").set_value("bert-base-cased").run()
    assert "hf download google-bert/bert-base-cased" in page.error[0].value.replace("\\", "")
    page.radio(key="distance").set_value("cosine").run()
    assert not page.error
    streamlit.cache_resource.clear()
