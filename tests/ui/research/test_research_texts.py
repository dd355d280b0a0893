"""The Measures page: two texts, the quality of measures, and maps without structure; no masked model is there."""

import pytest
import streamlit as st
from helpers.encoders import hashed, sentence_encoder
from helpers.paths import ROOT
from helpers.research_page import frame, open_tab, press
from streamlit.testing.v1 import AppTest

from tted_core import compare, parse_map
from tted_core.distances.bertscore import load_bertscorer
from tted_core.figures import bag_scatter, drawn, word_piece_heat_map
from tted_core.measures.paraphrases import Draw, qualities
from tted_core.measures.similarities import bag_point, string_family
from tted_core.measures.texts import TEXT_MEASURES, TextModels, text_scores
from tted_core.words import importance as word_importance
from ui import samples
from ui.processes import loading
from ui.research import appendix, texts
from ui.research.appendix import CHANGED


@pytest.fixture(scope="module")
def scorer(tiny_masked_folder):
    return load_bertscorer(str(tiny_masked_folder), device="cpu")


@pytest.fixture
def page(monkeypatch, scorer):
    monkeypatch.setattr(loading, "encoder", lambda name: sentence_encoder(name=name))
    monkeypatch.setattr(loading, "fresh_encoder", lambda name: sentence_encoder(name=name))
    for module in (texts, appendix):
        monkeypatch.setattr(module, "load_bertscorer", lambda name: scorer)
    st.cache_resource.clear()
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page("pages/Research.py")


def test_two_texts_are_measured_by_everything_that_can_be_had(page, scorer):
    open_tab(page, "Two texts")
    table = page.table[0].value
    no_masked_model = texts.Asked("", "", "", None).models().masked_model
    models = TextModels(sentence_encoder, lambda: scorer, no_masked_model)
    expected = text_scores(texts.FIRST, texts.SECOND, models)
    assert len(table) == len(TEXT_MEASURES)
    for name, measure in TEXT_MEASURES.items():
        shown = "–" if name in {"ndd", "bertscore-idf"} else f"{expected[name][measure.main]:.3f}"
        assert table.loc[measure.title, "Value"].replace("\\", "") == shown
    assert "NDD too" in " ".join(table["In detail"])
    page.selectbox(key="texts-idf").set_value("samples").run()
    texts_counted = list(dict.fromkeys(texts._sample_sentences()))
    by_idf = scorer.scores([texts.FIRST], [texts.SECOND], idf=texts_counted).f1[0, 0]
    assert page.table[0].value.loc["BERTScore, IDF", "Value"].replace("\\", "") == f"{by_idf:.3f}"
    words = frame(page, "Change without it")
    assert len(words) == len((texts.FIRST + " " + texts.SECOND).split())
    assert words["Change without it"].abs().is_monotonic_decreasing
    partners = frame(page, "Nearest in the other text")
    score = expected["bertscore"]
    by_text = partners.groupby("Text")["Cosine"].mean()
    assert (by_text["first"], by_text["second"]) == pytest.approx((score["precision"], score["recall"]))
    assert any(f"Vectors: {scorer.origin}." in each.value for each in page.caption)
    explained = " ".join(each.value for each in page.markdown)
    assert all(measure.formula in explained for measure in TEXT_MEASURES.values())


@pytest.mark.thorough
def test_a_section_that_has_too_many_words_does_not_hide_the_next(page, monkeypatch):
    monkeypatch.setattr(word_importance, "MAX_IMPORTANCE_WORDS", 5)
    open_tab(page, "Two texts")
    assert any("words in the two texts" in each.value for each in page.error)
    assert len(frame(page, "Nearest in the other text")) > 0


def test_a_masked_model_that_cannot_be_had_says_how_to_get_it(page):
    open_tab(page, "Two texts")
    page.toggle(key="texts-ndd").set_value(True).run()
    assert not page.exception
    detail = page.table[0].value["In detail"].iloc[-1].replace("\\", "")
    assert "hf download google-bert/bert-base-cased" in detail
    assert page.table[0].value["Value"].iloc[0] != "–"


def test_hostile_texts_are_shown_and_not_interpreted(page):
    open_tab(page, "Two texts")
    page.text_area(key="texts-first").set_value(":red[x] $y$ <b>*z*</b>").run()
    page.text_area(key="texts-second").set_value("").run()
    assert not page.exception
    page.text_area(key="texts-first").set_value("").run()
    assert page.info[0].value == "Write a text on either side."


@pytest.mark.thorough
@pytest.mark.parametrize("source", ["russian", "own"])
def test_the_quality_of_measures_is_that_of_the_core(page, source):
    open_tab(page, "Appendix")
    page.radio(key="paraphrases-source").set_value(source).run()
    if source == "own":
        assert not [each for each in page.button if each.key == "paraphrases-start"]
        page.file_uploader(key="paraphrases-file").upload("pairs.csv", appendix.TEMPLATE.encode(), "text/csv")
        page.toggle(key="paraphrases-drawn").set_value(True).run()
        pairs = appendix.read_paraphrases(appendix.TEMPLATE.encode())
    else:
        pairs = appendix._sample_pairs("Russian")
    press(page, "paraphrases-start")
    table = frame(page, "Mean Q").set_index("Measure")
    draw = Draw() if source == "own" else None
    for name, row in qualities(pairs, {"strings": string_family}, draw=draw).items():
        assert table.loc[name, "Mean Q"] == pytest.approx(row.mean)
        assert table.loc[name, "Variance"] == pytest.approx(row.variance)
        assert table.loc[name, "Below 0"] == row.below_zero
    assert {"minilm cosine", "minilm euclidean", "minilm manhattan"} <= set(table.index)
    assert sum("BERTScore" in name for name in table.index) == 2


@pytest.mark.thorough
def test_a_list_that_cannot_be_read_is_named(page):
    open_tab(page, "Appendix")
    page.radio(key="paraphrases-source").set_value("own").run()
    page.file_uploader(key="paraphrases-file").upload("pairs.csv", b"a,b\nc,d,e\n", "text/csv")
    page.run()
    assert "line 2: 3 fields instead of 2" in page.error[0].value.replace("\\", "")


@pytest.mark.thorough
def test_maps_without_structure_are_those_of_the_core(page, monkeypatch):
    monkeypatch.setattr(samples, "topics", lambda: ["photosynthesis", "coral-reefs"])
    press(open_tab(page, "Appendix"), "bags-start")
    table = frame(page, "Price of structure").set_index("Pair")
    assert len(table) == 20
    left, right = (
        parse_map((samples.FOLDER / "coral-reefs" / f"{name}.json").read_bytes()) for name in ("base", "demo")
    )
    result = compare(left, right, encoder=hashed)
    row = table.loc["Coral reefs · Demo"]
    assert row["TTED"] == pytest.approx(result.steinhaus)
    assert row["Bag"] == pytest.approx(bag_point("", "", result).bag)
    moved = table[table["The right map has"] == CHANGED["structure"]]
    assert (moved["Bag"] == 0).all()
    assert (moved["TTED"] > 0).all()
    assert moved["rouge_bag"].tolist() == pytest.approx([1.0] * len(moved))
    assert (table["Price of structure"] >= -1e-12).all()
    assert any("**6 of 6 restructured maps**" in each.value for each in page.markdown)


@pytest.mark.thorough
def test_the_figures_can_be_drawn(scorer):
    similarity = scorer.token_similarity("a reef", "the reef")
    spec = word_piece_heat_map(similarity)
    cells = spec["data"]["values"]
    pieces = [len(marks) - sum(marks) for marks in (similarity.candidate_marks, similarity.reference_marks)]
    assert len(cells) == pieces[0] * pieces[1]
    assert drawn(spec, "svg").startswith(b"<svg")
    assert drawn(bag_scatter([]), "svg").startswith(b"<svg")
