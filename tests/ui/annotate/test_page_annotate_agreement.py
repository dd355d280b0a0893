"""Findings and agreement on the Annotate page, without a browser."""

import io
import zipfile

import pytest
from helpers.annotate_page import HOSTILE, button, opened, quick_page, texts
from helpers.encoders import counting, sentence_encoder
from helpers.trees import SAMPLES

from tted_core.annotate.agreement import measure_agreement, read_collection
from tted_core.distances import Models
from tted_core.errors import Interrupted
from tted_core.foundations.monitor import Monitor
from ui.annotate import agreement, checks, collection
from ui.text import markdown_escaped

OF_TEXTS = ["incomplete", "repeats"]
"""Checks that don't need meaningful vectors."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch):
    yield from quick_page(monkeypatch)


def test_findings_are_shown_with_their_nodes():
    app = opened()
    app.session_state["check-source"] = "Paste"
    app.run()
    app.text_area(key="check-text").set_value(f"One\n  a\n    b\n      {HOSTILE}\n  c\n    {HOSTILE}\n").run()
    assert not app.exception
    assert "**Repeated text** · 1" in [each.label for each in app.expander]
    assert "<img" not in texts(app)
    assert "&lt;img" in texts(app)


@pytest.mark.thorough
def test_a_finding_links_into_the_map_and_is_dismissed_for_good():
    app = opened()
    app.session_state["check-source"] = "Paste"
    app.session_state["check-names"] = OF_TEXTS
    app.run()
    app.text_area(key="check-text").set_value("One\n  a\n    b\n  c\n    b\n").run()
    assert 'href="#tted-node-2"' in texts(app)
    assert 'id="tted-node-2" class=marked' in texts(app)
    button(app, "Dismiss").click().run()
    assert app.success[0].value.startswith("Nothing found")
    again = opened()
    again.session_state["check-source"] = "Paste"
    again.session_state["check-names"] = OF_TEXTS
    again.run()
    again.text_area(key="check-text").set_value("One\n  a\n    b\n  c\n    b\n").run()
    assert again.success[0].value.startswith("Nothing found")
    button(again, "Show them again").click().run()
    assert "**Repeated text** · 1" in [each.label for each in again.expander]


@pytest.mark.thorough
def test_a_file_of_decisions_that_cannot_be_used_is_an_error_beside_the_findings(monkeypatch, tmp_path):
    (tmp_path / "x").write_text("text " * 200, encoding="utf-8")
    monkeypatch.setenv("TTED_DECISIONS", str(tmp_path / "x"))
    app = opened()
    assert "can't be used" in app.error[0].value.replace("\\", "")
    assert " nodes" in texts(app)


def test_findings_of_equal_nodes_in_one_place_are_dismissed_together():
    app = opened()
    app.session_state["check-source"] = "Paste"
    app.session_state["check-names"] = OF_TEXTS
    app.run()
    app.text_area(key="check-text").set_value(
        '{"text": "Sea", "children": [{"text": ""}, {"text": ""}]}'
    ).run()
    assert "**Empty or cut-off text** · 2" in [each.label for each in app.expander]
    button(app, "Dismiss").click().run()
    assert app.success[0].value.startswith("Nothing found")


@pytest.mark.thorough
def test_all_maps_of_an_archive_are_checked():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in {
            "a/good.txt": "One\n  x\n",
            "b/twice.txt": "Two\n  y\n  y\n",
            "bad.json": "[1,",
        }.items():
            archive.writestr(name, text)
    app = opened()
    app.session_state["check-what"] = "A folder or zip of maps"
    app.run()
    app.file_uploader(key="check-collection").set_value(
        ("maps.zip", content.getvalue(), "application/zip")
    ).run()
    assert not app.exception
    table = next(each.value for each in app.dataframe if "error" in each.value.columns)
    assert list(table["map"]) == ["bad.json", "b/twice.txt", "a/good.txt"]
    assert list(table["findings"][1:]) == [1, 0]
    assert "It can't be checked: line 1" in app.error[0].value


def test_a_folder_none_of_whose_maps_can_be_read_says_why_for_each():
    app = opened()
    app.session_state["check-what"] = "A folder or zip of maps"
    app.run()
    app.file_uploader(key="check-collection").set_value(("bad.json", b"[1,", "application/json")).run()
    assert not app.exception
    table = next(each.value for each in app.dataframe if "error" in each.value.columns)
    assert list(table.columns) == ["map", "error"]
    assert [each.value for each in app.error] == [
        f"It can't be checked: {markdown_escaped(table['error'][0])}"
    ]


def test_looking_at_a_folder_ends_without_a_result_if_it_is_stopped():
    options = checks.CheckOptions("minilm", checks.Thresholds(), ())
    with pytest.raises(Interrupted):
        checks._checked((("a.txt", b"One"),), options, Monitor(lambda *_: None, lambda: True))


@pytest.mark.thorough
def test_a_clean_map_is_told_so():
    app = opened()
    app.session_state["check-source"] = "Paste"
    app.run()
    app.text_area(key="check-text").set_value("One\n  two\n").run()
    assert "Nothing found: 9 checks looked at 2 nodes." in app.success[0].value


def test_the_agreement_on_screen_is_that_of_the_library():
    app = opened("Compare annotators")
    expected = measure_agreement(
        collection._sample(), models=Models(sentence_encoder(encode=counting()[0], name="minilm"))
    )
    assert next(each.value for each in app.metric).startswith(f"{expected.alpha.value:.3f}")
    assert expected.signature in [each.value for each in app.code]
    assert "Costs are added up, as published." in texts(app)
    tables = [each.value for each in app.dataframe]
    documents = next(each for each in tables if "Medoid" in each.columns)
    assert list(documents["Mean distance"]) == [each.mean_distance for each in expected.documents]
    disputed = next(each for each in tables if "Missing in" in each.columns)
    assert len(disputed) == len(expected.documents[0].disputed)
    app.button_group(key="agreement-of").set_value("the draft reference").run()
    shown = next(each.value for each in app.dataframe if "Missing in" in each.value.columns)
    assert len(shown) == len(expected.documents[0].maps[expected.documents[0].medoids[0]].tree)
    app.radio(key="preset").set_value("proofreading").run()
    assert "Costs are added up, as published." in texts(app)
    app.selectbox(key="agreement-weighing").set_value("weighed as the sidebar says").run()
    assert any("|gap:=0.8|p:8|" in each.value for each in app.code)
    assert "0.8 and power 8." in texts(app)


@pytest.mark.thorough
def test_a_zip_of_folders_is_read_and_what_cannot_be_is_named():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in ("anna", "ben"):
            archive.writestr(f"tides/{name}.txt", f"Tides\n  {name}\n  {HOSTILE}\n")
        archive.writestr("tides/bad.json", '{"a": ')
    app = opened("Compare annotators", collection_source=collection.SOURCES[1])
    app.file_uploader(key="collection-files").set_value(
        [("maps.zip", data.getvalue(), "application/zip")]
    ).run()
    assert not app.exception
    assert "1 document, 2 maps (uploaded)" in app.expander[-1].label or any(
        "1 document, 2 maps (uploaded)" in each.label for each in app.expander
    )
    assert "bad\\.json" in app.warning[0].value
    assert "needs at least two documents" in app.info[0].value
    assert next(each.value for each in app.dataframe if "Medoid" in each.value.columns)["Maps"][0] == 2


@pytest.mark.thorough
def test_a_stopped_comparison_can_be_run_again(monkeypatch):
    def stopped(*_given, **_options):
        raise Interrupted("stopped before all maps were compared; run it again")

    with monkeypatch.context() as patch:
        patch.setattr(agreement, "measure_agreement", stopped)
        app = opened("Compare annotators")
    assert "stopped" in app.info[0].value
    button(app, "Run again").click().run()
    assert app.metric


@pytest.mark.thorough
def test_the_sample_is_what_its_caption_says():
    documents = collection._sample()
    assert [each.name for each in documents] == ["photosynthesis", "urban-heat"]
    assert documents == read_collection(
        (f"{topic}/{name}.json", (SAMPLES / topic / f"{name}.json").read_bytes())
        for topic in collection.TOPICS
        for name in collection.STAND_INS
    )


@pytest.mark.thorough
def test_several_roots_of_uploads_are_read_as_chosen_and_told():
    app = opened("Compare annotators", collection_source=collection.SOURCES[1])
    files = [("anna.txt", b"Sea\n  Moon\nLand\n", "text/plain"), ("ben.txt", b"Sea\n  Moon\n", "text/plain")]
    app.file_uploader(key="collection-files").set_value(files).run()
    assert not app.exception
    assert any("put above them, which costs" in each.value for each in app.caption)
    app.selectbox(key="collection-roots").set_value("first").run()
    assert any("only the first" in each.value for each in app.caption)
    app.selectbox(key="collection-roots").set_value("error").run()
    assert "the map has 2 roots" in app.warning[0].value
