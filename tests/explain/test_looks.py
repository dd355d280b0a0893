"""Looks: what a reader takes an operation for, by hand and for any trees; and colours that tell them apart."""

from itertools import combinations

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import tree_of, trees
from hypothesis import given

from tted_core.explain.changes import changes
from tted_core.explain.looks import LOOK_GLYPHS, QUIET, counted_looks, looks
from tted_core.explain.mapping_view import MappingView
from tted_core.report.palette import STYLES

# left, right, order, context: the looks that are no matches
CASES = {
    "nothing": ("r(a b)", "r(a b)", "none", {}),
    "a branch goes": ("r(a(b c) d)", "r(d)", "none", {"delete": 3}),
    "a branch moves": ("r(p(x(y) a(b c)) q(z(u v w)))", "r(p(x(y)) q(z(u v w) a(b c)))", "none", {"move": 3}),
    "a new text above": ("r(a(b c) q)", "r(z(b c) q)", "ancestors", {"replace": 1, "context": 2}),
    "a new text below": ("r(a(b c) q)", "r(a(b c) z)", "subtree", {"replace": 1, "context": 1}),
}


@pytest.mark.parametrize("name", CASES)
def test_looks_by_hand(name):
    left, right, context, expected = CASES[name]
    result = compare(tree_of(left), tree_of(right), encoder=hashed, order="ordered", context=context)
    count = counted_looks(looks(result))
    assert {kind: number for kind, number in count.items() if number and kind != "match"} == expected
    assert list(count) == list(LOOK_GLYPHS)


def test_an_unmoved_root_of_the_same_text_is_quiet():
    result = compare(tree_of("r(a b)"), tree_of("r(a z)"), encoder=hashed, context="subtree")
    assert result.script.ops[0].op == "replace"
    assert looks(result)[0].kind == "context"


def test_a_moved_node_is_linked_with_its_other_end():
    left, right = "r(p(x(y) a(b c)) q(z(u v w)))", "r(p(x(y)) q(z(u v w) a(b c)))"
    result = compare(tree_of(left), tree_of(right), encoder=hashed)
    ops, found = result.script.ops, looks(result)
    moved = [(op, ops[look.twin]) for op, look in zip(ops, found, strict=True) if look.twin is not None]
    assert len(moved) == 6
    for op, other in moved:
        assert {op.op, other.op} == {"delete", "insert"}
    labels = {
        (result.left.tree.labels[op.source], result.right.tree.labels[other.target])
        for op, other in moved
        if op.op == "delete"
    }
    assert labels == {("a", "a"), ("b", "b"), ("c", "c")}


@pytest.mark.parametrize("context", ["none", "ancestors"])
@pytest.mark.parametrize("order", ["ordered", "constrained"])
@given(left=trees(), right=trees())
def test_every_operation_has_a_look_and_every_change_its_operations(order, context, left, right):
    result = compare(left, right, encoder=hashed, order=order, context=context)
    ops, found = result.script.ops, looks(result)
    assert len(found) == len(ops)
    loud = {
        number for number, change in enumerate(changes(result)) if change.kind not in {"match", "context"}
    }
    assert {look.change for look in found} - {None} == loud
    for number, (op, look) in enumerate(zip(ops, found, strict=True)):
        assert (look.change is None) == (look.kind in QUIET)
        if look.kind in {"match", "replace", "delete", "insert"}:
            assert look.kind == op.op
        if look.twin is not None:
            assert look.kind == found[look.twin].kind == "move"
            assert found[look.twin].twin == number
            assert {op.op, ops[look.twin].op} == {"delete", "insert"}
    count = counted_looks(found)
    stay = count["match"] + count["context"] + count["replace"] + count["move"]
    assert stay + count["delete"] == len(left)
    assert stay + count["insert"] == len(right)
    view = MappingView(result)
    assert [sorted(at) for at in view.at] == [list(range(len(left))), list(range(len(right)))]
    assert all(view.look(side, node).kind for side in (0, 1) for node in view.at[side])
    assert len(view.links) == stay


# Machado, Oliveira and Fernandes 2009, severity 1: what people without one kind of cone see, in linear RGB.
SEEN = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.1523, 1.0526, -0.2049), (0.1145, 0.7863, 0.0992), (-0.0039, -0.0481, 1.0520)),
    "no green": ((0.3673, 0.8606, -0.2280), (0.2801, 0.6725, 0.0474), (-0.0118, 0.0429, 0.9689)),
    "no blue": ((1.2555, -0.0767, -0.1788), (-0.0784, 0.9308, 0.1476), (0.0047, 0.6914, 0.3039)),
}
LOUD = [kind for kind in LOOK_GLYPHS if kind not in QUIET]


def linear(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
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
def test_the_colour_of_a_move_is_told_from_the_others_by_all_eyes(eyes, theme):
    def seen(kind):
        rgb = linear(getattr(STYLES[kind], theme)[1])
        return lab([sum(a * b for a, b in zip(row, rgb, strict=True)) for row in SEEN[eyes]])

    apart = {
        frozenset(pair): sum((a - b) ** 2 for a, b in zip(*map(seen, pair), strict=True)) ** 0.5
        for pair in combinations(LOUD, 2)
    }
    assert min(distance for pair, distance in apart.items() if "move" in pair) > 25


@pytest.mark.parametrize("kind", LOOK_GLYPHS)
def test_texts_are_read_on_every_fill(kind):
    def light(colour):
        return sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))

    for (fill, _), text in ((STYLES[kind].light, "#31333f"), (STYLES[kind].dark, "#fafafa")):
        low, high = sorted((light(fill), light(text)))
        assert (high + 0.05) / (low + 0.05) >= 4.5
