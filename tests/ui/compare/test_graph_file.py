"""The graph as a file: every node and link once; it makes no requests and runs no code of the texts."""

import json
import re
from itertools import pairwise

import pytest
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


def test_no_boxes_overlap():
    words = " and a sentence that is as long as those of ordinary maps are, or longer"
    tree = TextTree(tuple(f"{number}{words[: 11 * (number % 8)]}" for number in range(100)), (-1, *(0,) * 99))
    html = mapping_html(compare(tree, tree, encoder=hashed).explain())
    nodes = json.loads(re.search(r"const nodes = (.*);\n", html)[1])
    for side in ("left", "right"):
        boxes = sorted(
            (node["y"], node["label"].count("\n") + 1) for node in nodes if node["id"].startswith(side)
        )
        for (y, lines), (z, below) in pairwise(boxes):
            assert z - y >= (lines + below) / 2 * 16 + 12
