"""The Compare page without a browser: what is on screen, and what each input does to it."""

import pytest
import streamlit as st
from helpers.encoders import counting, sentence_encoder
from helpers.pages import all_scores, metric, opened, option, shown, shown_foot, shown_operations
from helpers.paths import ROOT
from streamlit.testing.v1 import AppTest

from tted_core import compare, read_map
from tted_core.errors import EncoderError, Interrupted
from tted_core.report.exports import EXPORTS
from ui import comparisons, models

CORAL = ROOT / "sample_trees" / "coral-reefs"


@pytest.fixture
def page(encoded: list[str]) -> AppTest:
    return opened()


def test_the_opening_comparison_is_on_screen_with_the_numbers_of_the_library(encoded):
    st.cache_resource.clear()
    app = opened()
    encode, _ = counting()
    result = compare(
        read_map(CORAL / "base.json"),
        read_map(CORAL / "demo.json"),
        encoder=sentence_encoder(encode=encode, name="minilm"),
        baselines=["rouge_sim", "rouge_sim_published", "rouge_bag"],
    )
    assert metric(app, "TTED ↓") == f"{result.tted:.4f}"
    assert metric(app, "Normalized distance ↓") == f"{result.normalized:.3f}"
    scores = all_scores(app)
    assert scores["Steinhaus"] == f"{result.steinhaus:.4f}"
    assert scores["AvgTTED"] == f"{result.avg_tted:.4f}"
    assert scores["ROUGE Sim"] == f"{result.baselines['rouge_sim'].sim:.4f}"
    assert app.code[0].value == result.signature
    ops = shown_operations(app)
    costs = {(op.source, op.target): f"{op.cost:.3f}" if op.cost else "0" for op in result.script.ops}
    assert {(op["source"], op["target"]): op["amount"] for op in ops} == costs
    assert len(set(encoded)) == len(encoded)


def test_a_change_of_options_does_not_encode_again(page, encoded):
    before = len(encoded)
    tted = metric(page, "TTED ↓")
    option(page, "order").set_value("ordered").run()
    option(page, "power").set_value(2.0).run()
    option(page, "distance").set_value("manhattan").run()
    assert metric(page, "TTED ↓") != tted
    assert len(encoded) == before


def test_presets_set_the_options_and_name_them(page):
    assert option(page, "preset").value == "published"
    assert "dist:cosine|ctx:none|gap:0|p:1|k:all" in page.code[0].value
    option(page, "preset").set_value("proofreading").run()
    assert (option(page, "gap").value, option(page, "power").value) == ("=0.8", 8.0)
    assert "dist:cosine|ctx:none|gap:=0.8|p:8|" in page.code[0].value
    option(page, "preset").set_value("published").run()
    option(page, "power").set_value(2.0).run()
    assert option(page, "preset").value is None
    assert any("custom \\(power 2\\)" in each.proto.popover.label for each in page.get("popover"))
    assert "dist:cosine|ctx:none|gap:0|p:2|k:all" in page.code[0].value
    option(page, "power").set_value(1.0).run()
    assert option(page, "preset").value == "published"


def test_a_missing_model_is_an_error_until_another_is_chosen(page, monkeypatch):
    def load(name):
        if name == "specter":
            raise EncoderError("specter is not installed")
        return sentence_encoder(name=name)

    monkeypatch.setattr(models, "load_encoder", load)
    models.fresh_encoder.cache_clear()
    option(page, "encoder").set_value("specter").run()
    assert not page.exception
    assert "specter" in page.error[0].value
    assert not page.metric
    assert "specter · not installed" in option(page, "encoder").options
    option(page, "encoder").set_value("minilm").run()
    assert page.metric
    assert not page.error


def test_a_stopped_comparison_has_a_message_and_can_be_run_again(page, monkeypatch):
    def stopped(*_given, **_options):
        raise Interrupted("stopped before there was a result; run the comparison again")

    with monkeypatch.context() as patch:
        patch.setattr(comparisons, "compare_maps", stopped)
        option(page, "order").set_value("ordered").run()
    assert not page.exception
    assert "stopped" in page.info[0].value
    assert not page.metric
    next(button for button in page.button if button.label == "Run again").click().run()
    assert metric(page, "TTED ↓")


def test_the_unordered_distance_is_proven(page):
    page.selectbox(key="left-sample").set_value("photosynthesis/base.json").run()
    page.selectbox(key="right-sample").set_value("photosynthesis/structure_2.json").run()
    option(page, "order").set_value("unordered").run()
    assert shown_foot(page)["proof"] == "✓ Best possible alignment: no cheaper unordered script exists"
    assert "order:unordered|proven:yes" in page.code[0].value


def test_every_kind_of_file_is_offered(page):
    offered = {button.proto.label for button in page.get("download_button")}
    assert {export.title for export in EXPORTS.values()} <= offered


def test_near_maps_are_offered_proofreading(page):
    hint = page.button(key="take-proofreading").help
    assert "below 0.45" in hint
    assert "proofreading detects single wrong sentences" in hint
    page.button(key="take-proofreading").click().run()
    assert option(page, "preset").value == "proofreading"
    assert "|gap:=0.8|p:8|" in page.code[0].value
    assert all(button.key != "take-proofreading" for button in page.button)


def test_a_change_of_options_shows_both_numbers_and_ways_back(page):
    first = metric(page, "Normalized distance ↓")
    assert {"undo-options", "reset-options"}.isdisjoint(button.key for button in page.button)
    option(page, "context").set_value("path").run()
    second = metric(page, "Normalized distance ↓")
    assert first != second
    assert f":blue[{first} → {second}]" in shown(page)
    option(page, "order").set_value("ordered").run()
    page.button(key="undo-options").click().run()
    assert metric(page, "Normalized distance ↓") == second
    page.button(key="reset-options").click().run()
    assert metric(page, "Normalized distance ↓") == first
    assert option(page, "preset").value == "published"
    assert "reset-options" not in [button.key for button in page.button]


@pytest.mark.thorough
@pytest.mark.usefixtures("encoded")
def test_unopened_parts_are_not_drawn():
    page = opened("Compare", {})
    assert [each.label for each in page.metric] == [
        "Normalized distance ↓",
        "TTED ↓",
    ]
    assert not page.dataframe
    assert not page.code
    assert not page.get("download_button")
