"""What the step player shows: where it stops, the tree at each stop, and the edit in words."""

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import sample, tree_of, trees
from hypothesis import given

from tted_core import TextTree
from tted_core.explain.mapping_view import MappingView
from ui.compare.steps.frames import frame, frames_around, stops


def text_of(row):
    return "".join(text for text, _ in row["parts"])


def sentence(shown):
    return "".join(f"“{text}”" if quoted else text for text, quoted in shown["words"])


@pytest.mark.parametrize(
    ("left", "right", "every", "changes"),
    [
        ("a(b c)", "a(c)", [0, 1, 2, 3], [0, 3]),
        (
            "r(a(b) c)",
            "r(z(b) c)",
            [0, 1, 2, 3, 4],
            [0, 2, 4],
        ),  # b stays, in another context; the end is a stop
        ("a(b)", "a(b)", [0, 1, 2], [0, 2]),
    ],
)
def test_it_stops_at_each_change_and_at_the_end(left, right, every, changes):
    comparison = compare(tree_of(left), tree_of(right), encoder=hashed, context="ancestors")
    assert stops(comparison, skip_matches=False) == every
    assert stops(comparison, skip_matches=True) == changes


@pytest.mark.parametrize("order", ["ordered", "constrained"])
@given(left=trees(6), right=trees(6))
def test_the_way_leads_from_one_tree_to_the_other_at_the_cost_of_the_distance(order, left, right):
    comparison = compare(left, right, encoder=hashed, order=order)
    frames = [frame(comparison, count) for count in range(len(comparison.script.ops) + 1)]
    for shown, tree in ((frames[0], left), (frames[-1], right)):
        rows = [(text_of(row), row["level"]) for row in shown["rows"] if not row.get("gone")]
        assert rows == list(zip(tree.labels, tree.depths, strict=True))
    assert frames[0]["so_far"] == 0
    assert frames[-1]["so_far"] == frames[-1]["total"] == comparison.tted
    assert frames[-1]["costs"] == f"cost so far {comparison.tted:.3f} of {comparison.tted:.3f}"
    status_of = MappingView(comparison).status_of
    for shown, op in zip(frames[1:], comparison.script.ops, strict=True):
        (current,) = [row for row in shown["rows"] if row.get("current")]
        assert current["kind"] == shown["kind"] == status_of[op.source, op.target]
        assert bool(current.get("gone")) == (op.op == "delete")
        assert len({row["id"] for row in shown["rows"]}) == len(shown["rows"])
    assert [shown["finished"] for shown in frames] == [False] * (len(frames) - 1) + [True]


def test_every_edit_is_said_in_words():
    comparison = compare(sample("coral-reefs/base"), sample("coral-reefs/demo"), encoder=hashed)
    by_kind = {}
    status_of = MappingView(comparison).status_of
    for count, op in enumerate(comparison.script.ops, start=1):
        by_kind.setdefault(f"{status_of[op.source, op.target]} {op.op}", sentence(frame(comparison, count)))
    assert by_kind["same match"].startswith("Keep “Coral reefs are")
    assert by_kind["missing delete"].startswith("Delete “")
    assert by_kind["extra insert"].startswith("Insert “")
    assert " below “" in by_kind["extra insert"]
    assert sentence(frame(comparison, 0)) == "The left map, before the first edit"


def test_both_ends_of_a_move_are_said_to_be_one():
    left, right = tree_of("r(p(x(y) a(b c)) q(z(u v w)))"), tree_of("r(p(x(y)) q(z(u v w) a(b c)))")
    comparison = compare(left, right, encoder=hashed)
    said = [sentence(frame(comparison, count)) for count in range(10, 16)]
    assert said[2] == "Delete, to move it: “a”"
    assert said[3] == "Insert it again: “a” below “q”"


def test_what_moves_with_an_edit_is_said():
    deleted = compare(tree_of("a(b(c))"), tree_of("a(c)"), encoder=hashed)
    assert sentence(frame(deleted, 3)) == "Delete “b”; what hangs below it moves up"
    inserted = compare(tree_of("a(c)"), tree_of("a(b(c))"), encoder=hashed)
    assert sentence(frame(inserted, 3)) == "Insert “b” below “a”, above 1 node that is there"
    elsewhere = compare(tree_of("a(x)"), tree_of("b(x)"), encoder=hashed, context="ancestors")
    assert sentence(frame(elsewhere, 1)) == "Replace “a” by “b”"
    assert sentence(frame(elsewhere, 2)) == "Keep “x”, though what stands above it differs"


def test_a_new_root_is_said_to_be_one():
    comparison = compare(tree_of("b"), tree_of("a(b)"), encoder=hashed, order="ordered")
    assert [op.op for op in comparison.script.ops] == ["match", "insert"]
    assert sentence(frame(comparison, 2)) == "Insert “a” as the root, above 1 node that is there"


def test_small_maps_are_sent_whole_and_large_ones_around_the_present_step():
    small = compare(tree_of("a(b c)"), tree_of("a(d)"), encoder=hashed)
    counts = stops(small, skip_matches=False)
    assert list(frames_around(small, counts, 0)) == counts
    wide = tree_of(f"a({' '.join(f'x{node}' for node in range(400))})")
    large = compare(wide, tree_of(f"a({' '.join(f'y{node}' for node in range(400))})"), encoder=hashed)
    counts = stops(large, skip_matches=False)
    assert list(frames_around(large, counts, 100)) == [99, 100, 101]
    assert list(frames_around(large, counts, len(counts) - 1)) == counts[-2:]


def test_long_texts_are_quoted_from_where_they_differ():
    same = "The same words again and again " * 8
    left, right = (TextTree((f"{same}{end}",), (-1,)) for end in ("at first", "in the end"))
    said = sentence(frame(compare(left, right, encoder=hashed), 1))
    assert "at first” by “" in said
    assert "in the end”" in said
