"""The Method page, and the picture of the orders on it."""

from xml.etree import ElementTree as ET

import pytest
from helpers.paths import ROOT
from streamlit.testing.v1 import AppTest

from tted_core.learn.mappings import letters_solution
from tted_core.solvers import SOLVERS
from ui.orders_picture import LEFT, RIGHT, orders_picture

DISTANCES = {"ordered": 5, "constrained": 3, "unordered": 1}


def test_the_page_explains_every_choice():
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page("pages/Method.py").run()
    assert not page.exception
    text = " ".join(each.value for each in page.markdown)
    for word in (
        "ordered",
        "constrained",
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
