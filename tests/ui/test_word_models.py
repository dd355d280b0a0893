"""Pages that read models of words."""

import pytest
from helpers.compare_page import unfolded
from helpers.paths import ROOT
from helpers.research_page import frame, open_tab
from streamlit.testing.v1 import AppTest

from tted_core import compare, read_map
from tted_core.distances.ndd import measure_ndd
from ui.research import texts


@pytest.fixture
def app(monkeypatch, tiny_masked_folder, hashed_models):
    monkeypatch.setenv("TTED_MASKED_MODELS", str(tiny_masked_folder))
    return unfolded(AppTest.from_file(str(ROOT / "app.py"), default_timeout=240))


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
