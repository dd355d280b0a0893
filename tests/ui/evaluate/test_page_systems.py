"""The Evaluate page with several systems: from uploads to tables, plots and maps, and what is refused."""

import io
import json
import zipfile
from types import SimpleNamespace

import pytest
from helpers.hostile_files import zipped
from helpers.pages import address, batch_of, click, frame, open_tab, opened, option, shown, uploaded
from helpers.trees import SAMPLES

from tted_core.batch.controls import BATCH_CONTROLS
from tted_core.errors import MapFormatError
from ui.evaluate import setup
from ui.evaluate.batches import put_files

TOPICS = ("baikal", "bread", "coral-reefs", "photosynthesis", "urban-heat")
KINDS = {"references": "base", "words": "paraphrase_1", "shape": "structure_2", "sense": "meaning_3"}


pytestmark = pytest.mark.usefixtures("hashed_models")


def maps(*folders, without=()):
    """A zip of folders of maps; ``without`` are left out."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for folder in folders:
            for topic in TOPICS:
                if (folder, topic) not in without:
                    content = (SAMPLES / topic / f"{KINDS[folder]}.json").read_bytes()
                    archive.writestr(f"all/{folder}/{topic}.json", content)
    return out.getvalue()


def compared(**options):
    app = uploaded(opened("Evaluate"), ("maps.zip", maps(*KINDS, **options)))
    sides = frame(app, "role")
    assert sides["folder or file"].tolist() == ["references", "sense", "shape", "words"]
    assert sides["role"].tolist() == ["reference", *["system"] * 3]
    app = click(app, "Compare 3 systems")
    assert not app.exception
    assert not app.error
    return app


def test_from_maps_to_tables():
    app = compared()
    means = frame(app, "system")
    assert sorted(means["system"][:3]) == ["sense", "shape", "words"]
    assert sorted(means["system"][3:]) == sorted(BATCH_CONTROLS)
    assert means["Normalized distance ↓"].between(0, 1).all()
    assert means["differs"].tolist() == ["a"] * 3 + [""] * len(BATCH_CONTROLS)
    assert means[["R-1 ↑", "R-2 ↑", "R-L ↑"]].iloc[:3].notna().all(axis=None)
    assert "With 5 documents and 3 tests at once no difference can be significant" in shown(app)
    assert "preset published, minilm" in shown(open_tab(app, "evaluate", "Export"))
    app = open_tab(app, "evaluate", "Ranking")
    assert sum("R-1" in named or named == "all" for named in means["best by"]) >= 1
    tests = frame(app, "p Holm")
    assert len(tests) == 3
    assert tests["a wins"].add(tests["ties"]).add(tests["b wins"]).tolist() == [5, 5, 5]
    assert "with 5 documents bootstrap intervals are too narrow" in shown(app)
    app.selectbox(key="evaluate-view-measure").set_value("tted").run()
    app.selectbox(key="evaluate-view-baseline").set_value("words").run()
    assert len(frame(app, "p Holm")) == 2
    app.selectbox(key="evaluate-view-pair").set_value("shape and words").run()
    assert frame(app, "document").columns[1] == "shape minus words"


@pytest.mark.thorough
def test_a_document_leads_to_its_maps():
    app = compared()
    document = frame(app, "document")["document"].iloc[0]
    pair = app.selectbox(key="evaluate-view-pair").value.split(" and ")
    click(app, f"Open {pair[1]} in Compare")
    assert not app.exception
    for card, side in zip(app.expander[:2], ("references", pair[1]), strict=True):
        assert f"{side} · {document} ·" in card.label.replace("\\", "")
    app.switch_page("pages/Evaluate.py").run()
    assert frame(app, "document")["document"].iloc[0] == document


@pytest.mark.thorough
def test_the_documents_with_the_largest_differences_are_listed():
    app = open_tab(compared(), "evaluate", "Edits")
    assert "3 systems, 5 documents" in shown(app)
    kinds = frame(app, "reworded").set_index("system")
    assert kinds["may claim something else"].notna().all()
    assert sorted(kinds.index) == ["sense", "shape", "words"]
    assert kinds.loc["shape", "moved"] > 0
    assert not app.exception
    assert max(kinds.loc[["sense", "words"], "coverage"]) < kinds.loc["shape", "coverage"]
    assert kinds.loc["shape", "coverage"] == 1
    assert kinds.loc["shape", ["replace: cost", "delete: cost", "insert: cost"]].sum() > 0
    assert len(app.get("vega_lite_chart")) == 1


def test_an_example_is_ranked_before_anything_is_given():
    app = opened("Evaluate")
    ranked = frame(app, "differs")
    assert set(ranked["system"]) >= {"reworded", "other claims", "rearranged"}
    assert "**Example**" in shown(app)
    assert "**Example: *" in shown(app)
    for title, column in (("Ranking", "differs"), ("Pairs", "normalized"), ("Edits", "reworded")):
        assert frame(open_tab(app, "evaluate", title), column) is not None
    again = opened("Evaluate")
    assert frame(again, "differs").equals(ranked)
    app = open_tab(app, "evaluate", "Maps")
    option(app, "order").set_value("ordered").run()
    assert "minilm, cosine, ordered" in shown(open_tab(app, "evaluate", "Export"))
    app = open_tab(app, "evaluate", "Maps")
    app.file_uploader(key="evaluate-upload").set_value([("all.zip", maps(*KINDS), "application/zip")]).run()
    assert "Example" not in shown(app)
    assert frame(app, "role")["folder or file"].tolist() == sorted(KINDS)
    assert "Results appear here once the files" in shown(open_tab(app, "evaluate", "Ranking"))


def test_columns_of_papers_are_added_for_systems_until_they_are_taken_away():
    app = uploaded(opened("Evaluate"), ("maps.zip", maps(*KINDS)))
    assert app.multiselect(key="evaluate-baselines").value == ["cmgn_rouge1", "cmgn_rouge2", "cmgn_rougel"]
    app.multiselect(key="evaluate-baselines").set_value([]).run()
    assert app.run().multiselect(key="evaluate-baselines").value == []
    assert (
        uploaded(opened("Evaluate"), ("maps.zip", maps("references", "words")))
        .multiselect(key="evaluate-baselines")
        .value
        == []
    )


def records(kind="structure_2"):
    """A program's results: a record for each topic."""
    rows = [
        {
            "article": topic,
            "prompt": "Make a map",
            "answer": {"map": json.loads((SAMPLES / topic / f"{kind}.json").read_text("utf-8"))},
        }
        for topic in TOPICS
    ]
    return json.dumps(rows).encode()


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("a", "a/b.md"), "two files or folders are called 'a/b.md' or like the beginning of it"),
        (("é" * 150 + ".md",), "is longer than a file's may be; rename it"),
    ],
)
def test_names_that_no_folder_can_hold_together_are_refused_in_a_sentence(names, message, tmp_path):
    archive = zipped(dict.fromkeys(names, "- a\n"))
    with pytest.raises(MapFormatError, match=message):
        put_files([SimpleNamespace(name="maps.zip", getvalue=lambda: archive)], tmp_path)


@pytest.mark.thorough
def test_the_page_offers_the_fields_of_records():
    app = uploaded(opened("Evaluate"), ("references.zip", maps("references")), ("ours.json", records()))
    assert app.selectbox(key="evaluate-field").options == ["answer.map"]
    assert app.selectbox(key="evaluate-id").options == ["article", "prompt"]
    assert "record 1: the record has no id" in app.error[0].value.replace("\\", "")
    app.selectbox(key="evaluate-id").set_value("article").run()
    assert not app.error
    assert address(app)["evaluate-id"] == "article"
    app.selectbox(key="evaluate-field").set_value("answer.map").run()
    click(app, "Compare 5 pairs")
    assert not app.exception
    assert not app.error
    assert len(frame(app, "normalized")) == 5


@pytest.mark.thorough
def test_the_same_files_are_compared_again_with_other_roles_and_settings():
    app = compared()
    first = batch_of(app)
    open_tab(app, "evaluate", "Maps")
    assert "Current files: **maps.zip**" in shown(app)
    app.session_state[setup.ROLES_KEY] = (str(first.upload.folder), {"shape": "ignore", "sense": "ignore"})
    option(app, "order").set_value("ordered").run()
    click(app, "Compare 5 pairs")
    assert not app.error
    assert batch_of(app) != first
    assert frame(app, "id")["id"].tolist() != []
    assert "minilm, cosine, ordered" in shown(open_tab(app, "evaluate", "Export"))
    open_tab(app, "evaluate", "Maps")
    assert frame(app, "role")["role"].tolist() == ["reference", "ignore", "ignore", "system"]
    runs = [button.label for button in app.button if str(button.key).startswith("evaluate-run-")]
    assert len(runs) == 2
    app.button(key=f"evaluate-run-{first.folder.name}").click().run()
    assert batch_of(app) == first
    assert len(frame(app, "differs")) == 3 + len(BATCH_CONTROLS)
