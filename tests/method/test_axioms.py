"""Properties that make TTED a distance between text trees, on random small trees with an artificial encoder.

That each order gives a metric of trees whenever the costs are one is tested here on costs alone, that each
distance of vectors is one in tests/distances/test_distances.py. Whole comparisons are tested besides: for some
choices of distance, order and context by default, for every one in "make test-all". A solver named in SOLVERS is
tested here as soon as it is there.
"""

import itertools

import numpy as np
import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.thorough import sampled
from helpers.trees import trees
from hypothesis import given
from hypothesis import strategies as st

from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.solvers import SOLVERS
from tted_core.tree import TextTree

TOLERANCE = 1e-9
VECTORS = [name for name, each in DISTANCES.items() if each.reads == "encoder"]
BLENDS = [name for name, context in CONTEXTS.items() if context.blend is not None]
# One word for a choice of options: "cosine-ordered-none". Each distance, order and context is in one of them.
CHOICES = {
    "-".join(values): dict(zip(("distance", "order", "context"), values, strict=True))
    for values in (
        *itertools.product(["cosine"], SOLVERS, ["none"]),
        *itertools.product(VECTORS, ["constrained"], ["ancestors"]),
        *itertools.product(["euclidean"], ["constrained"], ["parent", *BLENDS]),
        *itertools.product(["cosine"], ["ordered"], BLENDS),
    )
}

each_choice = pytest.mark.parametrize("choice", sampled(CHOICES, 4))
each_order = pytest.mark.parametrize("order", SOLVERS)


def float32(texts):
    """Unit vectors in float32, as models give them."""
    vectors = hashed(texts).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def same(left, right, order):
    """Return True if two trees are equal, up to the order of siblings unless it counts."""

    def key(tree, node):
        below = [key(tree, child) for child in tree.children[node]]
        return tree.labels[node], *(below if order == "ordered" else sorted(below))

    return key(left, 0) == key(right, 0)


def result(left, right, choice, encoder=hashed):
    return compare(left, right, encoder=encoder, **CHOICES[choice])


def metric_costs(left, right):
    """Distances between points on a line, which stand for the texts; the gap is a point too."""
    left, right = (
        np.array([ord(text) if text else 100 for text in (*tree.labels, "")]) for tree in (left, right)
    )
    return np.abs(left[:, None] - right[None, :]).astype(float)


@each_order
@given(first=trees(6), second=trees(6), third=trees(6))
def test_with_costs_that_are_a_metric_each_order_gives_a_metric(order, first, second, third):
    """Whole numbers, which add up exactly; the text "d" is as near to no text as can be, and so costs nothing."""

    def apart(left, right):
        return SOLVERS[order](left, right, metric_costs(left, right)).upper

    assert apart(first, first) == 0.0
    assert apart(first, second) == apart(second, first)
    assert apart(first, third) <= apart(first, second) + apart(second, third)
    plain = {text for tree in (first, second) for text in tree.labels} <= set("abce")
    assert not plain or (apart(first, second) == 0.0) == same(first, second, order)


@each_choice
@pytest.mark.parametrize("encoder", [hashed, float32])
@given(tree=trees(max_nodes=9))
def test_a_tree_is_exactly_0_from_itself(choice, encoder, tree):
    comparison = result(tree, tree, choice, encoder)
    scores = (comparison.tted, comparison.lower_bound, comparison.normalized, comparison.steinhaus)
    assert scores == (0.0, 0.0, 0.0, 0.0)
    assert comparison.avg_tted == 0.0
    assert set(comparison.tted_at) == {0.0}
    assert {op.cost for op in comparison.script.ops} == {0.0}


@each_choice
@given(first=trees(6, alphabet="abcde"), second=trees(6, alphabet="abcde"), third=trees(6))
def test_different_trees_have_a_positive_symmetric_distance_without_shorter_ways(
    choice, first, second, third
):
    there, back = result(first, second, choice), result(second, first, choice)
    on, direct = result(second, third, choice), result(first, third, choice)
    for score in ("tted", "steinhaus", "normalized"):
        assert getattr(there, score) == pytest.approx(getattr(back, score), abs=TOLERANCE)
    assert there.tted_at == pytest.approx(back.tted_at, abs=TOLERANCE)
    for score in ("tted", "steinhaus"):
        assert getattr(direct, score) <= getattr(there, score) + getattr(on, score) + TOLERANCE
        assert getattr(there, score) > 0.0 or same(first, second, CHOICES[choice]["order"])
    assert max(there.steinhaus, there.normalized) <= 1.0 + TOLERANCE
    deleted, inserted = there.costs[:-1, -1].sum(), there.costs[-1, :-1].sum()
    assert abs(deleted - inserted) - TOLERANCE <= there.tted <= deleted + inserted + TOLERANCE


@each_order
def test_nodes_without_text_cost_nothing(order):
    """The one way in which different trees can be 0 apart: the empty string is what the gap is encoded as."""
    left, right = TextTree(("a", "b"), (-1, 0)), TextTree(("", "a", "", "b"), (-1, 0, 1, 2))
    assert compare(left, right, encoder=hashed, order=order).tted == 0.0


@each_order
@given(tree=trees(alphabet="abcde"), data=st.data())
def test_a_further_leaf_costs_what_its_insertion_costs(order, tree, data):
    """Requirement 2 of the paper; with the context "none" only."""
    parent = data.draw(st.integers(0, len(tree) - 1))
    labels, children = [*tree.labels, "new"], [list(below) for below in tree.children]
    children[parent].insert(data.draw(st.integers(0, len(children[parent]))), len(tree))
    larger = TextTree.from_children(labels, [*children, []])
    cost = DISTANCES["cosine"].function(hashed(["new"]), hashed([""]))[0, 0]
    for left, right, op in ((tree, larger, "insert"), (larger, tree, "delete")):
        comparison = compare(left, right, encoder=hashed, order=order)
        assert comparison.tted == pytest.approx(cost, abs=TOLERANCE)
        assert (comparison.script.count(op), comparison.script.count("match")) == (1, len(tree))


@pytest.mark.parametrize("context", BLENDS)
@given(left=trees(alphabet="abcde"))
def test_blends_ignore_the_order_of_siblings(context, left):
    mirrored = TextTree.from_children(left.labels, [below[::-1] for below in left.children])
    assert compare(left, mirrored, encoder=float32, context=context).tted == 0.0


@given(left=trees(), right=trees())
def test_sibling_order_matters_to_the_ordered_distance_only(left, right):
    def mirrored(tree):
        return TextTree.from_children(tree.labels, [below[::-1] for below in tree.children])

    for order in SOLVERS:
        one, both = (
            compare(left, mirrored(right), encoder=hashed, order=order).tted,
            compare(mirrored(left), right, encoder=hashed, order=order).tted,
        )
        assert one == pytest.approx(both, abs=TOLERANCE)
        if order != "ordered":
            assert one == pytest.approx(compare(left, right, encoder=hashed, order=order).tted, abs=TOLERANCE)
            assert compare(left, mirrored(left), encoder=hashed, order=order).tted == 0.0
