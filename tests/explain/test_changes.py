"""Changes: the script in larger pieces, by hand and against its sum."""

import math

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import tree_of, trees
from hypothesis import given

from tted_core.explain.changes import changes

# left, right, context: the dearest change's kind, topmost nodes and number of nodes
CASES = {
    "nothing": ("r(a b)", "r(a b)", "none", ("match", 0, 0, 1)),
    "a branch goes": ("r(a(b c) d)", "r(d)", "none", ("delete", 1, None, 3)),
    "a branch comes": ("r(d)", "r(a(b c) d)", "none", ("insert", None, 1, 3)),
    "a branch is relocated": (
        "r(p(x(y) a(b c)) q(z(u v w)))",
        "r(p(x(y)) q(z(u v w) a(b c)))",
        "none",
        ("move", 4, 9, 3),
    ),
    "a branch stays below another parent": ("r(a(b c) q)", "r(q(a(b c)))", "ancestors", ("move", 1, 2, 3)),
}


@pytest.mark.parametrize("name", CASES)
def test_the_dearest_change_by_hand(name):
    left, right, context, expected = CASES[name]
    result = compare(tree_of(left), tree_of(right), encoder=hashed, order="ordered", context=context)
    first = changes(result)[0]
    assert (first.kind, first.source, first.target, first.nodes) == expected


def test_texts_that_stay_below_a_new_wording_are_in_another_context():
    result = compare(tree_of("r(a(b c) q)"), tree_of("r(z(b c) q)"), encoder=hashed, context="ancestors")
    kinds = {(change.kind, change.source, change.nodes) for change in changes(result)}
    assert kinds == {("reword", 1, 1), ("context", 2, 1), ("context", 3, 1), ("match", 0, 1), ("match", 4, 1)}


@given(trees(), trees())
@pytest.mark.parametrize("context", ["none", "ancestors"])
@pytest.mark.parametrize("order", ["ordered", "constrained"])
def test_every_operation_belongs_to_one_change(order, context, left, right):
    result = compare(left, right, encoder=hashed, order=order, context=context)
    found = changes(result)
    assert math.fsum(change.cost for change in found) == pytest.approx(result.tted, abs=1e-9)
    assert [change.cost for change in found] == sorted((change.cost for change in found), reverse=True)
    relocated = sum(change.nodes for change in found if change.kind == "move" and change.source is not None)
    count = result.script.count
    assert sum(change.nodes for change in found) <= len(result.script.ops)
    assert sum(change.nodes for change in found if change.kind == "match") == count("match")
    assert relocated <= min(len(left), len(right))
