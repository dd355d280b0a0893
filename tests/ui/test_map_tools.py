"""Editing a map as text: what comes back is the same map."""

import pytest
from helpers.pages import SAMPLE_PAIR, opened
from helpers.paths import ROOT
from helpers.thorough import sampled
from hypothesis import given
from hypothesis import strategies as st

from tted_core import TextTree, parse_map, read_map
from ui.map_tools import editable_text

LABELS = [
    "plain",
    "- a bullet",
    "# a heading",
    "1. a number",
    "{json}",
    "├── a box",
    "```",
    "a\tb",
    "",
    "*",
    "x: y",
]


@pytest.mark.parametrize(
    "path", sampled(sorted((ROOT / "sample_trees").glob("*/base.json")), 3), ids=lambda path: path.parent.name
)
def test_our_maps_are_edited_as_outlines(path):
    tree = read_map(path).tree
    text, chosen = editable_text(tree)
    assert chosen is None
    assert parse_map(text).format == "indented"
    assert parse_map(text).tree == tree


@given(st.lists(st.sampled_from(LABELS), min_size=1, max_size=4))
def test_awkward_labels_come_back_unchanged(labels):
    read = parse_map(read_back(TextTree(tuple(labels), (-1, *range(len(labels) - 1)))), format="json").tree
    text, chosen = editable_text(read)
    assert parse_map(text, format=chosen).tree == read


def read_back(tree: TextTree) -> str:
    """The tree as JSON; reading it cleans the labels, as for any map on the page."""
    from tted_core.formats import map_text

    return map_text(tree, "json")[0]


@pytest.mark.thorough
def test_the_button_puts_the_map_into_the_paste_tab(monkeypatch):
    monkeypatch.setattr("ui.cache.start_warming_up", lambda: None)
    page = opened(**SAMPLE_PAIR)
    before = page.expander[0].label
    page.button(key="left-edit").click().run()
    assert not page.exception
    assert page.text_area(key="left-text").value.startswith("Coral reefs are living structures")
    assert "pasted text" in page.expander[0].label
    assert before.split("·")[-1] == page.expander[0].label.split("·")[-1]  # as many nodes
    edited = page.text_area(key="left-text").value + "\n  One more branch"
    page.text_area(key="left-text").set_value(edited).run()
    assert "15 nodes" in page.expander[0].label
