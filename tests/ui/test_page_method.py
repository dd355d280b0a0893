"""The Method page, and the picture of the orders on it."""

import re
from xml.etree import ElementTree as ET

import pytest
from helpers.encoders import hashed, sentence_encoder
from helpers.pages import opened

from tted_core import compare
from tted_core.learn.mappings import letter_solutions, list_pairs
from tted_core.learn.tree_picture import tree_picture
from tted_core.solvers import SOLVERS
from ui import models
from ui.learn.method import EXAMPLE, INTRODUCTION, LEFT, RIGHT
from ui.learn.reefs import example

DISTANCES = {"ordered": 5, "constrained": 3, "unordered": 1}


@pytest.fixture
def without_model(monkeypatch):
    monkeypatch.setattr(models, "encoder", lambda _name: sentence_encoder())


def test_a_student_reads_a_page_of_nine_hundred_words_with_a_figure_a_section():
    text = INTRODUCTION.read_text(encoding="utf-8")
    assert 700 <= len(text.split()) <= 950
    figures = [re.findall(r"<!-- figure: (\w+) -->", part) for part in text.split("## ")[1:]]
    assert all(len(each) == 1 for each in figures)
    assert [name for each in figures for name in each] == [
        "mapping", "cost_curve", "worked", "orders", "normalized", "shares", "scale",
    ]  # fmt: skip


def test_the_worked_example_sums_to_the_distance_of_compare(without_model):
    page = opened("Method")
    comparison = compare(*example(EXAMPLE), encoder=hashed)
    shown = " ".join(each.value for each in page.latex)
    assert f"= {comparison.tted:.4f}" in shown
    assert f"= {comparison.normalized:.4f}" in shown
    (scale,) = (each.proto.body for each in page.get("html") if "no sentence kept" in each.proto.body)
    assert f"Normalized distance {comparison.normalized:.3f} on a scale" in scale


@pytest.mark.thorough
def test_proofs_and_other_measures_are_a_switch_away():
    page = opened("Method", full="yes")
    text = " ".join(each.value for each in page.markdown)
    for word in (
        "They keep the metric",
        "cosine",
        "ancestors",
        "Steinhaus",
        "rouge_sim_published",
        "References",
    ):
        assert word in text


def test_the_orders_have_three_different_distances():
    found = {order: solution.upper for order, solution in letter_solutions(LEFT, RIGHT).items()}
    assert found == DISTANCES


@pytest.mark.parametrize("order", SOLVERS)
@pytest.mark.parametrize("dark", [False, True])
def test_the_picture_shows_every_node_and_a_line_of_its_own_for_each_pair(order, dark):
    mapping = letter_solutions(LEFT, RIGHT)[order].mapping
    root = ET.fromstring(tree_picture((LEFT, RIGHT), mapping, dark=dark, title=order))
    circles = [each for each in root.iter() if each.tag.endswith("circle")]
    assert len(circles) == len(LEFT) + len(RIGHT)
    lines = [each for each in root.iter() if each.tag.endswith("path")]
    assert len(lines) == len(list_pairs(mapping)) == len({each.get("stroke") for each in lines})
    # The lowest point of a line: no two of a row hang equally low.
    hanging = [
        (re.findall(r"[\d.]+", each.get("d"))[-1], re.findall(r"[\d.]+", each.get("d"))[3]) for each in lines
    ]
    assert len(hanging) == len(set(hanging))
