"""Edits of a map: what each keeps and changes, where every sentence stands afterwards, and what a seed means."""

from collections import Counter

import pytest
from helpers.trees import sample, tree_of, trees
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.edits import DOSES, EDITS, edit_tree
from tted_core.errors import InvalidTreeError

REEFS, HEAT = (sample(f"{topic}/base") for topic in ("coral-reefs", "urban-heat"))
SAME_TEXTS = ("move", "exchange")
SAME_SHAPE = ("swap", "exchange")


@pytest.mark.parametrize("name", EDITS)
@given(tree=trees(max_nodes=9), count=st.integers(0, 9), seed=st.integers(0, 1000))
def test_every_edit_of_any_tree(name, tree, count, seed):
    found = edit_tree(tree, name, count, seed=seed, texts=("x", "y", "z"))
    assert found == edit_tree(tree, name, count, seed=seed, texts=("x", "y", "z"))
    assert edit_tree(tree, name, 0, seed=seed, texts=("x",)).tree == tree
    assert len(set(found.truth.values())) == len(found.truth)
    if name in SAME_TEXTS:
        assert sorted(found.tree.labels) == sorted(tree.labels)
    if name in SAME_SHAPE:
        assert found.tree.parents == tree.parents
    assert all(tree.labels[v] == found.tree.labels[w] for v, w in found.truth.items())
    gone = {"swap": min(count, len(tree)), "delete": min(count, len(tree) - 1)}.get(name, 0)
    assert len(found.truth) == len(tree) - gone
    assert len(found.tree) == len(tree) + {"insert": count, "delete": -gone}.get(name, 0)


@pytest.mark.parametrize("name", EDITS)
def test_a_real_map_changes_with_the_number_and_with_the_seed(name):
    variants = {edit_tree(REEFS, name, count, seed=3, texts=HEAT.labels).tree for count in (0, 6, 12)}
    assert len(variants) == 3
    others = {edit_tree(REEFS, name, 6, seed=seed, texts=HEAT.labels).tree for seed in range(4)}
    assert len(others) > 1


@pytest.mark.parametrize(
    ("name", "before", "after"), [("delete", "a(b(c d) e)", "a"), ("exchange", "a(b)", "b(a)")]
)
def test_structure_by_hand(name, before, after):
    """Each has one outcome, since the order of the edits doesn't matter."""
    tree = tree_of(before)
    assert edit_tree(tree, name, len(tree)).tree == tree_of(after)


def test_a_moved_branch_keeps_what_is_below_it():
    tree = tree_of("a(b(c(d e)) f)")
    for seed in range(30):
        variant = edit_tree(tree, "move", 1, seed=seed).tree
        edges, new = (
            {(each.labels[p], each.labels[n]) for n, p in enumerate(each.parents) if p >= 0}
            for each in (tree, variant)
        )
        assert len(edges - new) == 1
    assert edit_tree(tree_of("r(a)"), "move", 1).tree == tree_of("r(a)")


def test_exchanged_sentences_are_one_more_than_the_count():
    for count in (1, 3):
        found = edit_tree(REEFS, "exchange", count)
        assert sum(v != w for v, w in found.truth.items()) == count + 1
        assert Counter(found.tree.labels) == Counter(REEFS.labels)


def test_inserted_texts_are_new_and_each_is_used_before_any_is_repeated():
    others = (REEFS.labels[3], "new", "newer")
    assert set(edit_tree(REEFS, "swap", len(REEFS), texts=others).tree.labels) == {"new", "newer"}
    assert Counter(edit_tree(REEFS, "insert", 2, texts=others).tree.labels)["new"] == 1


def test_a_dose_is_a_number_or_a_share():
    assert [DOSES[dose](16) for dose in ("1", "2", "3", "20%", "50%")] == [1, 2, 3, 3, 8]


def test_texts_of_another_topic_are_required():
    with pytest.raises(InvalidTreeError, match="all texts of the other map are in this one too"):
        edit_tree(REEFS, "swap", 1, texts=REEFS.labels)
