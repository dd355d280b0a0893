"""The Evaluate page with pairs: from an upload to a table, downloads, and what is refused."""

import io
import json
import zipfile

import pytest
from helpers.hostile_files import zipped
from helpers.pages import address, batch_of, click, opened, shown, uploaded, zip_of_pairs
from helpers.trees import SAMPLES
from streamlit.testing.v1 import AppTest

from tted_core import compare, read_map

pytestmark = pytest.mark.usefixtures("hashed_models")


def finished(count=24, *, broken=5) -> AppTest:
    app = uploaded(opened("Evaluate"), ("pairs.zip", zip_of_pairs(count, broken=broken)))
    assert [each.label for each in app.button if each.label.startswith("Compare ")] == [
        f"Compare {count} pairs"
    ]
    app = click(app, "Compare ")
    assert not app.exception
    assert not app.error
    return app


def table(app: AppTest):
    return app.dataframe[0].value


def test_from_an_upload_to_the_worst_pairs():
    app = finished()
    assert "24 pairs" in shown(app)
    assert "1 with an error" in shown(app)
    rows = table(app)
    assert len(rows) == 24
    assert list(rows.columns)[:3] == ["id", "normalized", "tted"]
    scores = rows["normalized"].to_list()[:-1]
    assert scores == sorted(scores, reverse=True)
    assert "right map: " in rows["notice or error"].to_list()[-1]
    assert address(app) == {"tab": "pairs", "results": batch_of(app).key}
    again = opened("Evaluate", **address(app))
    assert table(again).equals(rows), "a reload keeps the results"
    assert "no longer has these results" in shown(opened("Evaluate", tab="pairs", results="unknown"))


def test_loose_files_are_ranked_by_the_scores_that_the_library_gives_them():
    names = {
        "reference.json": "base",
        "a.json": "paraphrase_1",
        "b.json": "structure_1",
        "c.json": "meaning_2",
    }
    files = [(name, (SAMPLES / "bread" / f"{kind}.json").read_bytes()) for name, kind in names.items()]
    files.append(("notes.png", b"\x89PNG\r\n\x1a\n" + bytes(20)))
    app = uploaded(opened("Evaluate", distance="levenshtein"), *files)
    assert "Loose files" in shown(opened("Evaluate", distance="levenshtein"))
    app.multiselect(key="evaluate-baselines").set_value(["rouge_sim"]).run()
    assert "notes.png is left out, as it can't be read as a map" in shown(app)
    roles = dict(table(app)[["folder or file", "role"]].to_numpy())
    assert roles.pop("reference") == "reference"
    assert set(roles.values()) == {"system"}
    folder = str(app.session_state["evaluate-files"].folder)
    app.session_state["evaluate-roles"] = folder, {"a": "reference", "b": "ignore"}
    assert "Compare 2 systems" in {each.label for each in app.run().button}
    assert "notes.png is left out" in shown(app)
    app.session_state["evaluate-roles"] = None
    app = click(app.run(), "Compare 3 systems")
    assert "*b* leads on one document, too few for a test" in shown(app)
    app.session_state["evaluate"] = "Pairs"
    found = table(app.run()).set_index("system")[["normalized", "tted", "rouge_sim"]]
    reference = read_map(SAMPLES / "bread" / "base.json")
    for name in ("a.json", "b.json", "c.json"):
        output = read_map(SAMPLES / "bread" / f"{names[name]}.json")
        expected = compare(reference, output, distance="levenshtein", baselines=["rouge_sim"])
        row = found.loc[name.removesuffix(".json")]
        assert (row["normalized"], row["tted"]) == pytest.approx((expected.normalized, expected.tted))
        assert row["rouge_sim"] == pytest.approx(expected.baselines["rouge_sim"].sim)


@pytest.mark.thorough
def test_a_table_of_pairs_reads_uploaded_maps_and_no_files_of_the_server(tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps({"secret root": {"leaf": {}}}), encoding="utf-8")
    base = (SAMPLES / "bread" / "base.json").read_bytes()
    names = ("b.json", secret, f"../../../../..{secret}", "no.json")
    content = ("left,right\n" + "".join(f"a.json,{name}\n" for name in names)).encode()
    app = uploaded(opened("Evaluate"), ("pairs.csv", content), ("a.json", base), ("b.json", base))
    click(app, "Compare 4 pairs")
    rows = table(app)
    assert rows["tted"].to_list()[0] == 0.0
    assert rows["tted"].isna().sum() == 3
    message = " ".join(rows["notice or error"])
    assert message.count("this file may not be opened here") == 2
    assert "secret root" not in message
    assert str(batch_of(app).upload.folder) not in message


def test_uploads_without_pairs_get_one_sentence():
    app = opened("Evaluate")
    for name, content, message in (
        ("a.zip", b"no zip", "cut off or damaged"),
        ("a.csv", b"left,right\n", "there are no pairs in a.csv"),
        ("a.csv", b"when,what\na,b", "there are no pairs in it; give a table"),
        ("one.zip", zipped({"words/bread.md": "- a\n", "words/tea.md": "- b\n"}), "there are no pairs in it"),
    ):
        app = uploaded(app, (name, content))
        assert not app.exception
        assert message in shown(app)


@pytest.mark.thorough
def test_a_batch_in_which_every_pair_failed_is_shown_all_the_same():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in ("left/a.json", "right/a.json"):
            archive.writestr(name, "{")
    app = click(uploaded(opened("Evaluate"), ("a.zip", out.getvalue())), "Compare 1 pair")
    (error,) = app.error  # the row's own
    assert "map: " in error.value.replace("\\", "")
    assert "1 with an error" in shown(app)
    app.session_state["evaluate"] = "Ranking"
    assert "none of these pairs has a score" in shown(app.run())
    app.session_state["evaluate"] = "Pairs"
    app.run()
    assert "right map: " in table(app)["notice or error"].iloc[0]
