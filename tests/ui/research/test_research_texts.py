"""The tab Texts, with a masked model and without."""

import pytest
from helpers.encoders import sentence_encoder
from helpers.pages import opened

from tted_core.distances import Models
from tted_core.distances.bertscore import load_bertscorer
from tted_core.distances.ndd import measure_ndd
from tted_core.distances.text_measures import TEXT_MEASURES, text_scores
from ui.research import texts


@pytest.fixture(scope="module")
def scorer(tiny_masked_folder):
    return load_bertscorer(str(tiny_masked_folder), device="cpu")


@pytest.fixture(autouse=True)
def known_scorer(monkeypatch, scorer, hashed_models):
    monkeypatch.setattr("tted_core.distances.load_bertscorer", lambda name: scorer)


def test_two_texts_are_measured_by_everything_that_can_be_had(scorer):
    page = opened("Research", tab="texts")
    table = page.table[0].value
    models = Models("minilm", load_encoder=lambda _: sentence_encoder(), load_bertscorer=lambda _: scorer)
    measures = {name: measure for name, measure in TEXT_MEASURES.items() if name != "ndd"}
    expected = text_scores(texts.FIRST, texts.SECOND, models, measures)
    assert len(table) == len(TEXT_MEASURES)
    for name, measure in TEXT_MEASURES.items():
        shown = "–" if name == "ndd" else f"{expected[name][measure.main]:.3f}"
        assert table.loc[measure.title, "Value"].replace("\\", "") == shown
    assert "NDD too" in " ".join(table["Details"])
    explained = " ".join(each.value for each in page.markdown)
    assert all(measure.formula in explained for measure in TEXT_MEASURES.values())


def test_a_missing_masked_model_is_explained_with_its_download():
    page = opened("Research", tab="texts")
    page.toggle(key="texts-ndd").set_value(True).run()
    assert not page.exception
    detail = page.table[0].value["Details"].iloc[-1].replace("\\", "")
    assert "hf download google-bert/bert-base-cased" in detail
    assert page.table[0].value["Value"].iloc[0] != "–"


def test_hostile_texts_are_shown_and_not_interpreted():
    page = opened("Research", tab="texts")
    page.text_area(key="texts-first").set_value(":red[x] $y$ <b>*z*</b>").run()
    page.text_area(key="texts-second").set_value("").run()
    assert not page.exception
    page.text_area(key="texts-first").set_value("").run()
    assert page.info[0].value == "Write a text on either side."


def test_an_edit_is_measured_by_a_masked_model(tiny_masked_folder, masked_model, monkeypatch):
    monkeypatch.setenv("TTED_MASKED_MODELS", str(tiny_masked_folder))
    first, second = "I am walking in the cold rain.", "He is walking in the cold rain."
    page = opened(
        "Research", tab="texts", **{"texts-first": first, "texts-second": second, "texts-ndd": "yes"}
    )
    expected = measure_ndd(first, second, masked_model)
    assert page.table[0].value["Value"].iloc[-1].replace("\\", "") == f"{expected:.3f}"
