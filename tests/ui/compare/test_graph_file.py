"""The graph as a file: every node and link once; it makes no requests and runs no code of the texts."""

import os
import re
from itertools import pairwise

import pytest
from helpers.browser import CHROMIUM, INSTALL_CHROMIUM
from helpers.encoders import hashed

from tted_core import TextTree, compare
from ui.compare.graph_file import mapping_html

LEFT = TextTree(("r", "a", "b", "c"), (-1, 0, 1, 0))
RIGHT = TextTree(("r", "c", "a", "b", "new"), (-1, 0, 0, 2, 0))


@pytest.fixture(scope="module")
def comparison():
    return compare(LEFT, RIGHT, encoder=hashed)


def test_every_node_and_every_link_is_in_the_graph_once(comparison):
    html = mapping_html(comparison.explain())
    for side, tree in (("left", LEFT), ("right", RIGHT)):
        for number in range(len(tree)):
            assert len(re.findall(f'"id": "{side}-{number}"', html)) == 1
    count = comparison.explain().matching.counts
    pairs = sum(count[status] for status in ("same", "reworded", "moved"))
    assert html.count('"dashes": [6, 4]') == pairs
    assert html.count('"to": "') == len(LEFT) - 1 + len(RIGHT) - 1 + pairs


def test_the_page_asks_for_nothing(comparison):
    html = mapping_html(comparison.explain())
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", html)
    assert "vis-network" in html


@pytest.mark.parametrize(
    "text",
    [
        "</script><script>window.hit=1</script>",
        "<img src=x onerror=hit()>",
        "a href here",
        "{{ 7 * 7 }}",
        "{% x %}",
    ],
)
def test_texts_are_data_in_the_page(text):
    tree = TextTree(("root", text), (-1, 0))
    body = mapping_html(compare(tree, tree, encoder=hashed).explain()).split("const nodes", 1)[1]
    assert "<script>window" not in body
    assert "<img" not in body
    assert ">49" not in body
    assert " 49" not in body


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason=INSTALL_CHROMIUM)
def test_no_boxes_overlap(browser, tmp_path):
    words = " and a sentence that is as long as those of ordinary maps are, or longer"
    texts = [
        *(words[: 11 * number] for number in range(8)),
        "茶是中国人日常生活中最常见的饮料，已有几千年的历史。",
        "שלום עולם " * 5,
    ]
    labels = tuple(f"{texts[number % 10]} {number}" for number in range(100))
    tree = TextTree(labels, (-1, *(0,) * 99))
    file = tmp_path / "graph.html"
    file.write_text(mapping_html(compare(tree, tree, encoder=hashed).explain()), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    boxes = page.evaluate("nodes.map((node) => [node.column, network.getBoundingBox(node.id)])")
    page.close()
    for (column, above), (other, below) in pairwise(
        sorted(boxes, key=lambda each: (each[0], each[1]["top"]))
    ):
        assert above["right"] - above["left"] < 180
        assert column != other or below["top"] - above["bottom"] > 4
