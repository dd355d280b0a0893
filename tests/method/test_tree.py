"""TextTree: what it refuses, and what it knows of its nodes."""

import pytest
from helpers.references import root_path
from helpers.trees import tree_of, trees
from hypothesis import given
from hypothesis import strategies as st

from tted_core.errors import InvalidTreeError
from tted_core.tree import TextTree

REFUSED = [
    ((), (), "at least one node"),
    (("a",), (), "1 labels but 0 parents"),
    (("a", "b"), (-1,), "2 labels but 1 parents"),
    (("a",), (0,), "node 0 must be the root"),
    (("a", "b"), (-1, -1), "node 1 is a second root"),
    (("a", "b"), (-1, 1), "node 1 has parent 1"),  # its own parent
    (("a", "b", "c"), (-1, 2, 1), "node 1 has parent 2"),  # a cycle
    (("a", "b"), (-1, 7), "node 1 has parent 7"),
    (("a", "b"), (-1, -2), "node 1 has parent -2"),
    (("a", "b", "c", "d"), (-1, 0, 0, 1), "not in preorder"),  # breadth-first
]


@pytest.mark.parametrize(("labels", "parents", "message"), REFUSED)
def test_invalid_preorder_trees_are_refused(labels, parents, message):
    with pytest.raises(InvalidTreeError, match=message):
        TextTree(labels, parents)


def test_lists_become_tuples_so_that_trees_are_hashable_and_equal():
    tree = TextTree(["a", "b"], [-1, 0])
    assert tree == TextTree(("a", "b"), (-1, 0))
    assert len({tree, TextTree(("a", "b"), (-1, 0))}) == 1
    with pytest.raises(AttributeError):
        tree.labels = ()


def test_facts_of_a_tree():
    tree = tree_of("a(b(c d) e)")
    assert len(tree) == 5
    assert tree.children == ((1, 4), (2, 3), (), (), ())
    assert tree.depths == (1, 2, 3, 3, 2)
    assert tree.depth == 3
    assert tree.sizes == (5, 3, 1, 1, 1)
    assert tree.nodes_to_depth(2) == (0, 1, 4)


@given(trees(max_nodes=12))
def test_facts_agree_with_the_parents(tree):
    for node in range(len(tree)):
        path = root_path(tree, node)
        assert tree.depths[node] == len(path)
        subtree = [other for other in range(len(tree)) if node in root_path(tree, other)]
        assert subtree == list(range(node, node + tree.sizes[node]))
        assert tree.children[node] == tuple(other for other in subtree if tree.parents[other] == node)


@given(trees(max_nodes=12), st.integers(1, 13))
def test_trimming_keeps_the_upper_levels(tree, depth):
    trimmed = tree.trimmed(depth)
    kept = tree.nodes_to_depth(depth)
    assert trimmed.depth == min(depth, tree.depth)
    assert trimmed.labels == tuple(tree.labels[node] for node in kept)
    assert [trimmed.depths[i] for i in range(len(trimmed))] == [tree.depths[node] for node in kept]
    assert [kept[parent] for parent in trimmed.parents[1:]] == [tree.parents[node] for node in kept[1:]]


@pytest.mark.parametrize("depth", [0, -1])
def test_a_depth_below_1_is_refused(depth):
    with pytest.raises(InvalidTreeError, match=f"depth {depth}"):
        tree_of("a(b)").trimmed(depth)


@given(trees(max_nodes=9), st.randoms(use_true_random=False))
def test_from_children_takes_any_numbering(tree, rng):
    numbers = list(range(len(tree)))
    rng.shuffle(numbers)
    labels, children = [""] * len(tree), [()] * len(tree)
    for node, number in enumerate(numbers):
        labels[number] = tree.labels[node]
        children[number] = [numbers[child] for child in tree.children[node]]
    assert TextTree.from_children(labels, children, root=numbers[0]) == tree


@pytest.mark.parametrize(
    ("labels", "children", "root", "message"),
    [
        ("ab", [[1]], 0, "2 labels but 1 child lists"),
        ("", [], 0, "the root 0 is not one of the 0 nodes"),
        ("a", [[]], 1, "the root 1"),
        ("a", [[]], -1, "the root -1"),
        ("ab", [[1], [0]], 0, r"node 0 \('a'\) has two parents or lies on a cycle"),
        ("abc", [[1, 2], [2], []], 0, r"node 2 \('c'\) has two parents"),
        ("ab", [[2], []], 0, "has the child 2, which does not exist"),
        ("ab", [[-1], []], 0, "has the child -1"),
        ("ab", [[], []], 0, r"node 1 \('b'\) can't be reached from the root 0"),
    ],
)
def test_from_children_refuses_invalid_trees(labels, children, root, message):
    with pytest.raises(InvalidTreeError, match=message):
        TextTree.from_children(labels, children, root)


def test_a_chain_of_any_length_is_no_trouble():
    size = 20_000
    tree = TextTree.from_children([""] * size, [[node + 1] for node in range(size - 1)] + [[]])
    assert (tree.depth, tree.sizes[0]) == (size, size)
    assert tree.trimmed(10_000).depth == 10_000


@given(trees(max_nodes=4, alphabet=("", "a", "b")), trees(max_nodes=4, alphabet=("", "a", "b")))
def test_digests_are_equal_for_equal_trees_only(tree, other):
    assert (tree.digest == other.digest) == (tree == other)


def test_a_digest_is_pinned():
    assert TextTree(("Корень", 'a "b"'), (-1, 0)).digest[:16] == "a35ef86caafe8a55"
