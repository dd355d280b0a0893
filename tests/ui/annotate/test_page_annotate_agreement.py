"""Findings and agreement on the Annotate page, without a browser."""

import io
import zipfile

import pytest
from helpers.encoders import counting, sentence_encoder
from helpers.pages import button, html, opened, option, shown

from tted_core import parse_map
from tted_core.annotate.agreement import measure_annotators
from tted_core.annotate.checks import check_map
from tted_core.distances import Models
from tted_core.foundations.monitor import Monitor
from ui.annotate import agreement, checks
from ui.annotate.editing import records
from ui.annotate.worklist import WorklistRow, table_of

HOSTILE = "<img src=x onerror=alert(1)> :red[x] 2*3*4 $a$"
OF_TEXTS = ["incomplete", "repeats"]  # checks that don't need meaningful vectors


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, hashed_models: None) -> None:
    monkeypatch.setattr(agreement, "TOPICS", ("photosynthesis", "urban-heat"))


def pasted(text: str):
    """The page with this map checked for texts."""
    app = opened("Annotate", {"check-names": OF_TEXTS})
    app.text_area(key="check-text").set_value(text).run()
    assert not app.exception
    return app


def texts(app):
    return f"{shown(app)}\n{html(app)}"


def worklist(app):
    """The rows on screen."""
    return next((each.value for each in app.dataframe if "status" in each.value.columns), None)


SEA = '{"text": "Sea", "children": [{"text": ""}, {"text": "b"}, {"text": "b"}]}'
TWICE = "One\n  a\n    b\n  c\n    b\n"


def test_before_anything_is_dropped_an_example_has_findings():
    app = opened("Annotate", {"check-names": OF_TEXTS})
    assert list(worklist(app)["finding"]) == ["Empty or cut-off text", "Repeated text"]
    assert "Showing an example until there is a map of your own." in texts(app)


def test_a_finding_is_shown_with_its_nodes_as_data():
    app = pasted(f"One\n  a\n    b\n      {HOSTILE}\n  c\n    {HOSTILE}\n")
    assert list(worklist(app)["finding"]) == ["Repeated text"]
    assert 'href="#tted-node-3"' in texts(app)
    assert 'id="tted-node-3" class=marked' in texts(app)
    assert "<img" not in texts(app)
    assert "&lt;img" in texts(app)


def test_the_list_shrinks_and_a_status_is_there_again_on_another_visit():
    app = pasted(TWICE)
    assert "1 finding in 5 nodes in 1 map: **1 open**" in texts(app)
    button(app, "Dismiss").click().run()
    assert worklist(app) is None
    assert "**1 dismissed**" in texts(app)
    again = pasted(TWICE)
    assert worklist(again) is None
    again.button_group(key="worklist-show").set_value(["dismissed"]).run()
    assert list(worklist(again)["status"]) == ["dismissed"]
    button(again, "Confirm").click().run()
    button(again, "Undo").click().run()
    assert list(worklist(again)["status"]) == ["dismissed"]


def test_an_unusable_file_of_decisions_is_an_error(monkeypatch, tmp_path):
    (tmp_path / "x").write_text("text " * 200, encoding="utf-8")
    monkeypatch.setenv("TTED_DECISIONS", str(tmp_path / "x"))
    assert "can't be used" in pasted(TWICE).error[0].value.replace("\\", "")


def test_all_maps_of_an_archive_are_one_list_with_repairs():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in {
            "a/good.txt": "One\n  x\n",
            "b/twice.txt": "Two\n  y\n  y\n",
            "numbers.txt": "1 Sea\n1.1 Moon\n1.1 Tide\n",
            "bad*.json": "[1,",
        }.items():
            archive.writestr(name, text)
    app = opened("Annotate", {"check-names": [*OF_TEXTS, "reading"]})
    app.file_uploader(key="check-upload-0").set_value(
        ("maps.zip", content.getvalue(), "application/zip")
    ).run()
    assert not app.exception
    rows = worklist(app)
    assert list(rows["map"]) == ["numbers.txt", "b/twice.txt"]
    assert list(rows["finding"]) == ["Repaired when read", "Repeated text"]
    assert "in 3 maps" in texts(app)
    assert app.warning[0].value.startswith("1 file can't be checked\\:  \nbad\\*\\.json\\: line 1")


def test_the_files_have_every_finding_with_its_map_and_status():
    app = pasted(SEA)
    button(app, "Confirm").click().run()
    assert len(worklist(app)) == 1
    (record,) = records([parse_map(SEA, name="sea")])
    found = check_map(record.mind_map.tree, checks=OF_TEXTS)
    statuses = ("confirmed", "open")
    rows = [WorklistRow(record, each, status, each.key) for each, status in zip(found, statuses, strict=True)]
    assert list(table_of(rows)["status"]) == ["confirmed", "open"]
    assert set(table_of(rows)["map"]) == {"sea"}


def test_a_finding_is_fixed_by_an_edit_that_is_there_again_on_another_visit_and_can_be_undone():
    app = pasted(TWICE)
    assert "Save" not in "".join(each.label for each in app.get("download_button"))
    next(each for each in app.text_area if each.key.startswith("edit-text-")).set_value("other").run()
    assert worklist(app) is None
    assert "**1 fixed**" in texts(app)
    again = pasted(TWICE)
    assert worklist(again) is None
    again.button_group(key="worklist-show").set_value(["fixed"]).run()
    assert "Fixed by an edit; shown in the map as it came." in texts(again)
    assert any("Save 1 edited map" in each.label for each in again.get("download_button"))
    assert "is saved as Markdown" in texts(again)
    button(app, "Undo").click().run()
    assert len(worklist(app)) == 1
    assert "1 finding in 5 nodes in 1 map: **1 open**" in texts(app)


@pytest.mark.parametrize(("kind", "nodes"), [("move", 5), ("delete", 4)])
def test_a_node_is_moved_or_deleted(kind, nodes):
    app = pasted(TWICE)
    if kind == "delete":
        app.button(key="edit-delete").click().run()
    else:
        next(each for each in app.selectbox if each.key.startswith(f"edit-{kind}-")).select_index(0).run()
    assert not app.exception
    assert not app.error
    assert f"in {nodes} nodes in 1 map" in texts(app)
    assert ("**1 fixed**" in texts(app)) == (kind != "move")
    app.button(key="edit-undo").click().run() if kind == "move" else button(app, "Undo").click().run()
    assert "1 finding in 5 nodes in 1 map: **1 open**" in texts(app)


def test_an_edit_of_a_map_that_another_tab_has_edited_is_refused():
    app, other = pasted(TWICE), pasted(TWICE)
    for each in (app, other):
        next(box for box in each.text_area if box.key.startswith("edit-text-")).set_value("x").run()
    assert "edited in another tab" in other.error[0].value
    assert "**1 fixed**" in texts(other)


def test_checking_ends_without_a_result_if_it_is_stopped(monkeypatch):
    stopped = Monitor(lambda *_: None, lambda: True)
    monkeypatch.setattr(checks, "run_watched", lambda _name, _key, work, **_: work(stopped))
    app = opened("Annotate", {"check-names": OF_TEXTS})
    assert worklist(app) is None
    assert "stopped" in texts(app)


def test_a_map_without_findings_gets_a_message():
    app = pasted("One\n  two\n")
    assert "Nothing found: 2 checks looked at 2 nodes in 1 map." in app.success[0].value


def test_the_agreement_on_screen_is_that_of_the_library():
    app = opened("Annotate", tab="compare")
    expected = measure_annotators(
        agreement.sample().maps, models=Models(sentence_encoder(encode=counting()[0], name="minilm"))
    )
    assert next(each.value for each in app.metric).startswith(f"{expected.alpha.value:.3f}")
    assert expected.signature in [each.value for each in app.code]
    tables = [each.value for each in app.dataframe]
    documents = next(each for each in tables if "Medoid" in each.columns)
    assert list(documents["Mean distance"]) == [each.mean_distance for each in expected.documents]
    option(app, "preset").set_value("proofreading").run()
    assert expected.signature in [each.value for each in app.code]


def test_the_disagreements_of_all_documents_are_one_list_and_are_decided_next():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for document, text in {"tides": "The sea rises\n  {}\n", "moon": "It has no air\n  {}\n"}.items():
            for name in ("anna", "ben"):
                archive.writestr(f"{document}/{name}.txt", text.format(f"says {name} of {document}"))
    app = opened("Annotate", tab="compare")
    app.file_uploader(key="collection-kept-files").set_value(
        [("maps.zip", data.getvalue(), "application/zip")]
    ).run()
    assert not app.exception
    assert not app.metric, "nothing is computed before the question is answered"
    app.radio(key="collection-swapped").set_value(False).run()
    assert any("annotators anna, ben" in each.label for each in app.expander)
    rows = next(each.value for each in app.dataframe if "claim" in each.value.columns)
    assert set(rows["document"]) == {"tides", "moon"}
    button(app, "Decide").click().run()
    assert "2 of 2" not in texts(app)
    assert f"{rows['document'][0]}, anna" in texts(app)
    app = opened("Annotate", tab="compare")
    app.file_uploader(key="collection-kept-files").set_value(
        [("maps.zip", data.getvalue(), "application/zip")]
    ).run()
    app.radio(key="collection-swapped").set_value(True).run()
    assert any("annotators moon, tides" in each.label for each in app.expander)
