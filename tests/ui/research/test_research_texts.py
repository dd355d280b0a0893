"""The tab Texts."""

import pytest
from helpers.encoders import sentence_encoder
from helpers.pages import opened

from tted_core.distances import Models
from tted_core.distances.bertscore import load_bertscorer
from tted_core.distances.text_measures import TEXT_MEASURES, text_scores
from ui.research import texts


@pytest.fixture(scope="module")
def scorer():
    return load_bertscorer("minilm", device="cpu")


@pytest.fixture(autouse=True)
def known_scorer(monkeypatch, scorer, hashed_models):
    monkeypatch.setattr("tted_core.distances.load_bertscorer", lambda name: scorer)


def test_two_texts_are_measured_by_everything_that_can_be_had(scorer):
    page = opened("Research", tab="texts")
    table = page.table[0].value
    models = Models("minilm", load_encoder=lambda _: sentence_encoder(), load_bertscorer=lambda _: scorer)
    expected = text_scores(texts.FIRST, texts.SECOND, models)
    assert len(table) == len(TEXT_MEASURES)
    for name, measure in TEXT_MEASURES.items():
        shown = table.loc[measure.title, "Value"].replace("\\", "")
        assert shown == f"{expected[name][measure.main]:.3f}"
    explained = " ".join(each.value for each in page.markdown)
    assert all(measure.formula in explained for measure in TEXT_MEASURES.values())


def test_hostile_texts_are_shown_and_not_interpreted():
    page = opened("Research", tab="texts")
    page.text_area(key="texts-first").set_value(":red[x] $y$ <b>*z*</b>").run()
    page.text_area(key="texts-second").set_value("").run()
    assert not page.exception
    page.text_area(key="texts-first").set_value("").run()
    assert page.info[0].value == "Write a text on either side."
