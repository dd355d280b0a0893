"""The cost receipt: sums that come to the distance, and the branch that each operation belongs to."""

import math

import pytest
from helpers.encoders import hashed, placed
from helpers.published import compare
from helpers.trees import sample, tree_of, trees
from hypothesis import given

from tted_core.explain.receipt import Branch, branch_of, receipt

PLACES = {"": (0.0, 0.0), **{name: (float(place), 1.0) for place, name in enumerate("abcdefxyz", start=5)}}


@given(trees(), trees())
def test_everything_comes_to_the_distance(left, right):
    result = compare(left, right, encoder=hashed)
    found = receipt(result)
    assert sorted(line.op.cost for line in found.lines) == sorted(op.cost for op in result.script.ops)
    running = [line.running for line in found.lines]
    assert running[-1] == result.tted
    assert running == [math.fsum(line.op.cost for line in found.lines[: i + 1]) for i in range(len(running))]
    for parts in (found.by_kind, found.by_level, found.by_branch):
        assert math.fsum(part.cost for part in parts.values()) == pytest.approx(result.tted, abs=1e-12)
        assert sum(part.operations for part in parts.values()) == len(result.script.ops)
        shares = math.fsum(part.share for part in parts.values())
        assert shares == pytest.approx(1.0 if result.tted else 0.0)


def test_the_dearest_comes_first_and_is_what_the_script_says():
    result = compare(sample("coral-reefs/base"), sample("coral-reefs/demo"), encoder=hashed)
    found = receipt(result)
    costs = [line.op.cost for line in found.lines]
    assert costs == sorted(costs, reverse=True)
    assert found.lines[0].share == costs[0] / result.tted
    assert list(found.by_kind) == ["match", "replace", "delete", "insert"]
    assert found.by_kind["delete"].operations == result.script.count("delete")
    assert [part.cost for part in found.by_branch.values()] == sorted(
        (part.cost for part in found.by_branch.values()), reverse=True
    )


def test_an_insertion_belongs_where_it_is_inserted():
    left, right = tree_of("a(b(c) d)"), tree_of("a(b(c x(y)) d z(e))")
    result = compare(left, right, encoder=placed(PLACES), distance="euclidean", order="ordered")
    branch = branch_of(result)
    where = {right.labels[op.target]: branch(op) for op in result.script.ops if op.op == "insert"}
    assert where == {
        "x": Branch("left", 1),
        "y": Branch("left", 1),
        "z": Branch("right", 6),
        "e": Branch("right", 6),
    }
    assert receipt(result).by_branch[Branch("left", 0)].operations == 1  # the root by itself
    assert receipt(result).by_level[3].operations == 3


def test_an_inserted_root_is_a_branch_by_itself():
    result = compare(tree_of("b"), tree_of("z(b)"), encoder=placed(PLACES), distance="euclidean")
    inserted = next(op for op in result.script.ops if op.op == "insert")
    assert branch_of(result)(inserted) == Branch("right", 0)
