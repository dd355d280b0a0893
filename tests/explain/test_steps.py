"""Edit scripts step by step: every state is the one that an interpreter of single edits comes to."""

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.replay import TOP, Patient
from helpers.thorough import sampled
from helpers.trees import sample, tree_of, trees
from hypothesis import given

from tted_core import TextTree
from tted_core.explain.states import Forest, forest_after
from tted_core.script import EditOp, EditScript
from tted_core.solvers import SOLVERS

each_order = pytest.mark.parametrize("order", SOLVERS)


def states(left, right, order, context="none"):
    """The comparison, and the forests before, between and after all of its operations."""
    comparison = compare(left, right, encoder=hashed, order=order, context=context)
    script = comparison.script
    return script, [forest_after(left, right, script, count) for count in range(len(script.ops) + 1)]


def check(left, right, order, context):
    script, forests = states(left, right, order, context)
    patient = Patient(left, right, ordered=order == "ordered")
    for count, forest in enumerate(forests):
        if count:
            patient.apply(script.ops[count - 1])  # asserts that it can be carried out
        assert_same(forest, patient)
    assert TextTree(forests[0].labels, forests[0].parents) == left
    assert TextTree(forests[-1].labels, forests[-1].parents) == right


def assert_same(forest: Forest, patient: Patient) -> None:
    """The same nodes with the same labels and parents; in an ordered script in the same order too."""
    names = [len(patient.left) + target if source is None else source for source, target in forest.nodes]
    parents = [TOP if parent == -1 else names[parent] for parent in forest.parents]
    expected = {name: parent for parent, below in patient.children.items() for name in below}
    assert dict(zip(names, parents, strict=True)) == expected
    assert dict(zip(names, forest.labels, strict=True)) == patient.label
    assert all(parent < index for index, parent in enumerate(forest.parents))
    if patient.ordered:
        for parent, below in patient.children.items():
            assert [name for name, its in zip(names, parents, strict=True) if its == parent] == below


@pytest.mark.parametrize("order", sampled(SOLVERS, 2))
@pytest.mark.parametrize("context", sampled(["none", "ancestors", "subtree"], 2))
@given(left=trees(7), right=trees(7))
def test_every_state_is_the_one_that_single_edits_come_to(order, context, left, right):
    check(left, right, order, context)


@each_order
def test_the_states_between_two_sample_maps(order):
    check(sample("coral-reefs/base"), sample("coral-reefs/demo"), order, "none")
    check(sample("photosynthesis/base"), sample("photosynthesis/structure_2"), order, "ancestors")


def test_the_states_of_a_script_whose_root_goes():
    left, right = tree_of("a(b(c) d)"), tree_of("x(c y)")
    ops = [("match", 2, 1), ("delete", 3, None), ("delete", 1, None), ("delete", 0, None)]
    ops += [("insert", None, 0), ("insert", None, 2)]
    script = EditScript(tuple(EditOp(*op, cost=1.0) for op in ops))
    shown = [forest_after(left, right, script, count) for count in range(len(ops) + 1)]
    assert [(forest.labels, forest.parents) for forest in shown] == [
        (("a", "b", "c", "d"), (-1, 0, 1, 0)),
        (("a", "b", "c", "d"), (-1, 0, 1, 0)),
        (("a", "b", "c"), (-1, 0, 1)),
        (("a", "c"), (-1, 0)),
        (("c",), (-1,)),
        (("x", "c"), (-1, 0)),
        (("x", "c", "y"), (-1, 0, 0)),
    ]
    assert shown[2].nodes == ((0, None), (1, None), (2, 1))
    assert shown[-1].nodes == ((None, 0), (2, 1), (None, 2))


def test_a_forest_has_several_roots_while_the_root_is_missing():
    left, right = tree_of("a(b c)"), tree_of("x(b c)")
    ops = [("match", 1, 1), ("match", 2, 2), ("delete", 0, None), ("insert", None, 0)]
    script = EditScript(tuple(EditOp(*op, cost=1.0) for op in ops))
    assert forest_after(left, right, script, 3).parents == (-1, -1)
    assert forest_after(left, right, script, 4).parents == (-1, 0, 0)
