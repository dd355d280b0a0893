"""TTED with NDD as its node distance: in the library, on the command line, on the page."""

import json

import pytest
import streamlit as st
from helpers.command import LEFT, RIGHT
from helpers.encoders import counting, sentence_encoder
from helpers.floats import by_a_model
from helpers.pages import opened
from helpers.paths import ROOT
from helpers.published import compare
from helpers.trees import tree_of

from tted_core import compare as by_default
from tted_core import read_map
from tted_core.distances import DISTANCES, distances_at_hand
from tted_core.distances.ndd import ndd_distances
from tted_core.errors import EncoderError, OptionsError
from tted_core.solvers import SOLVERS
from ui import comparisons, models

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
    st.cache_resource.clear()
    page = opened()
    page.radio(key="distance").set_value("ndd").run()
    assert not page.exception
    assert not page.error
    coral = ROOT / "sample_trees" / "coral-reefs"
    maps = read_map(coral / "base.json"), read_map(coral / "demo.json")
    expected = by_default(*maps, masked_model=masked_model, distance="ndd")
    assert expected.signature in [each.value for each in page.code]
    page.selectbox(key="masked_model").set_value("bert-base-cased").run()
    assert "hf download google-bert/bert-base-cased" in page.error[0].value.replace("\\", "")
    page.radio(key="distance").set_value("cosine").run()
    assert not page.error
    st.cache_resource.clear()
