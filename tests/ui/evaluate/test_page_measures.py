"""The tab Measures: presets, orders and encoders on our samples."""

import pytest
from helpers.encoders import hashed, sentence_encoder
from helpers.monitors import recording
from helpers.pages import opened
from helpers.trees import SAMPLES

from tted_core.lab.quality import run_grid
from tted_core.lab.samples import read_samples
from tted_core.method import PRESETS, Method
from ui import models
from ui.evaluate import measures

TOPICS = ("photosynthesis", "urban-heat")


@pytest.fixture
def page(monkeypatch):
    monkeypatch.setattr(models, "encoder", lambda name: sentence_encoder(name=name))
    some = [each for each in read_samples(SAMPLES, variants=1) if each.name in TOPICS]
    monkeypatch.setattr(measures, "read_samples", lambda _folder: some)
    page = opened("Evaluate", tab="measures")
    page.pills(key="quality-orders").set_value(["ordered"])
    return page.run()


def run(page):
    return page.button(key="quality-start").click().run()


def test_the_table_has_the_numbers_of_the_library(page):
    run(page)
    assert not page.exception
    table = page.dataframe[0].value
    assert list(table["measure"]) == [
        "rouge_sim",
        "TTED minilm, cosine, none, ordered",
        "TTED minilm, cosine, none, ordered, gap =0.8, p = 8",
        "TTED minilm, cosine, none, ordered, gap =0.4",
    ]
    methods = [Method.of(preset, order="ordered") for preset in PRESETS]
    expected = run_grid(measures.read_samples(SAMPLES), methods, ["rouge_sim"], load=lambda _name: hashed)
    assert expected.complete
    for index, row in enumerate(expected.rows):
        assert table["R_S"][index] == pytest.approx(row.quality.figures["r_s"].mean)
        assert table["R_M"][index] == pytest.approx(row.quality.figures["r_m"].mean)
        assert table["samples"][index] == 2
    assert len(page.get("vega_lite_chart")) == 1


def test_warnings_about_the_samples_are_folded(page, monkeypatch):
    names = ["buchdruck", "olive-oil"]
    some = [each for each in read_samples(SAMPLES, variants=1) if each.name in names]
    monkeypatch.setattr(measures, "read_samples", lambda _folder: some)
    monkeypatch.setattr(models, "encoder", lambda name: sentence_encoder(name=name, english_only=True))
    run(page)
    assert not page.exception
    assert not page.warning
    (fold,) = (each for each in page.expander if each.label == "2 notices")
    for note, spoken in zip(fold.caption, ("German", "Spanish"), strict=True):
        assert f"the texts are in {spoken}" in note.value


@pytest.mark.thorough
def test_a_figure_with_many_variants_left_out_is_marked(page):
    """A bag of sentences is at 0 from every restructured map."""
    page.pills(key="quality-orders").set_value([])
    page.pills(key="quality-baselines").set_value(["rouge_bag"])
    run(page)
    (doubt,) = page.dataframe[0].value["doubt"]
    assert doubt.startswith("R_S: not comparable: 100 % left out")


@pytest.mark.thorough
def test_a_grid_stopped_half_way_keeps_its_rows_and_marks_the_unfinished(page, monkeypatch):
    """All measures are stopped on the second map, so that they are of the same maps."""
    stages = []
    monitor = recording(stages, lambda: f"Measuring {TOPICS[1]}" in dict(stages))
    monkeypatch.setattr(
        measures, "run_grid", lambda *given, **named: run_grid(*given, **{**named, "monitor": monitor})
    )
    run(page)
    assert not page.exception
    assert page.warning[0].value == "Stopped: 4 measures so far, on 1 sample only."
    table = page.dataframe[0].value
    assert [name.endswith("(not finished)") for name in table["measure"]] == [True] * 4
