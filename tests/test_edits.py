"""Edits of a map: what each keeps and changes, where every sentence stands afterwards, and what a seed means."""

from collections import Counter

import pytest
from helpers.thorough import sampled
from helpers.trees import sample, tree_of, trees
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.edits import DOSES, EDITS, edit_tree
from tted_core import TextTree
from tted_core.errors import InvalidTreeError, UnknownNameError

REEFS, HEAT, BAIKAL = (sample(f"{topic}/base") for topic in ("coral-reefs", "urban-heat", "baikal"))
SAME_TEXTS = ("shuffle", "move", "exchange")
SAME_SHAPE = ("synonyms", "meaning", "exchange")


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
    if name != "synonyms":
        assert all(tree.labels[v] == found.tree.labels[w] for v, w in found.truth.items())
    made = min(count, EDITS[name].sites(tree))
    gone, come = (made if name in names else 0 for names in (("meaning", "delete"), ("insert",)))
    if name != "insert" or count <= len(tree):
        assert len(found.truth) == len(tree) - gone
        assert len(found.tree) == len(tree) + come - (gone if name == "delete" else 0)


@pytest.mark.parametrize("name", sampled(EDITS, 4))
@pytest.mark.parametrize("tree", [REEFS, BAIKAL], ids=["English", "Russian"])
def test_a_real_map_changes_with_the_number_and_with_the_seed(name, tree):
    sites = EDITS[name].sites(tree)
    variants = {
        edit_tree(tree, name, count, seed=3, texts=HEAT.labels).tree for count in (0, sites // 2, sites)
    }
    assert len(variants) == 3
    others = {edit_tree(tree, name, sites // 2, seed=seed, texts=HEAT.labels).tree for seed in range(4)}
    assert len(others) > 1


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("shuffle", "a(b c)", "a(c b)"),
        ("delete", "a(b(c d) e)", "a"),
        ("exchange", "a(b)", "b(a)"),
    ],
)
def test_structure_by_hand(name, before, after):
    """Each has one outcome, since there is one site, or the order of sites doesn't matter."""
    tree = tree_of(before)
    assert edit_tree(tree, name, EDITS[name].sites(tree)).tree == tree_of(after)


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
    assert set(edit_tree(REEFS, "meaning", len(REEFS), texts=others).tree.labels) == {"new", "newer"}
    assert Counter(edit_tree(REEFS, "insert", 2, texts=others).tree.labels)["new"] == 1


def test_words_are_replaced_in_position_and_keep_their_capital_letter():
    tree = TextTree(("Big, big reefs",), (-1,))
    (label,) = edit_tree(tree, "synonyms", 2).tree.labels
    assert label == "Large, large reefs"


def test_a_dose_is_a_number_or_a_share():
    assert [DOSES[dose](16) for dose in ("1", "2", "3", "20%", "50%")] == [1, 2, 3, 3, 8]


def test_what_is_refused():
    with pytest.raises(UnknownNameError, match="unknown edit 'mix'; choose one of: synonyms, "):
        edit_tree(REEFS, "mix", 1)
    with pytest.raises(InvalidTreeError, match="all texts of the other map are in this one too"):
        edit_tree(REEFS, "meaning", 1, texts=REEFS.labels)
