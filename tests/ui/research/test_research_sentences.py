"""The tabs Sentences and Generated maps, with a masked model and without."""

import json

import pytest
import streamlit as st
from helpers.encoders import sentence_encoder
from helpers.paths import ROOT
from helpers.research_page import frame, open_tab, press
from streamlit.testing.v1 import AppTest

from tted_core import read_map
from tted_core.distances.ndd import Compressor, Weights, ndd_table
from tted_core.measures.corpus import Missing, measure_corpus
from ui import cache
from ui.masked_models import offered_masked_models
from ui.research.sentences import EDITED, INITIAL

SENTENCES, GENERATED = "Sentences", "Generated maps"


@pytest.fixture
def page(monkeypatch, tmp_path, tiny_masked_folder):
    monkeypatch.setattr(cache, "encoder", lambda name: sentence_encoder(name=name))
    monkeypatch.setenv("TTED_MASKED_MODELS", str(tiny_masked_folder))
    monkeypatch.setenv("LTP_PATH", str(tmp_path))
    st.cache_resource.clear()
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page("pages/Research.py")


def test_the_table_of_edits_is_that_of_the_core(page, masked_model):
    open_tab(page, SENTENCES)
    page.slider(key="ndd-mu").set_value(0.5)
    press(page, "ndd-start")
    rows = ndd_table(INITIAL, EDITED.splitlines(), masked_model, sentence_encoder(), Weights(0.5))
    table = frame(page, "NDD")
    assert table["Sentence"].tolist() == [row.sentence for row in rows]
    assert table["NDD"].tolist() == pytest.approx([row.ndd for row in rows])
    assert table["PPL"].tolist() == pytest.approx([row.perplexity for row in rows])
    assert table["cosine"].tolist() == pytest.approx([row.cosine for row in rows])


@pytest.mark.thorough
def test_one_edit_is_shown_word_by_word(page):
    press(open_tab(page, SENTENCES), "ndd-start")
    page.selectbox(key="ndd-looked-into").set_value(4).run()
    words = frame(page, "divergence")
    assert words["word"].tolist() == ["walking", "in", "the", "cold", "rain", "."]
    assert words["contribution"].sum() == pytest.approx(frame(page, "NDD")["NDD"].iloc[5])
    spec = json.loads(page.get("vega_lite_chart")[0].proto.spec)
    assert "Edited: I am → He is" in spec["description"]


@pytest.mark.thorough
def test_edits_without_a_word_in_common_are_told(page):
    open_tab(page, SENTENCES)
    page.text_area(key="ndd-edited").set_value("Something else!").run()
    press(page, "ndd-start")
    assert "No word of the sentence stays" in page.info[0].value


def test_texts_are_shown_literally(page):
    open_tab(page, SENTENCES)
    page.text_input(key="ndd-initial").set_value("a :red[b] rain")
    page.text_area(key="ndd-edited").set_value("a $x$ rain").run()
    press(page, "ndd-start")
    assert any(
        r"\:red\[b\] → \$x\$" in each.value.replace(" ", "").replace("→", " → ") for each in page.caption
    )


def test_without_the_model_a_message_names_the_command_that_fetches_it(page, monkeypatch):
    monkeypatch.delenv("TTED_MASKED_MODELS")
    open_tab(page, SENTENCES)
    assert any("`hf download google-bert/bert-base-cased`" in each.value for each in page.caption)
    for key in ("ndd", "phrases"):
        press(page, f"{key}-start")
        (error,) = page.error
        assert "hf download google-bert/bert-base-cased" in error.value.replace("\\", "")
        assert not page.dataframe
    press(open_tab(page, GENERATED), "corpus-start")
    assert not page.error
    assert [each.label for each in page.metric] == ["Unique(15)", "New words"]
    shown = [each.value.replace("\\", "") for each in page.caption]
    assert any("Plausibility is not computed" in text and "hf download" in text for text in shown)
    assert any("Grammar is not computed" in text for text in shown)
    assert frame(page, "precision").shape == (2, 4)


@pytest.mark.thorough
def test_the_slider_sets_how_short_the_phrases_are(page, masked_model):
    press(open_tab(page, SENTENCES), "phrases-start")
    tree = read_map(ROOT / "sample_trees" / "photosynthesis" / "base.json").tree
    compressor = Compressor(masked_model, 4)
    for limit, rate in ((1.0, 0), (1.0, 80), (0.0, 0)):
        page.slider(key="phrases-limit").set_value(limit)
        page.slider(key="phrases-rate").set_value(rate).run()
        result = compressor.compress_map(tree, limit, 1, rate=rate / 100 or None)
        assert any(f"{result.words_left} of 38 words" in each.value for each in page.markdown)
        shown = "".join(each.proto.body for each in page.html)
        assert ("<del" in shown) == (result.words_left < 38)


def test_generated_maps_are_described(page, masked_model):
    open_tab(page, GENERATED)
    page.multiselect(key="corpus-generated").set_value(["baikal/base.json", "baikal/demo.json"][:1]).run()
    page.selectbox(key="corpus-language").set_value("none").run()
    page.multiselect(key="corpus-test").set_value(["photosynthesis/base.json"]).run()
    press(page, "corpus-start")
    sentences, reference, test = (
        read_map(ROOT / "sample_trees" / topic / "base.json").tree.labels
        for topic in ("baikal", "coral-reefs", "photosynthesis")
    )
    expected = measure_corpus(
        sentences,
        reference,
        test,
        encoder=sentence_encoder(),
        masked_model=masked_model,
        grammar=Missing(""),
    )
    metrics = {each.label: each.value for each in page.metric}
    assert metrics == {
        f"Unique({len(sentences)})": f"{expected.unique:.0%}",
        "New words": str(len(expected.new_words)),
        "Plausibility": f"{expected.plausibility:.3g}",
    }
    scores = frame(page, "precision")
    assert scores["recall"].tolist() == [expected.semantic.recall, expected.syntactic.recall]
    assert frame(page, "nearest in meaning")["sentence"].tolist() == list(sentences)
    shown = frame(page, "differs").set_index(["set", "number"])
    assert shown.loc[("test", "syntactic F1"), "low"] == expected.sets["test"]["syntactic F1"].low
    assert len(shown) == sum(map(len, expected.sets.values()))
    specs = [json.loads(each.proto.spec) for each in page.get("vega_lite_chart")]
    assert f"{len(sentences)} generated sentences" in specs[0]["description"]
    assert len(specs) == 3


@pytest.mark.thorough
def test_flags_stand_beside_the_numbers(page):
    press(open_tab(page, GENERATED), "corpus-start")
    assert any(each.value.startswith("**Plagiarism?**") for each in page.warning)
    page.multiselect(key="corpus-generated").set_value(["urban-heat/base.json"]).run()
    press(page, "corpus-start")
    assert any("Nothing hints at" in each.value for each in page.success)


def test_uploaded_maps_take_the_place_of_the_samples(page):
    open_tab(page, GENERATED)
    files = [("a.txt", b"root\n  leaf", "text/plain"), ("b.md", b"# map\n- node", "text/plain")]
    page.file_uploader(key="corpus-generated-files").set_value(files).run()
    assert not page.multiselect
    assert page.button(key="corpus-start").disabled
    assert any("Upload reference maps too" in each.value for each in page.caption)
    page.file_uploader(key="corpus-reference-files").set_value([("c.txt", b"one", "text/plain")]).run()
    press(page, "corpus-start")
    assert "**4 generated sentences** against 1 reference sentence." in [each.value for each in page.markdown]
    assert frame(page, "nearest in meaning")["sentence"].tolist() == ["root", "leaf", "map", "node"]
    page.file_uploader(key="corpus-generated-files").set_value([]).run()
    page.file_uploader(key="corpus-reference-files").set_value([]).run()
    assert page.multiselect(key="corpus-generated").value == ["coral-reefs/demo.json"]


@pytest.mark.thorough
def test_a_visitor_chooses_among_known_models_and_those_of_the_operator(monkeypatch):
    monkeypatch.setenv("TTED_MASKED_MODELS", " some/model,bert-base-cased, ")
    assert offered_masked_models() == ["some/model", "bert-base-cased", "bert-base-multilingual-cased"]
    monkeypatch.delenv("TTED_MASKED_MODELS")
    assert offered_masked_models() == ["bert-base-cased", "bert-base-multilingual-cased"]
