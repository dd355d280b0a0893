"""One map against several on the Compare page: dropped at once, sorted, looked at one by one, linked, saved."""

from dataclasses import replace

import pytest
from helpers.monitors import recording
from helpers.pages import address, all_scores, opened
from streamlit.testing.v1 import AppTest

from tted_core import parse_map
from tted_core.method import Method
from ui.compare import several
from ui.map_source import Given, read_all

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


@pytest.mark.usefixtures("hashed_models")
def test_maps_that_were_compared_before_it_was_stopped_are_kept():
    maps = [parse_map(text) for name, text in TEXTS.items() if name.endswith("txt")]
    stages: list[tuple[str, float]] = []
    monitor = recording(stages, lambda: any("map 2" in stage for stage, _ in stages))
    assert len(several.compare_each(maps[1], maps, Method(), monitor)) == 1


@pytest.fixture
def page(hashed_models: None) -> AppTest:
    return drop(opened(), *TEXTS.items())


def test_the_nearest_map_is_shown_and_a_file_that_cannot_be_read_is_named_with_its_reason(page):
    assert cards(page) == ["Left map: reference.txt", "Right map: near.txt (2 of 2)"]
    near, far = table(page)
    chips = [each.replace("\\", "") for each in page.radio(key="several-map").options]
    assert chips == ["near.txt **0.000**", f"far.txt **{far[1]:.3f}**"]
    assert near[:4] == ["near.txt", 0.0, 0.0, 1.0]
    (warning,) = page.warning
    assert "1 file can't be read:  \nbroken.json: line 1" in warning.value.replace("\\", "")
    assert not page.error, "the error of one file costs that file only"


def test_one_click_looks_at_another_and_its_link_brings_all_back(page):
    page.radio(key="several-map").set_value("far.txt").run()
    assert cards(page)[1] == "Right map: far.txt (1 of 2)"
    again = opened(**address(page))
    assert cards(again) == cards(page)
    assert table(again) == table(page)
    assert again.warning[0].value == page.warning[0].value


def test_another_map_can_be_the_reference(page):
    page.selectbox(key="several-reference").select_index(1).run()
    assert cards(page) == ["Left map: far.txt", "Right map: reference.txt (1 of 2)"]
    assert page.warning, "the file that can't be read stays named"


def test_another_reference_drops_no_map_of_the_left_side(page):
    left, right = (read_all(page.session_state[side]) for side in ("left", "right"))
    spare = replace(left.shown, name="spare.txt")
    page.session_state["left"] = Given((*left.maps, spare), (("bad.txt", "empty"),))
    page.run()
    page.selectbox(key="several-reference").select_index(1).run()
    assert not page.exception
    now = page.session_state["left"]
    names = [each.name for each in (*now.maps, *page.session_state["right"].maps)]
    assert sorted(names) == sorted(["spare.txt", left.shown.name, *(each.name for each in right.maps)])
    assert now.unread == (("bad.txt", "empty"),)


@pytest.mark.thorough
def test_each_score_is_that_of_the_pair_alone(page):
    page.radio(key="several-map").set_value("far.txt").run()
    far = next(row for row in table(page) if row[0] == "far.txt")
    shown = {each.label: each.value for each in page.metric}
    assert f"{far[1]:.3f}" == shown["Normalized distance ↓"]
    assert f"{far[2]:.4f}" == shown["TTED ↓"]
    assert f"{far[3]:.0%}" == all_scores(page)["Coverage"]


@pytest.mark.thorough
def test_too_many_maps_are_refused_and_the_comparison_stays(hashed_models, monkeypatch):
    monkeypatch.setattr(several, "SEVERAL", 1)
    page = drop(opened(), *TEXTS.items())
    assert "2 maps on the right side, but the limit is 1" in page.error[0].value
    assert page.metric
