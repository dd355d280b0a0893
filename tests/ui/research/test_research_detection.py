"""The tab Detection: both settings beside each other, by what the library computes."""

import json
import math

import pytest
from helpers.encoders import hashed, sentence_encoder
from helpers.paths import ROOT, SAMPLES
from streamlit.testing.v1 import AppTest

from tted_core.lab.detection import detect
from tted_core.lab.quality import Grid, read_samples
from ui.options import GAP_ADDED
from ui.processes import loading
from ui.research import detection

TOPICS = ("photosynthesis", "urban-heat")


@pytest.fixture
def few():
    return [each for each in read_samples(SAMPLES) if each.name in TOPICS]


@pytest.fixture
def page(monkeypatch, few):
    monkeypatch.setattr(loading, "encoder", lambda name: sentence_encoder(name=name))
    monkeypatch.setattr(detection, "read_samples", lambda _folder: few)
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page("pages/Research.py").run()
    page.session_state["research"] = "Detection"
    page.run()
    page.pills(key="detection-edits").set_value(["swap", "exchange"])
    return page.run()


def test_the_sliders_setting_stands_beside_the_published_one(page, few):
    assert not page.dataframe
    page.selectbox(key="detection-gap_kind").set_value(GAP_ADDED)
    page.slider(key="detection-gap_amount").set_value(0.5)
    page.slider(key="detection-power").set_value(2.0).run()
    page.button(key="detection-start").click().run()
    assert not page.exception
    table, coefficients = (each.value for each in page.dataframe)
    assert list(coefficients["setting"]) == [
        "as published",
        "gap 0.5, p = 2",
        "control: blind",
        "control: dear-gap",
    ]
    assert coefficients["A_X"][2] == 0
    expected = detect(
        few,
        Grid({"minilm": lambda: hashed}, {"gaps": [0.5], "powers": [2.0]}),
        seeds=1,
        edits=["swap", "exchange"],
    )
    shown = table[table["setting"] == "gap 0.5, p = 2"]
    for row, auc in zip(expected.rows, shown["AUC"], strict=True):
        assert auc == pytest.approx(row.auc.value if row.auc else math.nan, nan_ok=True)
    spec = json.loads(page.get("vega_lite_chart")[0].proto.spec)
    assert spec["facet"]["field"] == "edit"
    assert any("can't be driven" in each.value for each in page.caption)


@pytest.mark.thorough
def test_without_an_edit_there_is_nothing_to_run(page):
    page.pills(key="detection-edits").set_value([]).run()
    assert page.button(key="detection-start").disabled


def test_the_sliders_begin_with_the_preset_that_was_chosen_by_such_figures():
    assert [(each.name, each.default) for each in detection.DETECTION.parameters[:2]] == [
        ("detection-gap", "=0.8"),
        ("detection-power", "8"),
    ]
