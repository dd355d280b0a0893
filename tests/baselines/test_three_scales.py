"""Similarity at three scales, against slow versions of the definitions and the axioms of a metric."""

import itertools

import numpy as np
import pytest
from helpers.encoders import nearer
from helpers.trees import sample, tree_of, trees
from hypothesis import given

from tted_core import compare
from tted_core.baselines import BASELINES, SCALES
from tted_core.batch.memory import compare_many, distance_matrix
from tted_core.distances import Models
from tted_core.errors import OptionsError
from tted_core.method import Method

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
