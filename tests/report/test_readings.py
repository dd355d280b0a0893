"""Both readings: unchanged stretches fold, changes and what is above them don't; amounts add up; files' names."""

import re

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import tree_of

from tted_core import MindMap, TextTree
from tted_core.report.html_report import file_stem, html_report
from tted_core.report.readings import MANY, read_script, read_sentences
from tted_core.report.replay import replay_json

NAMES = [f"x{number}" for number in range(MANY)]
LEFT = f"r(a({' '.join(NAMES)}) b(c(d)))"
RIGHT = f"r(a({' '.join(NAMES)} d) b(c))"
CROSSED = ("r(a(b c(d)) e(f g) h)", "r(e(g f) x(a(c b)) y)")


def test_unchanged_stretches_fold_between_changes_and_what_is_above_them():
    result = compare(tree_of(LEFT), tree_of(RIGHT), encoder=hashed)
    blocks = read_sentences(result.explain()).blocks
    assert [block.unchanged for block in blocks] == [0, MANY, 0]
    first, stretch, last = blocks
    assert [line.cells[0].node.index for line in first.lines] == [0, 1]
    assert len(stretch.lines) == MANY
    (end,) = [line.cells[1] for line in last.lines if line.cells[0] is None]
    (start,) = [line.cells[0] for line in last.lines if line.cells[1] is None]
    assert (start.partner, end.partner) == (end.node, start.node)
    content = html_report(result.explain())
    assert f"<details><summary>{MANY} unchanged</summary>" in content
    assert f'href="#r{end.node.index}">moved to below “a”' in content
    assert f'href="#l{start.node.index}">moved from below “c”' in content
    nowhere = set(re.findall(r'href="#([^"]+)"', content)) - set(re.findall(r' id="([^"]+)"', content))
    assert not nowhere, "every position that changes and moves lead to is there"
    assert "Moving the sentence" in content


def test_small_maps_are_shown_whole():
    result = compare(tree_of("r(a b)"), tree_of("r(a c)"), encoder=hashed)
    assert [block.unchanged for block in read_sentences(result.explain()).blocks] == [0]
    assert "unchanged</summary>" not in html_report(result.explain())


@pytest.mark.parametrize("order", ["ordered", "constrained", "unordered"])
def test_the_amounts_of_the_script_come_to_the_distance_and_each_node_has_one_line(order):
    result = compare(tree_of(CROSSED[0]), tree_of(CROSSED[1]), encoder=hashed, order=order)
    reading = read_script(result.explain())
    assert sum(float(line.amount or 0) for line in reading.lines) == pytest.approx(result.tted, abs=0.05)
    shown = [node for line in reading.lines for node in line.nodes]
    assert len(shown) == len(set(shown)) == len(result.left.tree) + len(result.right.tree)
    assert sum(bool(line.amount) for line in reading.lines) == len(result.script.ops)
    assert reading.counts == {kind: result.script.count(kind) for kind in reading.counts}


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
