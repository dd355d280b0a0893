"""The tab Ask people: judged pairs, measured, and set against each other."""

import io
import zipfile

import pytest
from helpers.encoders import sentence_encoder
from helpers.paths import ROOT
from streamlit.testing.v1 import AppTest

from tted_core.errors import MapFormatError
from tted_core.foundations.tables import csv_text
from tted_core.lab.people import read_judged_pairs
from ui.evaluate.ask_people import _uploaded, example_table
from ui.processes import loading


@pytest.fixture
def page(monkeypatch):
    monkeypatch.setattr(loading, "encoder", lambda name: sentence_encoder(name=name))
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page("pages/Evaluate.py").run()


def open_tab(page, name):
    page.session_state["evaluate"] = name
    return page.run()


def press(page, key):
    return page.button(key=key).click().run()


def judged(page, text, *, files=()):
    open_tab(page, "Ask people")
    page.file_uploader(key="judgements-table").set_value(("judged.csv", text.encode(), "text/csv"))
    if files:
        page.file_uploader(key="judgements-maps").set_value(
            [(name, data, "text/plain") for name, data in files]
        )
    page.run()
    page.pills(key="judgements-orders").set_value(["ordered"])
    page.pills(key="judgements-contexts").set_value(["none"])
    page.run()
    return page


def test_the_measures_are_set_against_the_scores(page):
    lines = example_table().splitlines()
    few = [line for line in lines if line.startswith(("left", "photosynthesis"))]
    judged(page, "\n".join(few))
    press(page, "judgements-start")
    assert not page.exception
    table = page.dataframe[0].value
    assert list(table["measure"]) == ["TTED ordered", "rouge_sim"]
    assert list(table["pairs"]) == [9, 9]
    assert table["agreement"].between(table["95 % from"], table["to"]).all()
    differences = page.dataframe[1].value
    assert differences["difference"][0] == pytest.approx(table["agreement"][0] - table["agreement"][1])
    page.radio(key="judgements-direction").set_value("the maps differ more").run()
    assert list(page.dataframe[0].value["agreement"]) == pytest.approx(list(-table["agreement"]))


@pytest.mark.thorough
def test_uploaded_maps_are_found_by_their_names(page):
    maps = [("a.txt", b"one\n  two"), ("b.txt", b"one\n  three"), ("c.md", b"# one\n- two\n- four")]
    judged(page, "left,right,score\na.txt,b.txt,1\na.txt,c.md,2\nb.txt,c.md,3", files=maps)
    press(page, "judgements-start")
    assert not page.exception
    assert list(page.dataframe[0].value["pairs"]) == [3, 3]


def zipped(**files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


@pytest.mark.thorough
@pytest.mark.parametrize("more", [[], [("c.md", b"# one\n- two\n- four")]], ids=["alone", "beside a file"])
def test_a_map_in_a_zip_is_found_by_its_name_inside(page, more):
    files = [
        ("m.zip", zipped(**{"x/y/a.md": "# one\n- two\n- six", ".hidden": "", "x/y/no.png": b"\x89PNG\r\n"}))
    ]
    other = more[0][0] if more else "coral-reefs/base.json"
    judged(
        page, f"left,right,score\nx/y/a.md,{other},1\n{other},photosynthesis/base.json,2", files=files + more
    )
    press(page, "judgements-start")
    assert not page.exception
    assert not page.error
    assert list(page.dataframe[0].value["pairs"]) == [2, 2]


@pytest.mark.thorough
def test_several_zips_and_files_of_several_maps_are_known_by_names_too():
    lines = b'{"Tides": {"moon": {}}}\n{"Winds": {"sun": {}}}\n'
    xmind = zipped(**{"content.json": '[{"title": "s", "rootTopic": {"title": "Tides"}}]'})
    files = (("1.zip", zipped(**{"a.md": "# a"})), ("2.zip", zipped(**{"b.md": "# b", "t.xmind": xmind})))
    assert set(_uploaded((*files, ("l.jsonl", lines)), ())) == {
        "a.md",
        "b.md",
        "t.xmind",
        "l.jsonl: Tides",
        "l.jsonl: Winds",
    }
    assert set(_uploaded((("l.jsonl", lines),), ())) == {"Tides", "Winds"}
    assert set(_uploaded((("t.xmind", xmind),), ())) == {"t.xmind"}
    with pytest.raises(MapFormatError, match=r"two of the maps are called 'a\.md'; rename one"):
        _uploaded((files[0], ("a.md", b"# other")), ())
    with pytest.raises(MapFormatError, match=r"'bad\.json' can't be read: line 1, column 7"):
        _uploaded((("bad.json", b'{"a": '),), {"bad.json"})


@pytest.mark.thorough
def test_a_single_pair_gets_no_p_value(page):
    judged(page, "left,right,score,mine\nbaikal/base.json,baikal/meaning_1.json,1,0.5")
    press(page, "judgements-start")
    assert not page.exception
    assert "A single pair has no correlation and no p-value" in page.info[0].value
    assert page.dataframe[0].value["p"].isna().all()
    assert len(page.dataframe) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("left,score\na,1", "the table needs left and right"),
        ("left,right,score\nnowhere.json,baikal/base.json,1", 'names the map "nowhere'),
    ],
)
def test_what_is_wrong_with_a_table_is_said(page, text, message):
    judged(page, text)
    if not page.error:
        press(page, "judgements-start")
    assert not page.exception
    assert message in page.error[0].value.replace("\\", "")


@pytest.mark.thorough
def test_the_example_is_a_table_that_can_be_read():
    example = read_judged_pairs(example_table().encode())
    assert len(example.pairs) >= 7 * 9
    assert min(example.scores) >= 0
    assert max(example.scores) == 5


def test_no_cell_of_an_export_is_a_formula(page):
    del page

    assert csv_text(("measure", "p"), [("=1+1", -0.5)]) == "measure,p\n'=1+1,-0.5\n"
    assert csv_text(("=m", "-p;@q"), [("a;=1+1", 1)]) == "'=m,'-p;'@q\na;'=1+1,1\n"
