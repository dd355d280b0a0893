"""The mapping graph: rows, links, and a page that asks for nothing and runs nothing of the texts."""

import itertools
import re

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from hypothesis import given
from hypothesis import strategies as st

from tted_core import TextTree
from tted_core.explain.alignment import aligned_rows, display_order, longest_chain, paired
from tted_core.explain.correspondence import STATUSES, correspondence, counted_outcomes
from tted_core.explain.mapping_view import MappingView
from ui.mapping.graph import mapping_html
from ui.mapping.graph.mapping_graph import mapping_graph

LEFT = TextTree(("r", "a", "b", "c"), (-1, 0, 1, 0))
RIGHT = TextTree(("r", "c", "a", "b", "new"), (-1, 0, 0, 2, 0))


@pytest.fixture(scope="module")
def comparison():
    return compare(LEFT, RIGHT, encoder=hashed)


def test_every_operation_is_in_the_graph_once(comparison):
    graph = mapping_graph(comparison)
    assert graph.number_of_nodes() == len(LEFT) + len(RIGHT)
    kinds = [edge["kind"] for _, _, edge in graph.edges(data=True)]
    assert kinds.count("tree") == len(LEFT) - 1 + len(RIGHT) - 1
    count = counted_outcomes(correspondence(comparison))
    assert kinds.count("mapping") == count["same"] + count["reworded"] + count["replaced"]
    assert kinds.count("move") == count["moved"]
    assert graph.graph["counts"] == count
    assert {node["status"] for _, node in graph.nodes(data=True)} <= set(STATUSES)


def test_link_strength_falls_with_the_cost(comparison):
    graph = mapping_graph(comparison)
    for _, _, edge in graph.edges(data=True):
        if edge["kind"] == "mapping":
            assert 0 <= edge["strength"] <= 1
            assert (edge["strength"] == 1) == (edge["cost"] == 0)


def test_rows_keep_both_orders_and_every_node(comparison):
    order = display_order(comparison, paired(comparison))
    rows = aligned_rows(comparison, order, paired(comparison))
    shown = [row[1] for row in rows if row[1] is not None]
    assert [row[0] for row in rows if row[0] is not None] == list(range(len(LEFT)))
    assert shown == order


def test_siblings_are_shown_where_they_match(comparison):
    view = MappingView(comparison)
    assert view.order == [0, 2, 3, 4, 1]
    assert [row for row in view.rows if None in row] == [(None, 4)]
    assert "reordered for display" in mapping_html(comparison, dark=False)


def test_an_ordered_comparison_is_shown_as_it_stands():
    ordered = compare(LEFT, RIGHT, encoder=hashed, order="ordered")
    assert MappingView(ordered).order == list(range(len(RIGHT)))
    assert "reordered for display" not in mapping_html(ordered, dark=False)


@given(st.permutations(range(7)))
def test_the_chain_is_a_longest_one(targets):
    pairs = list(enumerate(targets))
    chain = longest_chain(pairs)
    assert chain == sorted(chain)
    assert [target for _, target in chain] == sorted(target for _, target in chain)
    longest = max(
        len(part)
        for size in range(8)
        for part in itertools.combinations(targets, size)
        if list(part) == sorted(part)
    )
    assert len(chain) == longest


def test_the_page_asks_for_nothing(comparison):
    html = mapping_html(comparison, dark=False)
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
    html = mapping_html(compare(tree, tree, encoder=hashed), dark=True)
    body = html.split("const DATA", 1)[1]
    assert "<script>window" not in body
    assert "<img" not in body
    assert "49" not in body.split("const MARGIN")[0]


def test_long_texts_are_cut_in_the_boxes_only():
    tree = TextTree(("word " * 400,), (-1,))
    html = mapping_html(compare(tree, tree, encoder=hashed), dark=False)
    data = html.split("const DATA", 1)[1]
    (label, *_) = re.findall(r'"label": "(= word[^"]*)"', data)
    assert 200 < len(label) < 260
    assert label.endswith("\\u2026")
