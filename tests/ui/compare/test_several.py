"""One map against several on the Compare page: dropped at once, sorted, looked at one by one, linked, saved."""

import pytest
from helpers.pages import address, opened
from streamlit.testing.v1 import AppTest

from ui.compare import several

TEXTS = {
    "far.txt": "Trunk\n  something else\n  and more",
    "reference.txt": "Root\n  one leaf\n  another leaf",
    "broken.json": '{"Root": [',
    "near.txt": "Root\n  one leaf\n  another leaf",
}


def drop(app: AppTest, *files: tuple[str, str]) -> AppTest:
    uploader = app.file_uploader(key=f"both-{app.session_state['both-number']}")
    return uploader.set_value([(name, text.encode(), "text/plain") for name, text in files]).run()


def cards(app: AppTest) -> list[str]:
    assert not app.exception
    return [each.label.replace("\\", "").replace("*", "").split(" ·")[0] for each in app.expander[:2]]


def table(app: AppTest) -> list[list[object]]:
    return next(each.value for each in app.dataframe if "Map" in each.value).to_numpy().tolist()


@pytest.fixture
def page(hashed_models: None) -> AppTest:
    return drop(opened(), *TEXTS.items())


def test_the_reference_is_the_left_map_and_the_others_are_sorted_by_their_distance(page):
    assert cards(page) == ["Left map: reference.txt", "Right map: far.txt (1 of 2)"]
    near, far, broken = table(page)
    chips = [each.replace("\\", "") for each in page.radio(key="several-map").options]
    assert chips == ["near.txt **0.000**", f"far.txt **{far[1]:.3f}**"]
    assert near[:4] == ["near.txt", 0.0, 0.0, 1.0]
    assert far[0] == "far.txt"
    assert broken[0] == "broken.json"
    assert "line 1" in broken[-1]
    assert not page.error, "the error of one file costs that file only"


def test_one_click_looks_at_another_and_its_link_brings_all_back(page):
    page.radio(key="several-map").set_value(2).run()
    assert cards(page)[1] == "Right map: near.txt (2 of 2)"
    assert address(page)["right_sheet"] == "2"
    again = opened(**address(page))
    assert cards(again)[1] == "Right map: near.txt (2 of 2)"
    assert [row[:5] for row in table(again)] == [row[:5] for row in table(page)[:2]]


@pytest.mark.thorough
def test_each_score_is_that_of_the_pair_alone(page):
    far = next(row for row in table(page) if row[0] == "far.txt")
    shown = {each.label: each.value for each in page.metric}
    assert f"{far[1]:.3f}" == shown["Normalized distance ↓"]
    assert f"{far[2]:.4f}" == shown["TTED ↓"]
    assert f"{far[3]:.0%}" == shown["Coverage"]


@pytest.mark.thorough
def test_files_of_one_name_are_numbered(hashed_models):
    page = drop(
        opened(), ("a.txt", TEXTS["near.txt"]), ("b.txt", TEXTS["near.txt"]), ("b.txt", TEXTS["far.txt"])
    )
    assert cards(page) == ["Left map: a.txt", "Right map: b (2).txt (1 of 2)"]
    assert [row[0] for row in table(page)] == ["b.txt", "b (2).txt"]


@pytest.mark.thorough
def test_too_many_maps_are_refused_and_the_comparison_stays(hashed_models, monkeypatch):
    monkeypatch.setattr(several, "SEVERAL", 1)
    page = drop(opened(), *TEXTS.items())
    assert "2 maps on the right side, but the limit is 1" in page.error[0].value
    assert page.metric
