"""The Learn page, part by part."""

import json
from pathlib import Path

import pytest
from helpers.encoders import sentence_encoder
from streamlit.testing.v1 import AppTest

from tted_core.teaching.orders import RANKINGS, separating_pair
from ui import cache
from ui.learn import PARTS
from ui.learn.steps import EXAMPLES

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def no_model(monkeypatch):
    """The page's own wiring is tested here, not the model."""
    monkeypatch.setattr(cache, "encoder", lambda _name: sentence_encoder())


def open_page(**parameters):
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page("pages/Learn.py")
    for name, value in parameters.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def player(page):
    """What the step player was given."""
    return next(
        json.loads(each.proto.json) for each in page.get("bidi_component") if "zhang" in str(each.proto)
    )


def texts(page):
    return " ".join(each.value for kind in (page.markdown, page.caption) for each in kind)


@pytest.mark.parametrize("part", PARTS)
def test_every_part_opens_by_its_link(part):
    page = open_page(part=part)
    assert not page.error
    assert page.session_state["part"] == part


def test_the_player_ends_at_the_ordered_distance():
    page = open_page()
    assert "D(5, 5) = 2; the solver of the Compare page, order “ordered”, says 2." in texts(page)
    steps = player(page)["steps"]
    assert steps[-1]["text"].endswith("D(5, 5) = 2, the ordered tree edit distance.")


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_example_can_be_taken(name):
    page = open_page()
    page.selectbox(key="example").select(name).run()
    assert not page.exception
    assert (page.session_state["left_tree"], page.session_state["right_tree"]) == EXAMPLES[name]
    assert page.selectbox(key="example").value == name


def test_a_link_brings_trees_and_costs():
    page = open_page(left_tree="x\n  y", right_tree="x", costs="minilm")
    assert page.selectbox(key="example").value == "trees of your own"
    assert [side["labels"] for side in player(page)["sides"]] == [["", "y", "x"], ["", "x"]]
    assert "D(2, 1) = " in texts(page)


def test_too_large_a_tree_is_refused_in_a_sentence():
    page = open_page(left_tree="a\n" + "\n".join("  b" for _ in range(12)))
    assert "13 nodes in the left map" in page.error[0].value


@pytest.mark.parametrize("ranking", RANKINGS, ids="-".join)
def test_the_orders_show_the_solvers_values(ranking):
    page = open_page(part="orders", ranking="-".join(ranking))
    values = separating_pair(ranking).distances
    for order in ranking:
        assert f"#### {order}: {values[order]:g}" in texts(page)
    assert texts(page).count("has no room for") == 2
