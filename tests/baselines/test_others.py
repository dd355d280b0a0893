"""Measures of trees that others proposed, by their authors' code and by hand, and similarity at three scales."""

import itertools
import random

import numpy as np
import pytest
from helpers.encoders import hashed, nearer, with_vectors
from helpers.trees import random_tree, sample, tree_of, trees
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from tted_core import compare
from tted_core.baselines import BASELINES, SCALES, F1Score, readable_baselines
from tted_core.baselines.kernel import node_cosines
from tted_core.batch.memory import compare_many, distance_matrix
from tted_core.distances import Models
from tted_core.errors import EncoderError, OptionsError
from tted_core.method import Method
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


EXACT = 1e-6  # equal vectors are recognised by a cosine of 1, whose root is as rough as this

FIVE, EIGHT = (trees(most, alphabet="abcdefg") for most in (5, 8))


def distance(name, left, right):
    return BASELINES[name](left, right, nearer).rho_base


def unit(vector):
    return vector / np.linalg.norm(vector)


def apart(one, other):
    return np.linalg.norm(unit(one) - unit(other)) / np.sqrt(2)


def neighbourhood_by_trying_all(left, right):
    """Literally as in docs/method.md."""
    blended = []
    for tree in (left, right):
        own = [unit(nearer([label])[0]) for label in tree.labels]
        rows = []
        for node, parent in enumerate(tree.parents):
            around = [own[parent]] if parent >= 0 else []
            below = [own[child] for child in range(len(tree)) if tree.parents[child] == node]
            around += [np.mean(below, axis=0)] if below else []
            rows.append(0.7 * own[node] + 0.3 * np.mean(around, axis=0) if around else own[node])
        blended.append(rows)
    small, large = sorted(blended, key=len)
    best = min(
        sum(min(apart(one, other), 0.8) for one, other in zip(small, chosen, strict=True))
        for chosen in itertools.permutations(large, len(small))
    )
    best += 0.4 * (len(large) - len(small))
    return 2 * best / (0.4 * (len(small) + len(large)) + best)


@given(FIVE, FIVE)
def test_neighbourhoods_against_trying_all_assignments(left, right):
    assert distance("neighbourhood", left, right) == pytest.approx(
        neighbourhood_by_trying_all(left, right), abs=EXACT
    )


@given(FIVE, FIVE)
def test_the_other_parts_and_the_mean(left, right):
    by_preset = compare(left, right, encoder=nearer, gap="=0.4", order="constrained")
    means = [np.mean([unit(vector) for vector in nearer(tree.labels)], axis=0) for tree in (left, right)]
    assert distance("tree", left, right) == pytest.approx(by_preset.steinhaus, abs=EXACT)
    assert distance("mean_vector", left, right) == pytest.approx(min(1, apart(*means)), abs=EXACT)
    *parts, mean = (distance(name, left, right) for name in SCALES)
    assert mean == pytest.approx(sum(parts) / 3, abs=1e-12)


@pytest.mark.parametrize("name", SCALES)
@given(a=EIGHT, b=EIGHT, c=EIGHT)
def test_axioms_of_a_metric(name, a, b, c):
    ab, bc, ac = (distance(name, *pair) for pair in ((a, b), (b, c), (a, c)))
    assert distance(name, a, a) == 0
    assert ab == pytest.approx(distance(name, b, a), abs=1e-9)
    assert ac <= ab + bc + 10 * EXACT
    assert 0 <= ab <= 1
    if name in {"tree", "three_scales"} and a.labels != b.labels and len(set(a.labels)) != len(set(b.labels)):
        assert ab > 0


def test_a_sentence_may_change_with_the_one_above_it():
    chain, swapped = tree_of("look(camera(cat))"), tree_of("camera(look(cat))")
    assert distance("neighbourhood", chain, swapped) < distance("tree", chain, swapped)
    assert distance("mean_vector", chain, swapped) == 0


def test_pairs_of_a_batch_and_a_matrix_have_the_numbers_of_single_ones():
    maps = [sample(f"photosynthesis/{name}") for name in ("base", "paraphrase_1", "structure_1", "meaning_1")]
    models, pairs = Models(nearer), list(itertools.combinations(range(4), 2))
    rows = compare_many([(maps[a], maps[b]) for a, b in pairs], Method(), models, baselines=SCALES)
    for name in SCALES:
        matrix = distance_matrix(maps, Method(), models, score=name)
        assert np.allclose(matrix, matrix.T)
        for (a, b), row in zip(pairs, rows, strict=True):
            single = distance(name, maps[a], maps[b])
            assert [row[f"{name}_rho"], matrix[a, b]] == pytest.approx([single, single], abs=1e-9)


def test_a_matrix_needs_vectors():
    maps = [tree_of("a(b)"), tree_of("a")]
    with pytest.raises(OptionsError, match="no three_scales: it needs sentence vectors"):
        distance_matrix(maps, Method(distance="levenshtein"), score="three_scales")


def test_a_zero_vector_leaves_out_its_own_pairs_only():
    def encode(texts):
        return np.array([[0.0, 0.0] if text == "a" else [1.0, len(text)] for text in texts])

    maps = [tree_of(text) for text in ("a", "bb", "ccc")]
    pairs = [(maps[0], maps[1]), (maps[1], maps[2])]
    method = Method(distance="euclidean")
    bad, good = compare_many(pairs, method, Models(encode), baselines=["three_scales"])
    assert bad["three_scales"] is None
    assert "three_scales: the encoder gives a zero vector" in bad["notices"]
    assert good["three_scales"] == BASELINES["three_scales"](*pairs[1], encode).sim
