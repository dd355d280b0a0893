"""The first minute on the Compare page: the page requests two maps, and compares only the user's."""

import pytest
from helpers.pages import address, opened, shown, unfold
from streamlit.testing.v1 import AppTest

ONE, TWO = "Root\n  one leaf", "Root\n  another leaf\n  and one more"


@pytest.fixture
def page(encoded: list[str]) -> AppTest:
    return opened()


def cards(app: AppTest) -> list[str]:
    assert not app.exception
    return [each.label.replace("\\", "").replace("*", "") for each in app.expander[:2]]


def drop(app: AppTest, *names: str) -> AppTest:
    number = app.session_state["both-number"]
    files = [(name, f"Root\n  leaf of {name}".encode(), "text/plain") for name in names]
    return app.file_uploader(key=f"both-{number}").set_value(files).run()


EXAMPLE = ["Example: base.json", "Example: demo.json"]


def test_the_page_opens_with_a_drop_zone_and_a_finished_example(page):
    assert page.file_uploader(key="both-0").label.startswith("Drop two maps")
    assert cards(page) == EXAMPLE
    assert [page.session_state[f"{side}-card"] for side in ("left", "right")] == [False, False]
    assert [page.text_area(key=f"{side}-text").value for side in ("left", "right")] == ["", ""]
    assert page.metric
    assert address(page) == {}


def test_two_pasted_maps_take_four_actions_and_nothing_else_is_compared(page, encoded):
    page.button(key="paste-maps").click().run()
    assert [page.session_state[f"{side}-card"] for side in ("left", "right")] == [True, True]
    assert page.metric, "the example stays until a map is given"
    encoded.clear()
    page.text_area(key="left-text").set_value(
        ONE
    ).run()  # the first map; the click into the other box reads it
    assert cards(page) == ["Left map: pasted text · Indented text · 2 nodes", "Right map: nothing yet"]
    assert "**Add the right map**" in shown(page)
    assert not page.metric
    assert not page.code
    assert encoded == [], "not a text is encoded"
    page.text_area(key="right-text").set_value(TWO).run()  # the second map, and the button or Ctrl+Enter
    assert cards(page)[1] == "Right map: pasted text · Indented text · 3 nodes"
    assert page.metric
    assert not page.warning
    assert not any("leaf" in text and "reef" in text for text in encoded)
    assert [page.session_state[f"{side}-card"] for side in ("left", "right")] == [False, False]


@pytest.mark.thorough
def test_a_single_file_goes_where_a_map_is_missing(page):
    drop(page, "a.txt")
    assert [card.split(" ·")[0] for card in cards(page)] == ["Left map: a.txt", "Right map: nothing yet"]
    assert not page.metric
    drop(page, "b.txt")
    assert cards(page)[1].startswith("Right map: b.txt")
    assert page.metric


def test_swapping_exchanges_all_that_belongs_to_a_map_and_twice_is_as_before(page):
    page.text_area(key="left-text").set_value("# Root\n- leaf").run()
    page.selectbox(key="left-format").set_value("indented").run()
    drop(page, "b.txt")
    before, signature = cards(page), page.code[0].value
    page.button(key="swap").click().run()
    assert [card.split(": ")[1] for card in cards(page)] == [card.split(": ")[1] for card in reversed(before)]
    assert unfold(page, "right").selectbox(key="right-format").value == "indented"
    assert page.code[0].value != signature
    page.button(key="swap").click().run()
    assert cards(page) == before
    assert page.code[0].value == signature


def test_the_side_that_is_missing_is_named(page):
    page.button(key="paste-maps").click().run()
    assert "**Add the left map and the right map**" in shown(page)
    page.text_area(key="left-text").set_value(ONE).run()
    page.button(key="compare-now").click().run()
    assert "**Add the right map**" in shown(page)
