"""The map cards keep the import options of a map, and reset those of another."""

import json

import pytest
from helpers.pages import opened, paste, upload
from streamlit.testing.v1 import AppTest

MAP = json.dumps({"Root": {"first": {}, "second": {}}})


@pytest.fixture
def page(hashed_models: None) -> AppTest:
    return opened()


def file(name: str, text: str) -> tuple[str, bytes, str]:
    return name, text.encode(), "text/plain"


def card(app: AppTest) -> str:
    assert not app.exception
    return app.expander[0].label.replace("\\", "")


@pytest.mark.thorough
def test_a_format_is_forgotten_with_the_text_it_was_chosen_for(page):
    paste(page, "# Root\n  - child")
    page.selectbox(key="left-format").set_value("indented").run()
    assert page.dataframe[0].value["Node"][0] == "# Root"
    upload(page, file("map.json", MAP))
    assert "3 nodes" in card(page)
    page.selectbox(key="left-format").set_value("indented").run()
    assert "· 1 node" in card(page)
    upload(page, file("other.json", MAP))
    assert "3 nodes" in card(page)
    page.session_state["left-source"] = "Sample"
    page.run()
    page.selectbox(key="left-format").set_value("json").run()
    page.selectbox(key="left-file").set_value("base.md").run()
    assert not page.error
    assert page.selectbox(key="left-format").value is None


@pytest.mark.thorough
def test_a_map_edited_as_text_keeps_its_format(page):
    paste(page, json.dumps({"- Root": {"# twig": {}}}))
    page.button(key="left-edit").click().run()
    assert "2 nodes" in card(page)
    assert page.selectbox(key="left-format").value is not None
    paste(page, page.text_area(key="left-text").value.replace("twig", "leaf"))
    assert "2 nodes" in card(page)
    page.session_state["left-source"] = "Sample"
    page.run()
    assert not page.error
    assert "14 nodes" in card(page)


@pytest.mark.thorough
def test_the_chosen_file_stays_when_another_is_removed(page):
    files = [file(f"{name}.txt", f"Root\n  of {name}") for name in "abc"]
    upload(page, *files)
    page.selectbox(key="left-sheet").set_value(2).run()
    assert page.dataframe[0].value["Node"][1].strip() == "of b"
    upload(page, *files[1:])
    assert page.dataframe[0].value["Node"][1].strip() == "of b"
    upload(page, files[0], files[2])
    assert page.dataframe[0].value["Node"][1].strip() == "of a"


def test_a_pasted_map_is_kept_when_the_user_returns_by_an_address(page):
    paste(page, "Root\n  leaf")
    page.number_input(key="depth").set_value(2).run()
    assert page.query_params["depth"] == "2"
    address = page.query_params.copy()
    page.switch_page("pages/Method.py").run()
    page.query_params.clear()
    page.switch_page("pages/Compare.py")
    page.query_params.update(address)  # as the browser's Back button has it
    page.run()
    assert "2 nodes" in card(page)
    assert page.text_area(key="left-text").value == "Root\n  leaf"
    assert page.number_input(key="depth").value == 2


@pytest.mark.thorough
def test_an_uploaded_map_is_kept_when_the_user_returns_until_it_is_removed(page):
    upload(page, file("mine.json", MAP))
    page.switch_page("pages/Method.py").run()
    page.switch_page("pages/Compare.py").run()
    assert "mine.json · Nested-dict JSON · 3 nodes" in card(page)
    assert any("Current file: mine" in each.value for each in page.caption)
    upload(page, file("other.txt", "Root\n  leaf"))
    assert "other.txt · Indented text · 2 nodes" in card(page)
    assert not any("Current file" in each.value for each in page.caption)
    upload(page)
    assert "nothing yet" in card(page)  # it stays open, as one that is pasted into while the example is shown
