"""Both readings: unchanged stretches fold, every node once; their receipts come to the distance."""

import math
import re

import pytest
from helpers.encoders import hashed
from helpers.trees import sample, tree_of, trees
from hypothesis import given

from tted_core import MindMap, TextTree, compare
from tted_core.method import PRESETS
from tted_core.report.html_report import file_stem, html_report
from tted_core.report.readings import MANY, read_script, read_sentences
from tted_core.report.replay import replay_json
from tted_core.script import GLYPHS, Unit

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


@pytest.mark.parametrize("preset", PRESETS)
@given(left=trees(), right=trees())
def test_both_readings_come_to_the_distance_in_the_unit_of_the_preset(preset, left, right):
    """Costs come to the distance, shares of d^p to 1; never the one under the name of the other."""
    result = compare(left, right, encoder=hashed, preset=preset)
    exact = PRESETS[preset]["power"] == 1
    whole = result.tted if exact else float(result.tted > 0)
    script, sentences = (read(result.explain()) for read in (read_script, read_sentences))
    assert [line.amount for line in script.lines] == [script.unit.amount(op.cost) for op in result.script.ops]
    for reading in (script, sentences):
        assert reading.unit.name == ("cost" if exact else "share of d^8")
        assert sorted(line.number for line, _ in reading.receipt) == list(range(len(reading.lines)))
        amounts = [line.amount for line, _ in reading.receipt]
        assert amounts == sorted(amounts, reverse=True)
        assert [running for _, running in reading.receipt] == [
            math.fsum(amounts[:count]) for count in range(1, len(amounts) + 1)
        ]
        assert reading.whole == pytest.approx(whole, rel=1e-9)
        parts = reading.by_kind.values()
        assert math.fsum(part.amount for part in parts) == pytest.approx(whole, rel=1e-9)
        assert sum(part.count for part in parts) == len(reading.lines)
        assert math.fsum(part.share for part in parts) == pytest.approx(float(whole > 0))
    if exact:
        assert script.receipt[-1][1] == result.tted
    assert {kind: part.count for kind, part in script.by_kind.items()} == {
        kind: result.script.count(kind) for kind in GLYPHS
    }


def test_a_unit_by_hand():
    costs, shares = Unit(1.0, 7.0), Unit(2.0, 5.0)
    assert (costs.amount(3.0), costs.amount(3.0, 4.0), costs.text(3.0), costs.text(3.0, 2)) == (
        3.0,
        7.0,
        "3.0000",
        "3.00",
    )
    assert (shares.amount(3.0), shares.amount(4.0)) == (pytest.approx(0.36), pytest.approx(0.64))
    assert shares.amount(3.0, 4.0) == 1.0
    assert (shares.text(0.36), shares.name, shares.total) == ("36.0 %", "share of d^2", "d^2")
    assert Unit(8.0, 0.0).amount() == 0.0


def test_maps_compared_by_shares_show_no_cost_in_a_report():
    result = compare(
        sample("coral-reefs/base"), sample("coral-reefs/demo"), encoder=hashed, preset="proofreading"
    )
    page = html_report(result.explain())
    table = page[page.index('<h2 id="receipt">') :]
    assert "the shares add up and the costs themselves don't" in table
    assert ">cost</th>" not in page
    assert "100.0 %" in table
    shares = [op["share"] for op in result.to_dict()["script"]]
    assert math.fsum(shares) == pytest.approx(1.0)
