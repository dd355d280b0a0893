"""Causes: the change that the headline names is the one that was made, in edits whose truth is known."""

import pytest
from helpers.encoders import hashed
from helpers.trees import tree_of, trees
from hypothesis import given

from tted_core import compare
from tted_core.arithmetic import total
from tted_core.explain.build import explain
from tted_core.method import PRESETS
from tted_core.report.wording import change_in_words

# left, right, context: the first cause's kind, topmost nodes and number of nodes; how many have moved
CASES = {
    "a branch moves and its head is reworded": (
        "r(p(x(y) a(b c)) q(z(u v w)))",
        "r(p(x(y)) q(z(u v w) A(b c)))",
        "none",
        ("moved", 4, 9, 3),
        1,
    ),
    "a branch moves, its head and that of a branch in it are reworded": (
        "r(p(x(y) a(b(d e) c)) q(z(u v w)))",
        "r(p(x(y)) q(z(u v w) A(B(d e) c)))",
        "none",
        ("moved", 4, 9, 5),
        1,
    ),
    "a branch goes": ("r(a(b c) d)", "r(d)", "none", ("missing", 1, None, 3), 0),
    "a branch comes": ("r(d)", "r(a(b c) d)", "none", ("extra", None, 1, 3), 0),
    "a branch moves as it is": (
        "r(p(x(y) a(b c)) q(z(u v w)))",
        "r(p(x(y)) q(z(u v w) a(b c)))",
        "none",
        ("moved", 4, 9, 3),
        1,
    ),
    "a branch stays below another parent": (
        "r(a(b c) q)",
        "r(q(a(b c)))",
        "ancestors",
        ("moved", 1, 2, 3),
        1,
    ),
    "children rise where their parent goes": (
        "r(p(a b) q(s t u v w))",
        "r(a b q(s t u v w))",
        "none",
        ("missing", 1, None, 1),
        0,
    ),
    "children sink where a parent comes": (
        "r(a b q(s t u v w))",
        "r(p(a b) q(s t u v w))",
        "none",
        ("extra", None, 1, 1),
        0,
    ),
    "a branch that moves is in no need of the leaf it moves below": (
        "r(a(b c d) q)",
        "r(q(a(b c d)))",
        "none",
        ("moved", 1, 2, 4),
        1,
    ),
    "a new wording is the cause of the contexts below it": (
        "r(a(b c) q)",
        "r(z(b c) q)",
        "ancestors",
        ("reworded", 1, 1, 1),
        0,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_first_cause_by_hand(name):
    left, right, context, expected, moved = CASES[name]
    result = published(left, right, context)
    found = explain(result).changes
    assert (found[0].kind, *found[0].ends, found[0].size) == expected
    assert sum(change.kind == "moved" for change in found) == moved


def published(left, right, context="none"):
    options = dict(PRESETS["published"]) | {"context": context}
    return compare(tree_of(left), tree_of(right), encoder=hashed, **options)


def test_equal_maps_have_no_change():
    assert explain(published("r(a b)", "r(a b)")).changes == ()


def test_the_sentence_names_the_branch_that_moved():
    left, right, *_ = CASES["a branch that moves is in no need of the leaf it moves below"]
    result = published(left, right)
    sentence = change_in_words(explain(result).changes[0]).replace("\u2068", "").replace("\u2069", "")
    assert sentence == "Moving the branch “a” (4 sentences) from below “r” to below “q”"


@given(trees(), trees())
@pytest.mark.parametrize(
    ("order", "context", "name"),
    [
        ("ordered", "none", "published"),
        ("constrained", "ancestors", "published"),
        ("ordered", "subtree", "proofreading"),
        ("constrained", "none", "proofreading"),
        ("ordered", "ancestors", "similarity"),
        ("constrained", "subtree", "similarity"),
    ],
)
def test_every_operation_belongs_to_one_change_and_causes_hold_all_that_changes_cost(
    order, context, name, left, right
):
    options = dict(PRESETS[name]) | {"order": order, "context": context}
    result = compare(left, right, encoder=hashed, **options)
    explanation = explain(result)
    found = explanation.changes
    assert total((change.cost for change in found), options["power"]) == pytest.approx(result.tted, abs=1e-9)
    assert [change.cost for change in found] == sorted((change.cost for change in found), reverse=True)
    charged = [operation for change in found for operation in change.operations]
    assert len(set(charged)) == len(charged)
    assert {operation for operation in explanation.operations if operation.edit.cost} <= set(charged)
    assert all(operation.change and operation in operation.change.operations for operation in charged)
    edited_nodes = sum(each.status != "same" for each in explanation.sentences)
    assert sum(change.size for change in found if change.kind != "same") == edited_nodes
