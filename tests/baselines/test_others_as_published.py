"""The measures of trees that others proposed, against slow, literal versions of what their authors' code does."""

import random

import numpy as np
import pytest
from helpers.encoders import hashed
from helpers.trees import random_tree
from scipy.optimize import linear_sum_assignment

from tted_core.baselines import BASELINES
from tted_core.baselines.kernel import node_cosines
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
