"""The Systems page: from uploads to tables, plots and maps, and what is refused."""

import io
import json
import zipfile
from types import SimpleNamespace

import pytest
from helpers.batch_page import address, click, shown
from helpers.paths import ROOT
from helpers.trees import SAMPLES
from streamlit.testing.v1 import AppTest

from tted_core.batch.functions import CONTROLS
from tted_core.errors import MapFormatError
from ui.many.kept_batches import GIVEN
from ui.many.systems_given import _put
from ui.many.uploads import Target

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


def opened(page="Systems", **values):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    app.switch_page(f"pages/{page}.py")
    app.query_params.update(values)
    return app.run()


def uploaded(*files, key="systems-upload", app=None):
    app = app or opened()
    kinds = [(name, content, "application/octet-stream") for name, content in files]
    return app.file_uploader(key=key).set_value(kinds if key == "systems-upload" else kinds[0]).run()


def compared(**options):
    app = click(uploaded(("maps.zip", maps(*KINDS, **options))), "Compare 3 systems")
    assert not app.exception
    assert not app.error
    return app


def frame(app, column):
    """The table that has this column."""
    return next(each.value for each in app.dataframe if column in each.value.columns)


def test_from_maps_to_tables_and_back_by_the_address():
    app = compared()
    means = frame(app, "system")
    assert sorted(means["system"][:3]) == ["sense", "shape", "words"]
    assert sorted(means["system"][3:]) == sorted(CONTROLS)
    assert means["normalized ↓"].between(means["95 % from"], means["to"]).all()
    assert means["rank group"].iloc[:3].tolist() == [1, 1, 1]
    app.toggle(key="systems-controls").set_value(False).run()
    assert sorted(frame(app, "system")["system"]) == ["sense", "shape", "words"]
    assert "5 documents." in shown(app)
    assert "preset published, minilm" in shown(app)
    assert "TTED|" in shown(app)
    app.toggle(key="systems-controls").set_value(True).run()
    tests = frame(app, "p Holm")
    assert len(tests) == 3
    assert tests["a wins"].add(tests["ties"]).add(tests["b wins"]).tolist() == [5, 5, 5]
    assert "with 5 documents bootstrap intervals are too narrow" in shown(app)
    app.selectbox(key="systems-measure").set_value("tted").run()
    app.selectbox(key="systems-baseline").set_value("words").run()
    assert len(frame(app, "p Holm")) == 2
    app.selectbox(key="systems-pair").set_value("shape and words").run()
    link = address(app)
    assert {
        "tab": "results",
        "measure": "tted",
        "baseline": "words",
        "pair": "shape and words",
    }.items() <= link.items()
    again = opened(**link)
    assert not again.warning
    for column in ("system", "p Holm", "document"):
        assert frame(again, column).equals(frame(app, column))


@pytest.mark.thorough
def test_a_document_leads_to_its_maps():
    app = compared()
    document = frame(app, "document")["document"].iloc[0]
    pair = app.selectbox(key="systems-pair").value.split(" and ")
    click(app, f"Open {pair[1]} in Compare")
    assert not app.exception
    assert [file.name for side in ("left", "right") for file in app.session_state[f"{side}-files"]] == [
        f"{side} · {document}.json" for side in ("references", pair[1])
    ]
    assert "Next pair" in " ".join(button.label for button in app.button)
    app.switch_page("pages/Compare.py")  # where it is already; it would run the other page at the next click
    click(app, "Back to the systems")
    app.switch_page("pages/Systems.py").run()
    assert frame(app, "document")["document"].iloc[0] == document


@pytest.mark.thorough
def test_what_drives_the_difference():
    app = click(compared(), "Look into the scripts")
    assert not app.exception
    operations = frame(app, "coverage").set_index("system")
    assert operations.index.tolist() == ["sense", "shape", "words"]
    coverage = operations["coverage"].astype(float)
    assert max(coverage["sense"], coverage["words"]) < coverage["shape"]
    assert coverage["shape"] == 1
    assert not operations.loc["shape", "moved"].startswith("0.00")
    assert "Sentences per document" in shown(app)
    assert any(button.key == "systems-depth-svg" for button in app.get("download_button"))
    by_depth = frame(app, "k = 1")
    assert by_depth["system"].tolist() == ["sense", "shape", "words"]
    assert by_depth["k = 1"].notna().all()
    assert "Means of the maps trimmed to k levels, as many as" in shown(app)


@pytest.mark.thorough
def test_measures_of_the_suite_by_depth():
    app = uploaded(("maps.zip", maps(*KINDS)))
    assert not [each for each in app.number_input if each.key == "systems-equivalence"]
    app.multiselect(key="systems-baselines").set_value(["structural_tted", "cost_insert"]).run()
    app.number_input(key="systems-equivalence").set_value(0.9).run()
    click(app, "Compare 3 systems")
    click(app, "Look into the scripts")
    measures = app.selectbox(key="systems-depth-measure")
    assert measures.options == ["normalized", "structural_tted", "cost_insert"]
    measures.set_value("structural_tted").run()
    assert not app.exception
    by_depth = frame(app, "k = 1").set_index("system")
    assert by_depth.loc["shape"].tolist() != by_depth.loc["words"].tolist()
    assert (by_depth.iloc[:, -1] >= by_depth["k = 1"]).all()


@pytest.mark.thorough
def test_a_document_that_a_system_lacks_is_left_out_for_all():
    app = compared(without=[("shape", "bread")])
    assert "1 of 5 documents left out for all systems: bread (shape: not in the table)" in shown(app)
    assert "Means over 4 documents" in shown(app)


@pytest.mark.thorough
def test_an_archive_for_each_system():
    files = [(f"{folder}.zip", maps(folder)) for folder in ("references", "words", "sense")]
    app = uploaded(*files)
    assert "5 references in references, against sense (5), words (5)" in shown(app).replace("*", "")
    app = click(app, "Compare 2 systems")
    assert sorted(frame(app, "system")["system"][:2]) == ["sense", "words"]


@pytest.mark.thorough
def test_a_table_of_scores():
    table = "item,system,ter\n" + "\n".join(
        f"d{number},{system},{number + extra}"
        for number in range(6)
        for system, extra in (("a", 0), ("b", 2))
    )
    app = opened(**{"from": "scores"})
    app = uploaded(("scores.csv", table.encode()), key="systems-table", app=app)
    app.multiselect(key="systems-lower-of-table").set_value(["ter"]).run()
    app = click(app, "Compare 2 systems")
    assert frame(app, "system")["system"].tolist() == ["a", "b"]
    assert frame(app, "p Holm")["p rand"].tolist() == [2 / 64]
    assert "lead to no maps" in shown(app)
    link = address(app)
    assert link["lower"] == "ter"
    assert frame(opened(**link), "system").equals(frame(app, "system"))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([("one.zip", maps("words"))], "there are no systems in it; give a folder of references"),
        ([("scores.csv", b"item,system,m\na,b,1")], "is neither a zip archive nor JSON of records"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(files, message):
    app = uploaded(*files)
    assert message in shown(app)
    assert not app.exception


@pytest.mark.thorough
def test_a_link_to_what_is_gone():
    app = opened(tab="results", batch="own:" + "x" * 22)
    assert "that batch isn't kept here any more" in shown(app)
    assert "give systems to compare" in shown(app)


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


def test_files_of_records_stand_for_folders(tmp_path):
    files = [
        SimpleNamespace(name="references.json", getvalue=lambda: records("base")),
        SimpleNamespace(name="ours.json", getvalue=records),
        SimpleNamespace(name="lines.jsonl", getvalue=lambda: b'{"article": "br/ead", "answer": {}}'),
    ]
    given = _put(files[:2], Target(tmp_path / "one" / GIVEN), "article")
    assert (given.references, given.systems, given.documents) == ("references", {"ours": 5}, 5)
    record = json.loads((given.table.parent / "ours" / "bread.json").read_text("utf-8"))
    assert record["article"] == "bread"
    with pytest.raises(MapFormatError, match="no map of lines has the name of one in references"):
        _put(files, Target(tmp_path / "two" / GIVEN), "article")
    with pytest.raises(MapFormatError, match="record 1: the record has no id at 'name'"):
        _put(files, Target(tmp_path / "three" / GIVEN), "name")
    other = SimpleNamespace(name="ours.txt", getvalue=lambda: b"- a")
    with pytest.raises(MapFormatError, match=r"ours\.txt is neither a zip archive nor JSON of records"):
        _put([other], Target(tmp_path / "four" / GIVEN), None)


@pytest.mark.thorough
def test_the_page_offers_what_files_of_records_hold():
    app = uploaded(("references.zip", maps("references")), ("ours.json", records()))
    assert app.selectbox(key="systems-field").options == ["answer.map"]
    assert app.selectbox(key="systems-id").options == ["article", "prompt"]
    assert "record 1 has no id under a usual name" in app.error[0].value.replace("\\", "")
    app.selectbox(key="systems-id").set_value("article").run()
    assert not app.error
    assert address(app)["systems-id"] == "article"
    app.selectbox(key="systems-field").set_value("answer.map").run()
    click(app, "Compare 1 system")
    assert not app.exception
    assert not app.error
    assert "ours" in frame(app, "system")["system"].tolist()
