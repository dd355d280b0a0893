"""The measures of trees that others proposed, against slow versions of their authors' code and by hand."""

import random

import numpy as np
import pytest
from helpers.encoders import hashed, with_vectors
from helpers.trees import random_tree, tree_of, trees
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from tted_core.baselines import BASELINES, F1Score, readable_baselines
from tted_core.baselines.kernel import node_cosines
from tted_core.errors import EncoderError, OptionsError
from tted_core.tree import TextTree

LETTERS = "abcdefgh"

DRAW = random.Random(1)

PAIRS = [tuple(random_tree(DRAW, DRAW.randint(1, 9), LETTERS) for _ in range(2)) for _ in range(60)]


def theirs_f1(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0


def test_edges_as_in_ollm():
    """andylolu2/ollm, fuzzy_and_continuous_precision_recall_f1, of dense arrays."""
    for left, right in PAIRS:
        score = BASELINES["continuous_f1"](left, right, hashed)
        edges = [[*zip(each.parents[1:], range(1, len(each)), strict=True)] for each in (right, left)]
        if not all(edges):
            assert score.sim == 0
            assert (score.rho_base is None) == (not any(edges))
            continue
        cos = node_cosines(hashed, right, left)
        sims = np.array([[min(cos[u, x], cos[v, y]) for x, y in edges[1]] for u, v in edges[0]])
        found = sims[linear_sum_assignment(sims, maximize=True)].sum()
        shares = found / len(edges[0]), found / len(edges[1])
        assert (score.precision, score.recall) == pytest.approx(shares)
        assert score.sim == pytest.approx(theirs_f1(*shares))


def test_pairs_as_in_taxorl():
    """morningmoni/TaxoRL, utils_tree.py, of taxonomies of the same terms, where the alignment is the identity."""

    def apart(texts):
        return np.eye(8)[[LETTERS.index(text) for text in texts]]

    def pairs(tree, *, all_above):
        found = set()
        for node in range(1, len(tree)):
            above = tree.parents[node]
            while above >= 0:
                found.add((tree.labels[node], tree.labels[above]))
                above = tree.parents[above] if all_above else -1
        return found

    for seed in range(30):
        draw = random.Random(seed)
        left, right = (
            TextTree(tuple(draw.sample(LETTERS, 8)), random_tree(draw, 8).parents) for _ in range(2)
        )
        for name in ("edge_f1", "ancestor_f1"):
            gold, system = (pairs(tree, all_above=name == "ancestor_f1") for tree in (left, right))
            common = sum(pair in gold for pair in system)
            shares = common / len(system), common / len(gold)
            score = BASELINES[name](left, right, apart)
            assert (score.precision, score.recall) == pytest.approx(shares)
            assert score.sim == pytest.approx(theirs_f1(*shares))


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


def test_ceds_by_hand():
    """A becomes a for 1.2 * .04, and B goes for 1, of at most three nodes."""
    score = BASELINES["ceds"](STAR, ONE, with_vectors(VECTORS))
    assert (score.sim, score.rho_base) == pytest.approx((1 - 1.048 / 3, 1.048 / 3))


NEW = [name for name, each in BASELINES.items() if each.reads == "encoder"]


@pytest.mark.parametrize("name", NEW)
def test_equal_maps_are_at_0_and_nodes_without_edges_are_distinguished(name):
    tree = tree_of("a(b(c d) e(f) c)")
    score = BASELINES[name](tree, tree, hashed)
    assert score.rho_base == 0.0
    dot = tree_of("a")
    alone = BASELINES[name](dot, dot, hashed)
    assert alone.rho_base == (None if name in {"continuous_f1", "edge_f1", "ancestor_f1"} else 0.0)


@pytest.mark.parametrize("name", NEW)
def test_missing_vectors_are_refused_in_one_sentence(name):
    with pytest.raises(OptionsError, match="needs sentence vectors"):
        BASELINES[name](STAR, OTHER)
    with pytest.raises(EncoderError, match="zero vector"):
        BASELINES[name](STAR, tree_of("O(O)"), with_vectors({**VECTORS, "R A B": (1, 1), "O O": (0, 0)}))
    assert name not in readable_baselines("none")
    assert name in readable_baselines("encoder")


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
