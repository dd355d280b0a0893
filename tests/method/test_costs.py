"""What is compared: which text stands for a node, and the cost matrix."""

import numpy as np
import pytest
from helpers.encoders import hashed, with_vectors
from helpers.references import root_path
from helpers.trees import tree_of, trees
from hypothesis import given

from tted_core import contexts
from tted_core.compare import compare_maps
from tted_core.contexts import CONTEXTS, ancestors
from tted_core.distances import DISTANCES, Distance, Models
from tted_core.errors import EncoderError, LimitError
from tted_core.method import Method

VECTORS = {"": (0, 1), "a": (1, 0), "b": (0, 2), "x": (3, 0), "y": (1, 0), "z": (0, 5)}

LEFT, RIGHT = tree_of("a(b)"), tree_of("x(y z)")

OF_VECTORS = [name for name, each in DISTANCES.items() if each.reads == "encoder"]


def costs_by(name, *, factor=1.0):
    vectors = {text: [factor * number for number in vector] for text, vector in VECTORS.items()}
    return compare_maps(LEFT, RIGHT, Method(distance=name), Models(with_vectors(vectors))).costs


def test_rows_are_deleted_columns_inserted_and_the_gap_is_last():
    assert costs_by("manhattan").tolist() == [
        [2.0, 0.0, 6.0, 2.0],
        [5.0, 3.0, 3.0, 1.0],
        [4.0, 2.0, 4.0, 0.0],
    ]


@pytest.mark.parametrize("name", OF_VECTORS)
def test_every_entry_is_a_distance(name):
    left, right = (np.array([VECTORS[label] for label in tree.labels], float) for tree in (LEFT, RIGHT))
    empty = np.array([VECTORS[""]], float)
    distance = DISTANCES[name].function
    costs = costs_by(name)
    assert costs.shape == (3, 4)
    assert costs[:-1, :-1] == pytest.approx(distance(left, right))
    assert costs[:-1, -1] == pytest.approx(distance(left, empty)[:, 0])
    assert costs[-1, :-1] == pytest.approx(distance(empty, right)[0])
    assert costs[-1, -1] == 0.0


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e-9])
def test_costs_that_would_mislead_a_solver_are_refused(value, monkeypatch):
    def bad(left, right):
        costs = np.ones((len(left), len(right)))
        costs[0, 1] = value
        return costs

    monkeypatch.setitem(DISTANCES, "bad", Distance("bad", bad, ""))
    with pytest.raises(EncoderError, match="negative or not a number"):
        costs_by("bad")


def test_vectors_too_long_for_their_distance_are_refused():
    with np.errstate(over="ignore"), pytest.raises(EncoderError, match="negative or not a number"):
        costs_by("manhattan", factor=3e307)


TREE = tree_of("a(b(c d) e)")


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("none", ("a", "b", "c", "d", "e")),
        ("ancestors", ("a", "a b", "a b c", "a b d", "a e")),
        ("parent", ("a", "a b", "b c", "b d", "a e")),
    ],
)
def test_texts(name, texts):
    assert CONTEXTS[name].texts(TREE) == texts


@pytest.mark.parametrize("name", CONTEXTS)
@given(tree=trees(max_nodes=9))
def test_one_text_per_node_that_ends_with_its_label(name, tree):
    texts = CONTEXTS[name].texts(tree)
    assert len(texts) == len(tree)
    assert texts[0] == tree.labels[0]
    assert all(text.endswith(label) for text, label in zip(texts, tree.labels, strict=True))


@given(trees(max_nodes=9))
def test_ancestors_are_joined_from_the_root_down_by_one_space(tree):
    for node, text in enumerate(ancestors(tree)):
        assert text == " ".join(tree.labels[above] for above in reversed(root_path(tree, node)))


def test_trimming_changes_no_context():
    assert ancestors(TREE.trimmed(2)) == ("a", "a b", "a e")


def test_the_limit_counts_the_joined_texts(monkeypatch):
    total = sum(map(len, ancestors(TREE)))
    monkeypatch.setattr(contexts, "MAX_CONTEXT_CHARACTERS", total)
    assert ancestors(TREE)
    monkeypatch.setattr(contexts, "MAX_CONTEXT_CHARACTERS", total - 1)
    with pytest.raises(LimitError, match=f'{total} characters .*compare with context "none"'):
        ancestors(TREE)


# TREE's sentences on a line: the vectors of a, b, c, d, e.
OWN = np.array([[0.0], [8.0], [2.0], [4.0], [16.0]])


@pytest.mark.parametrize(
    ("name", "blended"),
    [
        ("path", [0, 4, 3, 4, 8]),
        ("children", [0 + 24 / 4, 4 + 6 / 4, 2, 4, 16]),
        ("subtree", [30 / 10, 4 + 14 / 6, 2, 4, 16]),
    ],
)
def test_blends_by_hand(name, blended):
    assert CONTEXTS[name].blend(TREE, OWN)[:, 0] == pytest.approx(blended)


@pytest.mark.parametrize("name", [name for name, context in CONTEXTS.items() if context.blend])
@given(tree=trees(max_nodes=6))
def test_a_blend_is_linear_and_can_be_undone(name, tree):
    """Why trees that differ stay different."""
    matrix = CONTEXTS[name].blend(tree, np.eye(len(tree)))
    assert matrix.sum(axis=1) == pytest.approx(1.0)  # a mean: equal sentences stay what they are
    assert np.linalg.matrix_rank(matrix) == len(tree)
    assert CONTEXTS[name].blend(tree, hashed(tree.labels)) == pytest.approx(matrix @ hashed(tree.labels))
