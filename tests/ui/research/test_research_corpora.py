"""The tab Corpora, with a masked model and without."""

import json

import pytest
from helpers.encoders import sentence_encoder
from helpers.pages import frame, opened, press
from helpers.paths import ROOT

from tted_core import read_map
from tted_core.measures.corpus import Missing, measure_corpus


@pytest.fixture
def page(monkeypatch, tmp_path, tiny_masked_folder, hashed_models):
    monkeypatch.setenv("TTED_MASKED_MODELS", str(tiny_masked_folder))
    monkeypatch.setenv("LTP_PATH", str(tmp_path))
    return opened("Research", tab="corpora")


def test_without_models_the_missing_numbers_are_explained(page, monkeypatch):
    monkeypatch.delenv("TTED_MASKED_MODELS")
    press(page.run(), "corpus-start")
    assert not page.error
    assert [each.label for each in page.metric] == ["Unique(15)", "New words"]
    shown = [each.value.replace("\\", "") for each in page.caption]
    assert any("Plausibility is not computed" in text and "hf download" in text for text in shown)
    assert any("Grammar is not computed" in text for text in shown)
    assert frame(page, "precision").shape == (2, 4)


def test_generated_maps_are_described(page, masked_model):
    page.multiselect(key="corpus-generated").set_value(["baikal/base.json", "baikal/demo.json"][:1]).run()
    page.selectbox(key="corpus-language").set_value("none").run()
    press(page, "corpus-start")
    sentences, reference = (
        read_map(ROOT / "sample_trees" / topic / "base.json").tree.labels
        for topic in ("baikal", "coral-reefs")
    )
    expected = measure_corpus(
        sentences,
        reference,
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
    specs = [json.loads(each.proto.spec) for each in page.get("vega_lite_chart")]
    assert f"{len(sentences)} generated sentences" in specs[0]["description"]
    assert len(specs) == 1


def test_uploaded_maps_replace_the_samples(page):
    files = [("a.txt", b"root\n  leaf", "text/plain"), ("b.md", b"# map\n- node", "text/plain")]
    page.file_uploader(key="corpus-generated-files").set_value(files).run()
    assert not page.multiselect
    assert page.button(key="corpus-start").disabled
    assert any("Upload reference maps too" in each.value for each in page.caption)
    page.file_uploader(key="corpus-reference-files").set_value([("c.txt", b"one", "text/plain")]).run()
    press(page, "corpus-start")
    assert "**4 generated sentences** against 1 reference sentence." in [each.value for each in page.markdown]
    page.file_uploader(key="corpus-generated-files").set_value([]).run()
    page.file_uploader(key="corpus-reference-files").set_value([]).run()
    assert page.multiselect(key="corpus-generated").value == ["coral-reefs/demo.json"]
