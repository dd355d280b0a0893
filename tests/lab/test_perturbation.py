"""Perturbations: what each keeps, what it changes, and that strength and seed mean what they say."""

from itertools import pairwise

import pytest
from helpers.thorough import sampled
from helpers.trees import sample, tree_of, trees
from hypothesis import given
from hypothesis import strategies as st

from tted_core import TextTree
from tted_core.errors import InvalidTreeError, UnknownNameError
from tted_core.foundations.limits import MAX_LABEL_CHARACTERS
from tted_core.lab.perturbation import EXPECTATIONS, PERTURBATIONS, perturb
from tted_core.lab.perturbation.draft import synonyms

DONOR = TextTree(("x", "y", "z"), (-1, 0, 0))
REEFS, HEAT, BAIKAL = (sample(f"{topic}/base") for topic in ("coral-reefs", "urban-heat", "baikal"))
STRENGTHS = st.floats(0, 1)
SEEDS = st.integers(0, 1000)
SAME_TEXTS = ("shuffle", "move", "promote", "demote", "flatten", "exchange", "structure")
SAME_SHAPE = ("paraphrase", "synonyms", "word-insertion", "word-swap", "word-deletion", "meaning", "exchange")


@pytest.mark.parametrize("name", PERTURBATIONS)
@given(tree=trees(max_nodes=9), strength=STRENGTHS, seed=SEEDS)
def test_every_perturbation_of_any_tree(name, tree, strength, seed):
    variant = perturb(tree, name, strength, seed=seed, donor=DONOR)
    assert variant == perturb(tree, name, strength, seed=seed, donor=DONOR)
    assert perturb(tree, name, 0, seed=seed, donor=DONOR) == tree
    if name in SAME_TEXTS:
        assert sorted(variant.labels) == sorted(tree.labels)
    if name in SAME_SHAPE:
        assert variant.parents == tree.parents


@pytest.mark.parametrize("name", sampled(PERTURBATIONS, 4))
@pytest.mark.parametrize("tree", [REEFS, BAIKAL], ids=["English", "Russian"])
def test_a_real_map_changes_with_strength_and_with_the_seed(name, tree):
    variants = {perturb(tree, name, strength, seed=3, donor=HEAT) for strength in (0, 0.5, 1)}
    assert len(variants) == 3
    others = {perturb(tree, name, 0.5, seed=seed, donor=HEAT) for seed in range(4)}
    assert len(others) > 1


@pytest.mark.parametrize("name", ["meaning", "synonyms", "word-deletion", "word-insertion"])
def test_the_changes_of_a_lower_strength_are_among_those_of_a_higher_one(name):
    def changed(strength):
        variant = perturb(REEFS, name, strength, seed=5, donor=HEAT)
        return {n for n, label in enumerate(variant.labels) if label != REEFS.labels[n]}

    sets = [changed(step / 10) for step in range(11)]
    assert all(lower <= higher for lower, higher in pairwise(sets))
    assert len(sets[0]) < len(sets[3]) <= len(sets[10])


def test_the_strength_is_the_share_of_the_targets():
    for strength in (0.25, 0.5, 1):
        count = round(strength * len(REEFS))
        meaning = perturb(REEFS, "meaning", strength, donor=HEAT)
        assert sum(a != b for a, b in zip(meaning.labels, REEFS.labels, strict=True)) == count
        assert len(perturb(REEFS, "insert", strength, donor=HEAT)) == len(REEFS) + count
        assert len(perturb(REEFS, "delete", strength)) == len(REEFS) - round(strength * (len(REEFS) - 1))


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("shuffle", "a(b c)", "a(c b)"),
        ("promote", "a(b(c) d)", "a(b c d)"),
        ("demote", "a(b c)", "a(b(c))"),
        ("flatten", "a(b(c d) e)", "a(b c d e)"),
        ("merge", "a(b(c))", "a(bc)"),
        ("delete", "a(b(c d) e)", "a"),
        ("exchange", "a(b)", "b(a)"),
    ],
)
def test_structure_by_hand(name, before, after):
    """Each has one outcome, as there is one target, or the order of the targets doesn't matter."""
    variant = perturb(tree_of(before), name, 1.0)
    assert (variant.labels, variant.parents) == (
        tuple(label.replace("bc", "b c") for label in tree_of(after).labels),
        tree_of(after).parents,
    )


def test_a_moved_branch_keeps_what_is_below_it():
    tree = tree_of("a(b(c(d e)) f)")
    for seed in range(30):
        variant = perturb(tree, "move", 0.2, seed=seed)
        assert len(variant) == len(tree)
        edges = {(tree.labels[p], tree.labels[n]) for n, p in enumerate(tree.parents) if p >= 0}
        new = {(variant.labels[p], variant.labels[n]) for n, p in enumerate(variant.parents) if p >= 0}
        assert len(edges - new) == 1


def test_merge_and_split_keep_the_words_in_their_order():
    words = " ".join(REEFS.labels).split()
    assert " ".join(perturb(REEFS, "split", 1).labels).split() == words
    assert sorted(" ".join(perturb(REEFS, "merge", 1).labels).split()) == sorted(words)
    assert perturb(TextTree(("One two. Three",), (-1,)), "split", 1).labels == ("One two.", "Three")


def test_merging_never_makes_a_text_too_long():
    tree = TextTree(("a" * (MAX_LABEL_CHARACTERS - 2), "bb", "c"), (-1, 0, 0))
    assert max(map(len, perturb(tree, "merge", 1).labels)) <= MAX_LABEL_CHARACTERS


def test_the_donor_gives_texts_that_the_map_has_not():
    donor = TextTree((REEFS.labels[3], "new"), (-1, 0))
    assert set(perturb(REEFS, "meaning", 1, donor=donor).labels) == {"new"}


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("mix", 0.5), UnknownNameError, "unknown perturbation 'mix'; choose one of: paraphrase, "),
        (("move", 1.5), InvalidTreeError, "the strength is 1.5; give a number from 0 to 1"),
        (("move", float("nan")), InvalidTreeError, "the strength is nan"),
        (("meaning", 0.5), InvalidTreeError, 'the perturbation "meaning" needs the texts of another map'),
    ],
)
def test_what_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        perturb(REEFS, *arguments)
    with pytest.raises(InvalidTreeError, match="the donor has no text that the map hasn't"):
        perturb(REEFS, "meaning", 0.5, donor=REEFS)


def test_the_list_of_synonyms():
    lines = [line for line in synonyms.__wrapped__().items() if line]
    assert len(lines) > 500
    for word, others in lines:
        assert word == word.lower()
        assert others
        assert all(word in synonyms()[other] for other in others)


def test_every_kind_is_there():
    assert {entry.kind for entry in PERTURBATIONS.values()} == set(EXPECTATIONS)
