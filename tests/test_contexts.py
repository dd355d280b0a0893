"""Contexts: which text stands for a node."""

import pytest
from helpers.references import root_path
from helpers.trees import tree_of, trees
from hypothesis import given

from tted_core import contexts
from tted_core.contexts import CONTEXTS, ancestors
from tted_core.errors import LimitError

TREE = tree_of("a(b(c d) e)")


@pytest.mark.parametrize(
    ("name", "texts"),
    [("none", ("a", "b", "c", "d", "e")), ("ancestors", ("a", "a b", "a b c", "a b d", "a e"))],
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
def test_ancestors_stand_from_the_root_down_joined_by_one_space(tree):
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
