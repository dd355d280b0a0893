"""Explanations: both readings in objects that hold each other, by hand and for any trees; colours of statuses."""

from itertools import combinations

import pytest
from helpers.encoders import hashed
from helpers.trees import tree_of, trees
from hypothesis import given

from tted_core import compare
from tted_core.explain.build import explain
from tted_core.matching.records import QUIET, STATUSES
from tted_core.report.palette import STYLES


def test_a_move_is_one_sentence_with_two_nodes_and_both_costs():
    left, right = "r(p(x(y) a(b c)) q(z(u v w)))", "r(p(x(y)) q(z(u v w) a(b c)))"
    found = explain(compare(tree_of(left), tree_of(right), encoder=hashed))
    moved = [each for each in found.sentences if each.status == "moved"]
    assert [each.left.label for each in moved] == ["a", "b", "c"]
    for each in moved:
        assert [operation.edit.op for operation in each.operations] == ["delete", "insert"]
        assert found.notes(each) == []
    assert [each.moves_along for each in moved] == [False, True, True]
    (change,) = found.changes
    assert (change.kind, change.sentences, change.cost) == ("moved", moved, found.comparison.tted)


def test_a_sentence_that_the_script_does_not_align_says_why():
    """Two headings exchange some of what is below them: in this order a branch goes to one branch only."""
    left, right = tree_of("r(x(a b) y(c d))"), tree_of("r(z(a c) w(b d))")
    found = explain(compare(left, right, encoder=hashed, order="constrained"))
    apart = [each for each in found.sentences if not each.is_aligned]
    assert apart
    assert {each.status for each in apart} == {"same"}
    notes = {note for each in apart for note in found.notes(each)}
    assert {note.partition(":")[0] for note in notes} == {"not aligned by the script"}


@pytest.mark.parametrize("context", ["none", "ancestors"])
@pytest.mark.parametrize("order", ["ordered", "constrained"])
@given(left=trees(), right=trees())
def test_every_node_has_a_sentence_and_every_change_its_own(order, context, left, right):
    result = compare(left, right, encoder=hashed, order=order, context=context)
    found = explain(result)
    for each in found.sentences:
        assert (each.change is None) == (each.status in QUIET)
        assert each.change is None or (each.change.kind == each.status and each in each.change.sentences)
    charged = [operation for each in found.sentences for operation in each.operations]
    assert sorted(charged, key=id) == sorted(found.operations, key=id)
    assert [operation.edit for operation in found.operations] == list(result.script.ops)
    ends = [node for each in found.sentences for node in each.ends if node]
    assert sorted(ends, key=id) == sorted((node for of in found.nodes for node in of), key=id)
    for of, tree in zip(found.nodes, (left, right), strict=True):
        assert [node.label for node in of] == list(tree.labels)
        assert [node.parent.index if node.parent else -1 for node in of] == list(tree.parents)
        assert [tuple(child.index for child in node.children) for node in of] == list(tree.children)
        assert all(node in node.operation.nodes and node in node.sentence.nodes for node in of)
    count = found.matching.counts
    assert sum(count.values()) - count["extra"] == len(left)
    assert sum(count.values()) - count["missing"] == len(right)
    for side in (0, 1):
        shown = [row[side].index for row in found.rows if row[side]]
        assert sorted(shown) == list(range(len(found.trees[side])))


# Machado, Oliveira and Fernandes 2009, severity 1: what people without one kind of cone see, in linear RGB.
SEEN = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.1523, 1.0526, -0.2049), (0.1145, 0.7863, 0.0992), (-0.0039, -0.0481, 1.0520)),
    "no green": ((0.3673, 0.8606, -0.2280), (0.2801, 0.6725, 0.0474), (-0.0118, 0.0429, 0.9689)),
    "no blue": ((1.2555, -0.0767, -0.1788), (-0.0784, 0.9308, 0.1476), (0.0047, 0.6914, 0.3039)),
}
LOUD = [kind for kind in STATUSES if kind not in QUIET]


def linear(colour):
    parts = [int(colour[position : position + 2], 16) / 255 for position in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def lab(rgb):
    rgb = [min(1, max(0, part)) for part in rgb]
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    sums = (sum(a * b for a, b in zip(row, rgb, strict=True)) for row in rows)
    x, y, z = (
        (each / white) ** (1 / 3) if each / white > 0.008856 else 7.787 * each / white + 16 / 116
        for each, white in zip(sums, (0.9505, 1, 1.089), strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("eyes", SEEN)
def test_the_colour_of_a_move_differs_from_the_others_for_all_eyes(eyes, theme):
    def seen(kind):
        rgb = linear(getattr(STYLES[kind], theme)[1])
        return lab([sum(a * b for a, b in zip(row, rgb, strict=True)) for row in SEEN[eyes]])

    apart = {
        frozenset(pair): sum((a - b) ** 2 for a, b in zip(*map(seen, pair), strict=True)) ** 0.5
        for pair in combinations(LOUD, 2)
    }
    assert min(distance for pair, distance in apart.items() if "moved" in pair) > 25
