"""The outline's rows: every node on one, every operation once, every text whole."""

import json

import pytest
from helpers.encoders import by_words, hashed
from helpers.trees import SAMPLES, sample, trees
from hypothesis import given

from tted_core import TextTree, compare, read_map
from tted_core.explain.what_if import under_choices
from tted_core.report.readings import read_script, read_sentences
from tted_core.report.wording import change_in_words
from tted_core.solvers import Choices
from ui.mapping.view import outline_rows

LEFT = TextTree(("r", "a", "b", "c"), (-1, 0, 1, 0))
RIGHT = TextTree(("r", "c", "a", "b", "new"), (-1, 0, 0, 2, 0))


def rows_of(comparison, read=read_sentences, **options):
    explanation = comparison.explain()
    return outline_rows(explanation, read(explanation), **options)


@pytest.mark.parametrize("order", ["ordered", "constrained"])
@given(left=trees(), right=trees())
def test_every_node_and_outcome_is_there_once(order, left, right):
    comparison = compare(left, right, encoder=hashed, order=order)
    rows = json.loads(json.dumps(rows_of(comparison)))
    assert len(rows["ops"]) == len(comparison.explain().sentences)
    for side, tree, end in (("left", left, "source"), ("right", right, "target")):
        nodes = rows[side]["nodes"]
        assert sorted(node["node"] for node in nodes) == list(range(len(tree)))
        for node in nodes:
            number = node["node"]
            assert rows["ops"][node["op"]][end] == number
            assert "".join(text for text, *_ in node["parts"]) == tree.labels[number]
            assert (node["level"], node["size"]) == (tree.depths[number], tree.sizes[number])
            above = -1 if node["above"] < 0 else nodes[node["above"]]["node"]
            assert above == tree.parents[number]
        assert [node["row"] for node in nodes] == sorted({node["row"] for node in nodes})
        if order == "ordered":
            assert [node["node"] for node in nodes] == list(range(len(tree)))


@pytest.mark.parametrize("order", ["ordered", "constrained", "unordered"])
@given(left=trees(), right=trees())
def test_the_edit_script_has_every_operation_and_adds_up(order, left, right):
    comparison = compare(left, right, encoder=hashed, order=order)
    rows = json.loads(json.dumps(rows_of(comparison, read_script, table=True)))
    ops = rows["ops"]
    assert [(op["kind"], op["source"], op["target"]) for op in ops] == [
        (op.op, op.source, op.target) for op in comparison.script.ops
    ]
    assert sum(op["cost"] for op in ops) == pytest.approx(comparison.tted)
    assert sum(change["share"] for change in rows["changes"]) == pytest.approx(float(comparison.tted > 0))
    for side, tree, end in (("left", left, "source"), ("right", right, "target")):
        assert sorted(node["node"] for node in rows[side]["nodes"]) == list(range(len(tree)))
        assert all(ops[node["op"]][end] == node["node"] for node in rows[side]["nodes"])
    counts = {kind: comparison.script.count(kind) for kind in rows["styles"]}
    assert {kind: style["count"] for kind, style in rows["styles"].items()} == counts


def test_pairs_that_choices_took_out_of_the_script_are_listed():
    free = compare(LEFT, RIGHT, encoder=hashed)
    pair = next((op.source, op.target) for op in free.script.ops if op.op == "match" and op.source)
    chosen = under_choices(free, Choices(forbidden=(pair,)))
    rows = rows_of(chosen, read_script, before=free.script.pairs)
    assert pair in rows["old"]
    assert rows_of(free, read_script, before=free.script.pairs)["old"] == []


def test_pairs_share_rows_and_reordered_siblings_are_reported():
    rows = rows_of(compare(LEFT, RIGHT, encoder=hashed))
    where = {side: {node["node"]: node["row"] for node in rows[side]["nodes"]} for side in ("left", "right")}
    assert where == {"left": {0: 0, 1: 1, 2: 2, 3: 4}, "right": {0: 0, 2: 1, 3: 2, 4: 3, 1: 4}}
    assert rows["reordered"]
    assert not rows_of(compare(LEFT, RIGHT, encoder=hashed, order="ordered"))["reordered"]


def test_reworded_sentences_show_their_changed_words():
    left, right = (
        TextTree((f"Algae {verb} the polyps", "Fish", "Water"), (-1, 0, 0)) for verb in ("feed", "nourish")
    )
    rows = rows_of(compare(left, right, encoder=by_words))
    assert [rows[side]["nodes"][0]["parts"] for side in ("left", "right")] == [
        [["Algae ", False, None, False], [verb, True, None, False], [" the polyps", False, None, False]]
        for verb in ("feed", "nourish")
    ]


def test_counts_costs_and_notes_are_those_of_the_view():
    comparison = compare(LEFT, TextTree(("r", "a", "b", "c"), (-1, 0, 0, 2)), encoder=hashed)
    rows, view = rows_of(comparison), comparison.explain()
    assert {kind: style["count"] for kind, style in rows["styles"].items()} == view.matching.counts
    assert rows["unit"] == "cost"
    for shown, each in zip(rows["ops"], view.sentences, strict=True):
        record = each.record
        assert (shown["kind"], shown["source"], shown["target"]) == (
            each.status,
            record.source,
            record.target,
        )
        flags = [f"! {flag.words}" for flag in each.flags]
        assert (shown["aligned"], shown["notes"]) == (each.is_aligned, [*flags, *view.notes(each)])
        cost = sum(operation.edit.cost for operation in each.operations)
        assert shown["cost"] == pytest.approx(cost)
        assert shown["amount"] == (f"{cost:.3f}" if cost else "" if each.status == "same" else "–")
    assert sum(shown["cost"] for shown in rows["ops"]) == pytest.approx(comparison.tted)


def test_a_longer_node_marks_the_parts_that_it_holds():
    left = TextTree(("Dams", "It was built in 1936.", "It holds two lakes."), (-1, 0, 0))
    right = TextTree(("Dams", "It was built in 1936. It holds two lakes. Nobody knows why."), (-1, 0))
    rows = rows_of(compare(left, right, encoder=hashed))
    assert rows["right"]["nodes"][1]["parts"] == [
        ["It was built in 1936", False, 1, False],
        [". ", False, None, False],
        ["It holds two lakes", False, 2, False],
        [". Nobody knows why.", False, None, False],
    ]
    assert [(op["kind"], op["target"], op["amount"]) for op in rows["ops"][1:]] == [
        ("merged", 1, rows["ops"][1]["amount"]),
        ("merged", 1, rows["ops"][2]["amount"]),
    ]
    (change,) = rows["changes"]
    assert (change["kind"], change["share"]) == ("merged", 1.0)


def test_changes_are_numbered_from_the_top_and_listed_from_the_most_costly():
    comparison = compare(sample("coral-reefs/base"), sample("coral-reefs/demo"), encoder=hashed)
    rows = rows_of(comparison)
    met = sorted(
        (node["row"], rows["ops"][node["op"]]["change"])
        for side in ("left", "right")
        for node in rows[side]["nodes"]
    )
    in_order = list(dict.fromkeys(change for _, change in met if change is not None))
    assert in_order == list(range(len(in_order)))
    listed = rows["changes"]
    assert sorted(rows["ops"][change["op"]]["change"] for change in listed) == in_order
    assert len(listed) > 3
    shares = [change["share"] for change in listed]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1)
    assert [change["words"] for change in listed] == [
        change_in_words(change) for change in comparison.explain().changes
    ]


def test_languages_are_set_where_they_can_be_detected():
    english = read_map(SAMPLES / "coral-reefs" / "base.json")
    short = TextTree(("Riff",), (-1,))
    rows = rows_of(compare(english, short, encoder=hashed))
    assert (rows["left"]["lang"], rows["right"]["lang"]) == ("en", None)
    assert rows["left"]["name"] == english.name
