"""The measures of trees that others proposed, against slow, literal versions of what their authors' code does."""

import random

import numpy as np
import pytest
from edist import ted
from helpers.encoders import hashed
from helpers.trees import random_tree
from nltk.stem.snowball import SnowballStemmer
from scipy.optimize import linear_sum_assignment

from tted_core.baselines import BASELINES
from tted_core.baselines.documents import ceds_by, sted_by
from tted_core.baselines.edge_f1s import ALIKE, DETERMINERS
from tted_core.baselines.kernel import node_cosines
from tted_core.errors import LimitError
from tted_core.tree import TextTree

LETTERS = "abcdefgh"
DRAW = random.Random(1)
PAIRS = [tuple(random_tree(DRAW, DRAW.randint(1, 9), LETTERS) for _ in range(2)) for _ in range(60)]


def theirs_f1(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0


@pytest.mark.parametrize("name", ["continuous_f1", "fuzzy_f1"])
def test_edges_as_in_ollm(name):
    """andylolu2/ollm, fuzzy_and_continuous_precision_recall_f1, of dense arrays."""
    for left, right in PAIRS:
        score = BASELINES[name](left, right, hashed)
        edges = [[*zip(each.parents[1:], range(1, len(each)), strict=True)] for each in (right, left)]
        if not all(edges):
            assert score.sim == 0
            assert (score.rho_base is None) == (not any(edges))
            continue
        cos = node_cosines(hashed, right, left)
        pairs = [[(cos[u, x], cos[v, y]) for x, y in edges[1]] for u, v in edges[0]]
        if name == "continuous_f1":
            sims = np.array([[min(pair) for pair in row] for row in pairs])
            found = sims[linear_sum_assignment(sims, maximize=True)].sum()
            shares = found / len(edges[0]), found / len(edges[1])
        else:
            hard = np.array([[min(pair) >= ALIKE for pair in row] for row in pairs])
            shares = hard.any(axis=1).mean(), hard.any(axis=0).mean()
        assert (score.precision, score.recall) == pytest.approx(shares)
        assert score.sim == pytest.approx(theirs_f1(*shares))


def test_graph_f1_as_in_ollm():
    """andylolu2/ollm, graph_precision_recall_f1: SGConv is the adjacency with loops over roots of in-degrees."""

    def convolved(tree):
        adjacency = np.eye(len(tree))
        for node, parent in enumerate(tree.parents):
            if parent >= 0:
                adjacency[node, parent] = 1
        degrees = adjacency.sum(axis=1)
        normalized = adjacency / np.sqrt(np.outer(degrees, degrees))
        vectors = normalized @ normalized @ hashed(tree.labels)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    for left, right in PAIRS:
        sim = convolved(right) @ convolved(left).T
        found = sim[linear_sum_assignment(sim, maximize=True)].sum()
        score = BASELINES["graph_f1"](left, right, hashed)
        assert (score.precision, score.recall) == pytest.approx((found / len(right), found / len(left)))


def test_soft_heading_recall_as_in_storm():
    """stanford-oval/storm, eval/metrics.py."""

    def card(texts):
        cos = node_cosines(hashed, *[TextTree(tuple(texts), (-1, *[0] * (len(texts) - 1)))] * 2)
        return (1 / cos.sum(axis=1)).sum()

    checked = 0
    for left, right in PAIRS:
        golden, predicted = set(left.labels), set(right.labels)
        try:
            found = BASELINES["soft_heading_recall"](left, right, hashed).sim
        except LimitError:
            continue
        common = card(golden) + card(predicted) - card(golden | predicted)
        assert found == pytest.approx(min(1, max(0, common / card(golden))))
        checked += 1
    assert checked > 40


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


def test_ceds_as_in_hicad():
    """zhukun1020/HiCaD, metrics.py, by edist: both trees hang under "root", which maxL doesn't count."""
    for left, right in PAIRS:
        similarity = node_cosines(hashed, left, right)
        found = ceds_by(left, right, similarity).sim

        def delta(x, y, similarity=similarity):
            if x is None or y is None:
                return 1.0
            if x < 0 or y < 0:
                return float(x != y)
            return min(1, 1.2 * (1 - min(1.0, similarity[x, y])))

        trees = []
        for tree in (left, right):
            trees += [
                [-1, *range(len(tree))],
                [[1], *([child + 1 for child in each] for each in tree.children)],
            ]
        distance = ted.ted(*trees, delta)
        most = max(len(trees[0]), len(trees[2])) - 1
        assert found == pytest.approx((100 - distance / most * 100) / 100)


def test_sted_as_in_the_paper():
    """Equations 2 to 4 of arXiv 2512.23712 on any document, written as the matching of amazon-science/sted is."""

    def document(tree, node=0):
        below = [document(tree, child) for child in tree.children[node]]
        return {"text": (tree, node), "children": below} if below else {"text": (tree, node)}

    def fields(value):
        if isinstance(value, dict):
            return [(("object", name), each) for name, each in value.items()]
        return [(("array", ""), each) for each in value] if isinstance(value, list) else []

    def cost(one, other, similarity):
        below = fields(one), fields(other)
        if not below[0] and not below[1]:
            return 0.5 * min(1, 1 - similarity[one[1], other[1]])
        if not below[0] or not below[1]:
            return 1 + len(below[0]) + len(below[1])  # one is deleted, the other's fields inserted
        n, m = map(len, below)
        size = max(n, m)
        matrix = np.ones((size, size))
        for i, (kind, value) in enumerate(below[0]):
            for j, (other_kind, other_value) in enumerate(below[1]):
                matrix[i, j] = cost(value, other_value, similarity) + (kind != other_kind)
        total = matrix[linear_sum_assignment(matrix)].sum()
        return min(1, (total + 0.1 * abs(n - m)) / size)

    for left, right in PAIRS:
        similarity = node_cosines(hashed, left, right)
        expected = 1 - cost(document(left), document(right), similarity)
        assert sted_by(left, right, similarity).sim == pytest.approx(expected)


def test_propositions_as_in_cmapsum():
    """UKPLab/emnlp2017-cmapsum-corpus: Metric.compareSets with StemSWMatch."""
    stem = SnowballStemmer("english").stem

    def matches(one, other):
        one, other = (
            " ".join(stem(word) for word in text.split() if word not in DETERMINERS) for text in (one, other)
        )
        return bool(one) and bool(other) and one == other

    words = ["the", "Reefs", "reef", "growing", "grows", "all", "sea."]
    for seed in range(40):
        draw = random.Random(seed)
        renamed = {letter: " ".join(draw.choices(words, k=draw.randint(1, 2))) for letter in LETTERS}
        left, right = (
            TextTree(tuple(renamed[label] for label in tree.labels), tree.parents) for tree in PAIRS[seed]
        )
        gold, system = (
            {
                f"{tree.labels[parent]} {label}".lower()
                for label, parent in zip(tree.labels[1:], tree.parents[1:], strict=True)
            }
            for tree in (left, right)
        )
        if gold and system:
            score = BASELINES["concept_map_match"](left, right)
            shares = [
                sum(any(matches(one, other) for other in others) for one in each) / len(each)
                for each, others in ((system, gold), (gold, system))
            ]
            assert [score.precision, score.recall] == pytest.approx(shares)
