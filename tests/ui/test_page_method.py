"""The Method page, and the picture of the orders on it."""

import re
from xml.etree import ElementTree as ET

import pytest
from helpers.encoders import hashed, sentence_encoder
from helpers.paths import ROOT
from streamlit.testing.v1 import AppTest

from tted_core import compare
from tted_core.learn.mappings import letters_solution
from tted_core.solvers import SOLVERS
from ui.learn.method import EXAMPLE, FIGURES, LEFT, RIGHT, TEXT, orders_picture
from ui.learn.start import example
from ui.processes import loading

DISTANCES = {"ordered": 5, "constrained": 3, "unordered": 1}


@pytest.fixture
def without_model(monkeypatch):
    monkeypatch.setattr(loading, "encoder", lambda _name: sentence_encoder())


def open_page(**parameters):
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).switch_page("pages/Method.py")
    for name, value in parameters.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    assert not page.error
    return page


def test_a_student_reads_a_page_of_nine_hundred_words_with_a_figure_a_section():
    text = TEXT.read_text(encoding="utf-8")
    assert 700 <= len(text.split()) <= 950
    figures = [re.findall(r"<!-- figure: (\w+) -->", part) for part in text.split("## ")[1:]]
    assert all(len(each) == 1 for each in figures)
    assert [name for each in figures for name in each] == [*FIGURES, "scale"]


def test_the_worked_example_adds_up_to_what_compare_says(without_model):
    page = open_page()
    comparison = compare(*example(EXAMPLE), encoder=hashed)
    shown = " ".join(each.value for each in page.latex)
    assert f"= {comparison.tted:.4f}" in shown
    assert f"= {comparison.normalized:.4f}" in shown
    scale = [each.proto.body for each in page.get("html") if "sample pairs" in each.proto.body]
    assert len(scale) == 1
    assert f"<b>{comparison.normalized:.3f}</b>" in scale[0]


@pytest.mark.thorough
def test_proofs_and_other_measures_are_a_switch_away():
    page = open_page(full="yes")
    text = " ".join(each.value for each in page.markdown)
    for word in (
        "They keep the metric",
        "cosine",
        "ancestors",
        "Steinhaus",
        "rouge_sim_published",
        "Glossary",
    ):
        assert word in text


@pytest.mark.parametrize("order", SOLVERS)
def test_the_picture_shows_three_different_distances(order):
    assert letters_solution(order, LEFT, RIGHT).upper == DISTANCES[order]


@pytest.mark.parametrize("dark", [False, True])
def test_the_picture_is_well_formed_and_shows_every_node(dark):
    root = ET.fromstring(orders_picture(dark=dark))
    circles = [each for each in root.iter() if each.tag.endswith("circle")]
    assert len(circles) == len(SOLVERS) * (len(LEFT) + len(RIGHT))
