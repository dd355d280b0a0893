"""The tab Sentences, with a masked model and without."""

import json

import pytest
import streamlit as st
from helpers.encoders import sentence_encoder
from helpers.paths import ROOT
from helpers.research_page import frame, open_tab, press
from streamlit.testing.v1 import AppTest

from tted_core import read_map
from tted_core.distances.ndd import Compressor, Weights, ndd_table
from ui.masked_models import offered_masked_models
from ui.processes import loading
from ui.research.sentences import EDITED, INITIAL

SENTENCES = "Sentences"


@pytest.fixture
def page(monkeypatch, tmp_path, tiny_masked_folder):
    monkeypatch.setattr(loading, "encoder", lambda name: sentence_encoder(name=name))
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


@pytest.mark.thorough
def test_a_visitor_chooses_among_known_models_and_those_of_the_operator(monkeypatch):
    monkeypatch.setenv("TTED_MASKED_MODELS", " some/model,bert-base-cased, ")
    assert offered_masked_models() == ["some/model", "bert-base-cased", "bert-base-multilingual-cased"]
    monkeypatch.delenv("TTED_MASKED_MODELS")
    assert offered_masked_models() == ["bert-base-cased", "bert-base-multilingual-cased"]
