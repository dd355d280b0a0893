"""The step player: the tree after each change, and the change in words."""

import pytest
from helpers.encoders import by_words, hashed
from helpers.trees import sample, tree_of, trees
from hypothesis import given

from tted_core import TextTree, compare
from tted_core.explain.build import explain
from tted_core.explain.steps import StepSequence
from tted_core.report.readings import read_sentences
from ui.compare.steps import frame, frames_around


def steps(left, right, **options):
    return StepSequence(explain(compare(left, right, encoder=hashed, **options)))


def text_of(row):
    return "".join(text for text, _ in row["parts"])


def marked(shown):
    return [(text_of(row), row["note"]) for row in shown["rows"] if row.get("current")]


@pytest.mark.parametrize("order", ["ordered", "constrained"])
@given(left=trees(6), right=trees(6))
def test_the_way_leads_from_one_tree_to_the_other_at_the_cost_of_the_distance(order, left, right):
    way = steps(left, right, order=order)
    tted = way.explanation.comparison.tted
    frames = [frame(way, count) for count in range(len(way.steps) + 1)]
    for shown, tree in ((frames[0], left), (frames[-1], right)):
        rows = [(text_of(row), row["level"]) for row in shown["rows"] if not row.get("gone")]
        if len(frames) > 1 or order == "ordered":
            assert rows == list(zip(tree.labels, tree.depths, strict=True))
    assert frames[0]["so_far"] == 0
    assert frames[-1]["so_far"] == frames[-1]["total"] == pytest.approx(tted, rel=1e-12)
    assert frames[-1]["costs"] == f"cost so far {tted:.3f} of {tted:.3f}"
    for shown, step in zip(frames[1:], way.steps, strict=True):
        current = [row for row in shown["rows"] if row.get("current")]
        assert len(current) == max(1, len(step.sentences))
        assert shown["kind"] == step.kind
        assert {bool(row.get("gone")) for row in current} == {step.kind == "missing"}
        assert len({row["id"] for row in shown["rows"]}) == len(shown["rows"])
    assert [shown["finished"] for shown in frames] == [False] * (len(frames) - 1) + [True]


def test_every_step_has_the_words_and_the_share_of_the_list_of_changes():
    way = steps(sample("coral-reefs/base"), sample("coral-reefs/demo"))
    shown = [frame(way, count) for count in range(1, len(way.steps) + 1)]
    changes = read_sentences(way.explanation).changes
    listed = {change.words: f"{change.share:.1%}" for change in changes}
    assert {each["words"]: each["cost"].partition(" · ")[2] for each in shown} == listed
    assert {each["kind"] for each in shown} >= {"moved", "extra", "missing"}
    assert frame(way, 0)["words"] == "The left map, before the first step"


def test_a_move_is_shown_at_once_with_both_its_ends():
    left, right = tree_of("r(p(x(y) a(b c)) q(z(u v w)))"), tree_of("r(p(x(y)) q(z(u v w) a(b c)))")
    way = steps(left, right)
    shown = frame(way, 1)
    assert len(way.steps) == 1
    assert (
        shown["words"]
        == "Moving the branch “\u2068a\u2069” (3 sentences) from below “\u2068p\u2069” to below “\u2068q\u2069”"
    )
    assert marked(shown) == [("a", "moved"), ("b", "moved"), ("c", "moved")]


def test_deleted_sentences_stay_in_sight_where_they_were():
    shown = frame(steps(tree_of("a(b(c) d)"), tree_of("a(c d)"), order="ordered"), 1)
    assert [(text_of(row), row["level"], "gone" in row) for row in shown["rows"]] == [
        ("a", 1, False),
        ("b", 2, True),
        ("c", 2, False),
        ("d", 2, False),
    ]
    assert marked(shown) == [("b", "deleted")]


def test_a_sentence_that_pays_for_its_context_is_a_step_by_itself():
    way = steps(tree_of("a(x y)"), tree_of("a(y x)"), order="ordered", context="path")
    assert way.explanation.comparison.tted
    assert all(marked(frame(way, count)) for count in range(1, len(way.steps) + 1))


def test_small_maps_are_sent_whole_and_large_ones_around_the_current_step():
    small = steps(tree_of("a(b c)"), tree_of("a(d)"))
    assert list(frames_around(small, 0)) == list(range(len(small.steps) + 1))
    wide = tree_of(f"a({' '.join(f'x{node}' for node in range(400))})")
    large = steps(wide, tree_of(f"a({' '.join(f'y{node}' for node in range(400))})"))
    end = len(large.steps)
    assert list(frames_around(large, 100)) == [99, 100, 101]
    assert list(frames_around(large, end)) == [end - 1, end]


def test_long_texts_are_quoted_from_where_they_differ():
    same = "The same words again and again " * 8
    left, right = (TextTree((f"{same}{end}", "Fish"), (-1, 0)) for end in ("at first", "in the end"))
    said = frame(StepSequence(explain(compare(left, right, encoder=by_words))), 1)["words"]
    assert "at first\u2069” as “" in said
    assert "in the end\u2069”" in said
