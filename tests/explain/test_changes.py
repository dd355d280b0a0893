"""Changes: the script in larger pieces, by hand and against its sum."""

import dataclasses
import math

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import tree_of, trees
from hypothesis import given

from tted_core.explain.changes import changes, grouped

# left, right, context: the dearest change's kind, topmost nodes and number of nodes
CASES = {
    "nothing": ("r(a b)", "r(a b)", "none", None),
    "a branch goes": ("r(a(b c) d)", "r(d)", "none", ("missing", 1, None, 3)),
    "a branch comes": ("r(d)", "r(a(b c) d)", "none", ("extra", None, 1, 3)),
    "a branch is relocated": (
        "r(p(x(y) a(b c)) q(z(u v w)))",
        "r(p(x(y)) q(z(u v w) a(b c)))",
        "none",
        ("moved", 4, 9, 3),
    ),
    "a branch stays below another parent": ("r(a(b c) q)", "r(q(a(b c)))", "ancestors", ("moved", 1, 2, 3)),
}


@pytest.mark.parametrize("name", CASES)
def test_the_dearest_change_by_hand(name):
    left, right, context, expected = CASES[name]
    result = compare(tree_of(left), tree_of(right), encoder=hashed, order="ordered", context=context)
    first = next(iter(changes(result)), None)
    assert (first and (first.kind, first.source, first.target, first.nodes)) == expected


def test_a_new_sentence_pays_for_the_contexts_below_it():
    result = compare(tree_of("r(a(b c) q)"), tree_of("r(z(b c) q)"), encoder=hashed, context="ancestors")
    gone, come = changes(result)
    assert (gone.kind, gone.source, gone.nodes, gone.cost) == ("missing", 1, 1, result.tted)
    assert (come.kind, come.target, come.nodes, come.cost) == ("extra", 1, 1, 0.0)


@given(trees(), trees())
@pytest.mark.parametrize("context", ["none", "ancestors"])
@pytest.mark.parametrize("order", ["ordered", "constrained"])
def test_every_operation_belongs_to_one_change(order, context, left, right):
    result = compare(left, right, encoder=hashed, order=order, context=context)
    found = changes(result)
    assert math.fsum(change.cost for change in found) == pytest.approx(result.tted, abs=1e-9)
    assert [change.cost for change in found] == sorted((change.cost for change in found), reverse=True)
    grouping = grouped(result)
    assert sum(map(len, grouping.operations)) == len(result.script.ops)
    edited = sum(each.status != "same" for each in grouping.outcomes)
    assert sum(change.nodes for change in found if change.kind != "same") == edited


def test_changes_are_found_once_for_each_comparison():
    found = compare(tree_of("r(a b)"), tree_of("r(a c)"), encoder=hashed)
    assert grouped(found) is grouped(found)
    other = dataclasses.replace(found)
    assert grouped(other) is not grouped(found)
    assert grouped(other) == grouped(found)
