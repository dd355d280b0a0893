"""Contexts: which text stands for a node."""

import numpy as np
import pytest
from helpers.encoders import hashed
from helpers.references import root_path
from helpers.trees import tree_of, trees
from hypothesis import given

from tted_core import contexts
from tted_core.contexts import CONTEXTS, ancestors
from tted_core.errors import LimitError

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
