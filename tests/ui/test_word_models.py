"""Models of words are loaded by processes beside the server, whose pages show what these compute."""

import pytest
import streamlit as st
from helpers.compare_page import unfolded
from helpers.encoders import sentence_encoder
from helpers.paths import ROOT
from helpers.research_page import frame, open_tab
from streamlit.testing.v1 import AppTest

from tted_core import compare, read_map
from tted_core.baselines import MEASURES
from tted_core.distances import DISTANCES, by_models
from tted_core.distances.ndd import measure_ndd
from ui import cache
from ui.comparisons import reads_word_models
from ui.processes import encoding, loading, workers
from ui.research import texts


@pytest.fixture
def app(monkeypatch, tiny_masked_folder):
    """The pages on a server with processes, which itself can load no model of words."""
    pools = workers.Workers(1), workers.Workers(1, keeps_models=True)
    monkeypatch.setattr(workers, "_pools", lambda: pools)
    for module, load in (
        (loading, "load_masked_model"),
        (texts, "load_bertscorer"),
        (by_models, "load_bertscorer"),
    ):
        monkeypatch.setattr(module, load, None)
    monkeypatch.setattr(encoding, "load_encoder", lambda name: sentence_encoder(name=name))
    monkeypatch.setattr(cache, "start_warming_up", lambda: None)
    monkeypatch.setenv("TTED_MASKED_MODELS", str(tiny_masked_folder))
    st.cache_resource.clear()
    yield unfolded(AppTest.from_file(str(ROOT / "app.py"), default_timeout=240))
    st.cache_resource.clear()
    for each in pools:
        for worker in each._idle:
            worker.end()


def test_they_are_known_by_the_names_of_distances_and_measures():
    known = [*DISTANCES, *MEASURES]
    words = {"bertscore", "bertscore-idf", "ndd", "ndd-directed", "linear_bertscore"}
    assert {name for name in known if reads_word_models(name)} == words
    assert reads_word_models("cosine", "linear_bertscore")
    assert not reads_word_models()


def test_long_work_leaves_a_process_to_short_work(monkeypatch):
    monkeypatch.setenv("TTED_WORKERS", "4")
    turns = workers._pools.__wrapped__.__wrapped__()[True].turns
    assert turns.ask("one", long=True).wait(0)
    assert not turns.ask("another", long=True).wait(0)
    assert turns.ask("a third").wait(0)


@pytest.mark.thorough
def test_maps_are_compared(app, masked_model):
    app.query_params["distance"] = "ndd"
    app.run()
    assert not app.exception
    coral = ROOT / "sample_trees" / "coral-reefs"
    maps = read_map(coral / "base.json"), read_map(coral / "demo.json")
    result = compare(*maps, masked_model=masked_model, distance="ndd")
    assert result.signature in [each.value for each in app.code]


@pytest.mark.thorough
def test_texts_are_measured(app, masked_model):
    app.switch_page("pages/Research.py")
    open_tab(app, "Texts").toggle(key="texts-ndd").set_value(True).run()
    table = app.table[0].value
    ndd = measure_ndd(texts.FIRST, texts.SECOND, masked_model).total
    assert table["Value"].iloc[-1].replace("\\", "") == f"{ndd:.3f}"
    assert "–" not in table.loc["BERTScore", "Value"]
    assert len(frame(app, "divergence"))
