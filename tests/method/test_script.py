"""The edit script: it can be carried out, it costs the distance, and its notes are true."""

import math
import random
from collections import Counter

import numpy as np
import pytest
from helpers.encoders import hashed
from helpers.trees import random_tree, sample, tree_of, trees
from hypothesis import given

from tted_core import compare
from tted_core.contexts import CONTEXTS
from tted_core.script import NEW_PARENT, RELOCATED, SAME_TEXT, EditOp, EditScript, edit_script
from tted_core.solvers import SOLVERS
from tted_core.tree import TextTree

TOP = -1


class Patient:
    """A forest under edit. Nodes of the left tree are named by their index, inserted ones ``n + index``.

    ``children[TOP]`` are the roots. ``target`` is the node of the right tree that a node has become.
    """

    def __init__(self, left: TextTree, right: TextTree, *, ordered: bool) -> None:
        self.left, self.right, self.ordered = left, right, ordered
        self.label = dict(enumerate(left.labels))
        self.children = {TOP: [0], **{node: list(below) for node, below in enumerate(left.children)}}
        self.target: dict[int, int] = {}
        self.root_may_miss = False

    def apply(self, op: EditOp) -> None:
        """Carry one operation out, and assert that it can be and that a forest is left."""
        if op.op == "delete":
            assert op.source is not None
            assert op.target is None
            self._delete(op.source)
        elif op.op == "insert":
            assert op.source is None
            assert op.target is not None
            self._insert(op.target)
        else:
            assert op.source is not None
            assert op.target is not None
            self._relabel(op.source, op.target)
        self._check_forest()

    def result(self) -> TextTree:
        """The edited tree; siblings in the order of the right tree unless the order is kept."""
        assert set(self.target) == set(self.label), "a node was neither matched, replaced nor deleted"
        labels: list[str] = []
        parents: list[int] = []

        def add(node: int, parent: int) -> None:
            position = len(labels)
            labels.append(self.label[node])
            parents.append(parent)
            below = self.children[node]
            for child in below if self.ordered else sorted(below, key=self.target.__getitem__):
                add(child, position)

        (root,) = self.children[TOP]
        add(root, -1)
        return TextTree(tuple(labels), tuple(parents))

    def _parent(self, node: int) -> int:
        (parent,) = (name for name, below in self.children.items() if node in below)
        return parent

    def _relabel(self, source: int, target: int) -> None:
        assert source in self.label
        assert source not in self.target
        assert target not in self.target.values()
        self.label[source] = self.right.labels[target]
        self.target[source] = target

    def _delete(self, node: int) -> None:
        """Replace the node by its children."""
        assert node not in self.target
        parent = self._parent(node)
        siblings = self.children[parent]
        index = siblings.index(node)
        siblings[index : index + 1] = self.children.pop(node)
        del self.label[node]
        self.root_may_miss |= node == 0

    def _insert(self, target: int) -> None:
        """The node goes below its parent, which is there already, and takes over what belongs below it."""
        assert target not in self.target.values()
        node = len(self.left) + target
        names = {index: name for name, index in self.target.items()}
        parent = TOP if target == 0 else names[self.right.parents[target]]
        siblings = self.children[parent]
        subtree = range(target, target + self.right.sizes[target])
        below = [name for name in siblings if self.target[name] in subtree]
        if self.ordered:
            assert below == [] or below == siblings[siblings.index(below[0]) :][: len(below)], "not in a row"
        index = siblings.index(below[0]) if below else sum(self.target[name] < target for name in siblings)
        siblings[:] = [name for name in siblings if name not in below]
        siblings.insert(index, node)
        self.children[node] = below
        self.label[node] = self.right.labels[target]
        self.target[node] = target
        if target == 0:
            self.root_may_miss = False

    def _check_forest(self) -> None:
        seen: list[int] = []
        stack = list(self.children[TOP])
        while stack:
            node = stack.pop()
            assert node not in seen, "two parents or a cycle"
            seen.append(node)
            stack.extend(self.children[node])
        assert sorted(seen) == sorted(self.label), "a node hangs nowhere"
        assert len(self.children[TOP]) == 1 or self.root_may_miss, "several roots though no root was deleted"


def replay(left: TextTree, right: TextTree, ops: tuple[EditOp, ...], *, ordered: bool) -> TextTree:
    """Carry all operations out on ``left`` and return the tree that comes out."""
    patient = Patient(left, right, ordered=ordered)
    for op in ops:
        patient.apply(op)
    return patient.result()


each_order = pytest.mark.parametrize("order", SOLVERS)
each_context = pytest.mark.parametrize(
    "context", [name for name, context in CONTEXTS.items() if not context.blend]
)


def check(left, right, order, context):
    """Carry the script out, and add its costs up from the texts themselves."""
    comparison = compare(left, right, encoder=hashed, distance="manhattan", order=order, context=context)
    script = comparison.script
    assert replay(left, right, script.ops, ordered=order == "ordered") == right

    texts = [CONTEXTS[context].texts(side) for side in (left, right)]
    for op in script.ops:
        source, target = (
            "" if node is None else side[node]
            for side, node in zip(texts, (op.source, op.target), strict=True)
        )
        assert op.cost == pytest.approx(np.abs(hashed([source]) - hashed([target])).sum(), abs=1e-9)
        assert (op.op == "match") == (None not in (op.source, op.target) and source == target)
        if op.op == "match":
            assert op.cost == 0.0
    assert math.fsum(op.cost for op in script.ops) == comparison.tted == script.cost
    kinds = [op.op for op in script.ops]
    assert sum(script.count(kind) for kind in ("match", "replace", "delete", "insert")) == len(kinds)
    assert len(left) + len(right) == len(kinds) + script.count("match") + script.count("replace")
    check_notes(left, right, script)


def check_notes(left, right, script):
    partner = {op.source: op.target for op in script.ops if None not in (op.source, op.target)}
    partner[-1] = -1
    for op in script.ops:
        labels = (
            (None if op.source is None else left.labels[op.source]),
            (None if op.target is None else right.labels[op.target]),
        )
        assert (SAME_TEXT in op.notes) == (op.op == "replace" and labels[0] == labels[1])
        paired = op.op in {"match", "replace"}
        assert (NEW_PARENT in op.notes) == (
            paired and partner.get(left.parents[op.source]) != right.parents[op.target]
        )
    gone = Counter(left.labels[op.source] for op in script.ops if op.op == "delete")
    come = Counter(right.labels[op.target] for op in script.ops if op.op == "insert")
    moved = [op for op in script.ops if RELOCATED in op.notes]
    assert Counter(left.labels[op.source] for op in moved if op.op == "delete") == gone & come
    assert Counter(right.labels[op.target] for op in moved if op.op == "insert") == gone & come
    assert {op.op for op in moved} <= {"delete", "insert"}


@pytest.mark.parametrize(
    ("order", "context"),
    [*((order, "none") for order in SOLVERS), ("ordered", "ancestors"), ("constrained", "parent")],
)
@given(left=trees(8), right=trees(8))
def test_a_script_can_be_carried_out_and_costs_the_distance(order, context, left, right):
    check(left, right, order, context)


@each_order
@each_context
@pytest.mark.parametrize(
    "pair",
    [
        ("coral-reefs/base", "coral-reefs/demo"),
        ("photosynthesis/base", "photosynthesis/structure_2"),
        ("baikal/base", "baikal/structure_3"),
        ("photosynthesis/base", "urban-heat/base"),
    ],
)
def test_scripts_of_sample_maps(order, context, pair):
    check(*map(sample, pair), order, context)


@pytest.mark.parametrize("order", ["ordered", "constrained"])
def test_scripts_of_larger_trees(order):
    rng = random.Random(1)
    for _ in range(5):
        check(random_tree(rng, 25), random_tree(rng, 25), order, "none")
    check(sample("solar-system/base"), sample("solar-system/structure_3"), order, "ancestors")


# Roots that go, come or sink; nothing kept at all.
@each_order
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("a(b c)", "b"),
        ("b", "a(b c)"),
        ("a(b)", "x(a(b))"),
        ("x(a(b))", "a(b)"),
        ("a(b(c))", "c"),
        ("a", "b"),
    ],
)
def test_scripts_that_change_the_root(order, left, right):
    check(tree_of(left), tree_of(right), order, "none")


def script_of(left, right, mapping, texts=None):
    left, right = tree_of(left), tree_of(right)
    costs = np.arange((len(left) + 1) * (len(right) + 1), dtype=float).reshape(len(left) + 1, -1)
    texts = texts or (left.labels, right.labels)
    costs[:-1, :-1] *= np.not_equal.outer(*map(np.array, texts))
    return edit_script(left, right, mapping, costs, texts)


def test_order_kinds_and_costs_of_the_operations():
    script = script_of(
        "a(b(c d) e)",
        "a(x(y) f)",
        ((4, 3), (3, None), (None, 2), (0, 0), (1, None), (None, 1), (2, None)),
    )
    assert [(op.op, op.source, op.target, op.cost) for op in script.ops] == [
        ("match", 0, 0, 0.0),
        ("replace", 4, 3, 23.0),
        ("delete", 3, None, 19.0),
        ("delete", 2, None, 14.0),
        ("delete", 1, None, 9.0),
        ("insert", None, 1, 26.0),
        ("insert", None, 2, 27.0),
    ]
    assert script.cost == 118.0


def notes(script):
    return {(op.op, op.source, op.target): op.notes for op in script.ops if op.notes}


def test_the_same_text_in_another_context_is_no_match():
    left, right = tree_of("a(x)"), tree_of("b(x)")
    comparison = compare(left, right, encoder=hashed, context="ancestors")
    assert [op.op for op in comparison.script.ops] == ["replace", "replace"]
    assert notes(comparison.script) == {("replace", 1, 1): (SAME_TEXT,)}
    assert comparison.script.ops[1].cost > 0


@pytest.mark.parametrize(
    ("left", "right", "mapping", "noted"),
    [
        ("a(b)", "a(b)", ((0, 0), (1, 1)), []),
        ("a(b(c))", "a(c)", ((0, 0), (1, None), (2, 1)), [(2, 1)]),  # the parent is deleted
        ("a(c)", "a(b(c))", ((0, 0), (1, 2), (None, 1)), [(1, 2)]),  # a parent comes between
        ("a(b)", "b", ((0, None), (1, 0)), [(1, 0)]),  # becomes the root
        ("b", "a(b)", ((0, 1), (None, 0)), [(0, 1)]),  # was the root
        ("a(b(c) d)", "a(b d(c))", ((0, 0), (1, 1), (2, 3), (3, 2)), [(2, 3)]),  # sent to a sister branch
    ],
)
def test_a_new_parent_is_noted(left, right, mapping, noted):
    script = script_of(left, right, mapping)
    assert notes(script) == {("match", *pair): (NEW_PARENT,) for pair in noted}


@pytest.mark.parametrize(
    ("left", "right", "deleted", "inserted"),
    [
        ("a(x)", "a(y)", [], []),
        ("a(x)", "a(x)", [1], [1]),
        ("a(x x x)", "a(x)", [1], [1]),  # the first in preorder is the one that moved
        ("a(x)", "a(x x)", [1], [1]),
        ("a(x y x)", "a(y x x x)", [1, 2, 3], [1, 2, 3]),
    ],
)
def test_a_label_that_goes_and_comes_is_noted_as_often_as_it_does_both(left, right, deleted, inserted):
    sizes = len(tree_of(left)), len(tree_of(right))
    mapping = ((0, 0), *((v, None) for v in range(1, sizes[0])), *((None, w) for w in range(1, sizes[1])))
    expected = {("delete", v, None): (RELOCATED,) for v in deleted}
    expected |= {("insert", None, w): (RELOCATED,) for w in inserted}
    assert notes(script_of(left, right, mapping)) == expected


def test_a_kept_label_is_not_relocated():
    script = script_of("a(x)", "a(x x)", ((0, 0), (1, 1), (None, 2)))
    assert notes(script) == {}


def test_the_sum_is_correctly_rounded():
    ops = tuple(EditOp("insert", None, node, 0.1) for node in range(10))
    assert EditScript(ops).cost == 1.0
