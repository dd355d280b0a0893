"""Both readings: unchanged stretches fold, changes and what is above them don't; every node once; files' names."""

import re

import pytest
from helpers.encoders import hashed
from helpers.trees import tree_of, trees
from hypothesis import given

from tted_core import MindMap, TextTree, compare
from tted_core.report.html_report import file_stem, html_report
from tted_core.report.readings import MANY, read_script, read_sentences
from tted_core.report.replay import replay_json

NAMES = [f"x{number}" for number in range(MANY)]
LEFT = f"r(a({' '.join(NAMES)}) b(c(d)))"
RIGHT = f"r(a({' '.join(NAMES)} d) b(c))"


def test_unchanged_stretches_fold_between_changes_and_what_is_above_them():
    result = compare(tree_of(LEFT), tree_of(RIGHT), encoder=hashed)
    blocks = read_sentences(result.explain()).blocks
    assert [can_fold for _, can_fold in blocks] == [False, True, False]
    first, stretch, last = (rows for rows, _ in blocks)
    assert [row.cells[0].node.index for row in first] == [0, 1]
    assert len(stretch) == MANY
    (end,) = [row.cells[1] for row in last if row.cells[0] is None]
    (start,) = [row.cells[0] for row in last if row.cells[1] is None]
    assert start.goal == (end.node, "moved to", "below", "a")
    assert end.goal == (start.node, "moved from", "below", "c")
    content = html_report(result.explain())
    assert f"<details><summary>{MANY} unchanged</summary>" in content
    assert f'href="#r{end.node.index}">moved to below “a”' in content
    assert f'href="#l{start.node.index}">moved from below “c”' in content
    nowhere = set(re.findall(r'href="#([^"]+)"', content)) - set(re.findall(r' id="([^"]+)"', content))
    assert not nowhere, "every position that changes and moves lead to is there"
    assert "Moving the sentence" in content


def test_small_maps_are_shown_whole():
    result = compare(tree_of("r(a b)"), tree_of("r(a c)"), encoder=hashed)
    assert [can_fold for _, can_fold in read_sentences(result.explain()).blocks] == [False]
    assert "unchanged</summary>" not in html_report(result.explain())


@pytest.mark.parametrize("order", ["ordered", "constrained", "unordered"])
@pytest.mark.parametrize("read", [read_script, read_sentences])
@given(left=trees(), right=trees())
def test_each_node_has_one_row_and_each_line_one_amount(read, order, left, right):
    reading = read(compare(left, right, encoder=hashed, order=order).explain())
    nodes = [node for row in reading.rows for node in row.nodes]
    assert len(nodes) == len(set(nodes)) == len(left) + len(right)
    for place in ("is_first", "is_last"):
        shown = [row.line.number for row in reading.rows if getattr(row, place)]
        assert sorted(shown) == list(range(len(reading.lines)))


@pytest.mark.parametrize(
    ("left", "right", "stem"),
    [
        ("coral-reefs/base.json", "коралл v2.mm", "coral-reefs-base--коралл-v2"),
        (None, "../..", "left--right"),
        ("a" * 90, 'con: <"b">|?*', f"{'a' * 40}--con-b"),
    ],
)
def test_files_are_named_after_both_maps(left, right, stem):
    maps = (MindMap(tree_of("r"), "tree", name=name) for name in (left, right))
    assert file_stem(compare(*maps, encoder=hashed)) == stem


def test_a_report_of_a_hundred_nodes_is_smaller_than_300_kb():
    """With sentences of 60 characters, of which every other one changed, and a replay file."""
    words = [f"a sentence of ordinary length about the number {number:03}" for number in range(100)]
    trees = (
        TextTree(
            tuple(f"{word}, {tail if number % 2 else 'x'}" for number, word in enumerate(words)), parents
        )
        for tail in ("as one says it", "as others say it")
        for parents in [(-1, *(number - number % 5 for number in range(99)))]
    )
    maps = [MindMap(tree, "tree", name="map") for tree in trees]
    explanation = compare(*maps, encoder=hashed).explain()
    assert len(html_report(explanation, replay_json(*maps, explanation)).encode()) < 300_000
