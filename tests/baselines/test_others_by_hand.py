"""The measures of trees that others proposed, in cases computed by hand, and what they refuse."""

import math

import numpy as np
import pytest
from helpers.encoders import hashed, with_vectors
from helpers.trees import tree_of, trees
from hypothesis import given
from hypothesis import strategies as st

from tted_core.baselines import BASELINES, F1Score, readable_baselines
from tted_core.errors import EncoderError, LimitError, OptionsError
from tted_core.tree import TextTree

# Unit vectors: cos R A = .6, R a = .8, A a = .96, A B = .8, a B = .6, R B = 0, and N is the opposite of R.
VECTORS = {"R": (1, 0), "A": (0.6, 0.8), "a": (0.8, 0.6), "B": (0, 1), "N": (-1, 0), "O": (0, 0)}
STAR, OTHER = tree_of("R(A B)"), tree_of("R(a N)")
CHAIN, FORK = tree_of("R(A(B))"), tree_of("R(a(N) B)")
ONE = tree_of("R(a)")

# name, left (the reference), right, precision, recall
F1S = [
    # edges R-A, R-B against R-a, R-N: .96 and 0 are more than -.6 and .6
    ("continuous_f1", STAR, OTHER, 0.96 / 2, 0.96 / 2),
    ("continuous_f1", STAR, ONE, 0.96, 0.96 / 2),
    # R-a is like R-A (.96) and like R-B (.6), R-N like none
    ("fuzzy_f1", STAR, OTHER, 1 / 2, 1.0),
    # R, A and a are aligned, B and N (0) are not; so R-a is found, and R-N isn't
    ("edge_f1", STAR, OTHER, 1 / 2, 1 / 2),
    # R, A and B are aligned: of R-a, a-N, R-B and R-A, A-B there is R-a in both
    ("edge_f1", CHAIN, FORK, 1 / 3, 1 / 2),
    # of R-a, R-N, a-N, R-B and R-A, R-B, A-B there are R-a and R-B in both
    ("ancestor_f1", CHAIN, FORK, 2 / 4, 2 / 3),
]


@pytest.mark.parametrize(("name", "left", "right", "precision", "recall"), F1S)
def test_f1_by_hand(name, left, right, precision, recall):
    score = BASELINES[name](left, right, with_vectors(VECTORS))
    f1 = 2 * precision * recall / (precision + recall)
    assert score == F1Score(*(pytest.approx(each) for each in (f1, 1, 1, 1 - f1, precision, recall)))


def test_graph_f1_by_hand():
    """After two rounds the root is R, and a child v is v/4 + 3/(2 sqrt 2) R."""

    def mixed(name):
        x, y = VECTORS[name]
        return np.array([x / 4 + 3 / math.sqrt(8), y / 4])

    def cos(v, w):
        return v @ w / math.hypot(*v) / math.hypot(*w)

    score = BASELINES["graph_f1"](STAR, OTHER, with_vectors(VECTORS))
    straight = 1 + cos(mixed("A"), mixed("a")) + cos(mixed("B"), mixed("N"))
    crosswise = 1 + cos(mixed("A"), mixed("N")) + cos(mixed("B"), mixed("a"))
    assert score.sim == pytest.approx(max(straight, crosswise) / 3)
    assert BASELINES["graph_f1"](STAR, ONE, with_vectors(VECTORS)).recall == pytest.approx(
        (1 + cos(mixed("A"), mixed("a"))) / 3
    )


def test_soft_heading_recall_by_hand():
    """Sums of cosines: R 1.6, A 2.4, B 1.8; R 1.8, a 1.8; of all four R 2.4, A 3.36, B 2.4, a 3.36."""
    left, right, both = 1 / 1.6 + 1 / 2.4 + 1 / 1.8, 2 / 1.8, 2 / 2.4 + 2 / 3.36
    score = BASELINES["soft_heading_recall"](STAR, ONE, with_vectors(VECTORS))
    assert score.sim == pytest.approx((left + right - both) / left)
    assert score.rho_base == pytest.approx(1 - score.sim)
    with pytest.raises(LimitError, match="soft heading recall is undefined"):
        BASELINES["soft_heading_recall"](STAR, OTHER, with_vectors(VECTORS))  # N has 1 - 1 - .8


def test_ceds_by_hand():
    """A becomes a for 1.2 * .04, and B goes for 1, of at most three nodes."""
    score = BASELINES["ceds"](STAR, ONE, with_vectors(VECTORS))
    assert (score.sim, score.rho_base) == pytest.approx((1 - 1.048 / 3, 1.048 / 3))


def test_sted_by_hand():
    """A is paired with a for .02, and B is missing for 1 and .1 more, of two positions; R has two fields."""
    assert BASELINES["sted"](STAR, ONE, with_vectors(VECTORS)).sim == pytest.approx(
        1 - (0 + (0.02 + 1.1) / 2) / 2
    )
    # a leaf and a node with children: .02 for the sentences, 1.1 for the array, of two fields
    inner = tree_of("R(a(B))")
    assert BASELINES["sted"](tree_of("R(A)"), inner, with_vectors(VECTORS)).sim == pytest.approx(
        1 - 1.12 / 2 / 2
    )


def test_concept_map_match_by_hand():
    """A map of the authors' samples, without relations: "the" doesn't count, and of words the stems."""
    names = "Michelle Obama", "Barack Obama"
    gold = TextTree((*names, "Harvard Law", "the 44th president of the United States"), (-1, 0, 1, 1))
    system = TextTree((*names, "44th presidents of United States", "Law at Harvard"), (-1, 0, 1, 1))
    score = BASELINES["concept_map_match"](gold, system)
    assert (score.precision, score.recall, score.rho_base) == pytest.approx((2 / 3, 2 / 3, 1 / 3))
    theirs = TextTree(("the student", "reads"), (-1, 0)), TextTree(("Students", "read"), (-1, 0))
    assert BASELINES["concept_map_match"](*theirs).sim == 1.0
    assert (
        BASELINES["concept_map_match"](*[tree_of("the(a)")] * 2).sim == 0.0
    )  # no stem is left to match, as there


def test_a_soft_recall_is_at_most_1():
    """Two unrelated sentences count 2, and less together with one between them: 2 + 1 - 1.46 of 1."""
    vectors = {"R": (1, 0), "A": (0, 1), "a": (math.sqrt(0.5), math.sqrt(0.5))}
    score = BASELINES["soft_heading_recall"](tree_of("a"), tree_of("R(A)"), with_vectors(vectors))
    assert (score.sim, score.rho_base) == (1.0, 0.0)


@given(left=trees(6), right=trees(6))
def test_shares_lie_between_0_and_1(left, right):
    """Of sentences whose cosines aren't below 0: a match by a negative one counts less than nothing."""

    def positive(texts):
        return np.abs(hashed(texts))

    for name in ("concept_map_match", *NEW):
        if name == "ceds":  # below 0 where more is edited than the larger map has
            continue
        try:
            score = BASELINES[name](left, right, positive)
        except LimitError:
            continue
        shares = [score.sim, *((score.precision, score.recall) if isinstance(score, F1Score) else ())]
        assert all(0 <= share <= 1 + 1e-12 for share in shares), name


NEW = [name for name, each in BASELINES.items() if each.reads == "encoder"]


@pytest.mark.parametrize("name", NEW)
def test_equal_maps_are_at_0_and_nodes_without_edges_are_distinguished(name):
    tree = tree_of("a(b(c d) e(f) c)")
    score = BASELINES[name](tree, tree, hashed)
    assert score.rho_base == 0.0
    assert score.rho_base == 0.0
    dot = tree_of("a")
    alone = BASELINES[name](dot, dot, hashed)
    assert alone.rho_base == (
        None if name in {"continuous_f1", "fuzzy_f1", "edge_f1", "ancestor_f1"} else 0.0
    )


@pytest.mark.parametrize("name", NEW)
def test_missing_vectors_are_refused_in_one_sentence(name):
    with pytest.raises(OptionsError, match="needs sentence vectors"):
        BASELINES[name](STAR, OTHER)
    with pytest.raises(EncoderError, match="zero vector"):
        BASELINES[name](STAR, tree_of("O(O)"), with_vectors({**VECTORS, "R A B": (1, 1), "O O": (0, 0)}))
    assert name not in readable_baselines("none")
    assert name in readable_baselines("encoder")


def test_sted_has_a_limit_on_nodes_of_one_level(monkeypatch):
    monkeypatch.setattr("tted_core.baselines.documents.MAX_STED_PAIRS", 1)
    tree = tree_of("R(A(B) a(B))")
    with pytest.raises(LimitError, match=r"5 pairs of nodes with children on one level .* trim the maps"):
        BASELINES["sted"](tree, tree, with_vectors(VECTORS))


def reordered(tree, rng):
    """Return the map with the children of every node in another order."""
    children = [rng.sample(each, len(each)) for each in map(list, tree.children)]
    return TextTree.from_children(tree.labels, children)


@given(trees(max_nodes=9, alphabet="aab"), st.randoms(use_true_random=False))
def test_a_map_with_repeated_texts_equals_itself_in_any_sibling_order(tree, rng):
    for name in ("edge_f1", "ancestor_f1"):
        score = BASELINES[name](tree, reordered(tree, rng), hashed)
        assert score.sim == (1.0 if len(tree) > 1 else 0.0)


@given(trees(alphabet="aabc"), trees(alphabet="aabc"), st.randoms(use_true_random=False))
def test_the_order_of_nodes_with_equal_texts_does_not_matter(left, right, rng):
    for name in ("edge_f1", "ancestor_f1"):
        expected = BASELINES[name](left, right, hashed)
        assert BASELINES[name](reordered(left, rng), reordered(right, rng), hashed) == expected


def test_a_pair_of_texts_counts_as_often_as_it_occurs_in_both_maps():
    """R-A twice, A-B once, against R-A once, A-B twice: R-A once and A-B once of three each.

    In the map with R-A twice, R stands above A twice and above B, A above B; in the other one R above A, twice
    above B, and A twice above B: R-A, R-B and A-B once each, of four and of five.
    """
    left, right = tree_of("R(A(B) A)"), tree_of("R(A(B B))")
    score = BASELINES["edge_f1"](left, right, with_vectors(VECTORS))
    assert (score.precision, score.recall) == pytest.approx((2 / 3, 2 / 3))
    score = BASELINES["ancestor_f1"](left, right, with_vectors(VECTORS))
    assert (score.precision, score.recall) == pytest.approx((3 / 5, 3 / 4))


def test_concept_map_match_stems_in_the_language_of_the_maps():
    """By English rules, no Russian ending would go."""
    left = TextTree(("Вода и жизнь", "Реки несут воду к морям"), (-1, 0))
    right = TextTree(("Воды и жизни", "Река несут вода к морю"), (-1, 0))
    assert BASELINES["concept_map_match"](left, right).sim == 1.0
