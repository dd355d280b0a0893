"""``rouge_sim_published``: the baseline exactly as the published experiments computed it.

The code behind the paper's tables adapts the evaluation of CMGN (Zhang et al., AAAI 2024): for each edge of
the second tree, in its order, the best edge of the first that is still there is taken and removed; it must be
strictly better than the start value, the edge ("_", "_"), and of equals the first wins. Sim is the sum of
(R + R) / 2. R is the mean F of ROUGE-1, ROUGE-2 and ROUGE-L of the package rouge 1.0.1, whose words are
case-sensitive and keep their punctuation. Greedy, so neither symmetric nor the maximum of equation (6).
"""

import functools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from tted_core.baselines.edges import breadth_first_edges, score_matrix
from tted_core.baselines.kernel import BaselineScore, kernel_score
from tted_core.tree import TextTree

if TYPE_CHECKING:
    from rouge import Rouge

START = "_"


def rouge_sim_published(left: TextTree, right: TextTree) -> BaselineScore:
    """Sim and rho_base by the published greedy matching.

    Raises:
        LimitError: the maps have too many words.
    """
    return kernel_score(similarity, left, right)


def similarity(left: TextTree, right: TextTree) -> float:
    """Sim(T, T') by greedy matching in the order of the edges of T'."""
    edges = breadth_first_edges(left)
    scores = score_matrix(right.labels, (*left.labels, START), _words, label_similarity)
    parents = np.array([parent for parent, _ in edges], dtype=int)
    children = np.array([child for _, child in edges], dtype=int)
    total = 0.0
    for parent, child in breadth_first_edges(right):
        best_parent, best_child = scores[parent, -1], scores[child, -1]
        candidates = scores[parent, parents] + scores[child, children]
        if len(candidates) and candidates.max() > best_parent + best_child:
            best = int(candidates.argmax())
            best_parent, best_child = scores[parent, parents[best]], scores[child, children[best]]
            parents, children = np.delete(parents, best), np.delete(children, best)
        total += float((best_parent + best_child) / 2)
    return total


def label_similarity(label: str, other: str) -> float:
    """R of a label of the second tree (the reference) and one of the first (the hypothesis)."""
    with _deep_recursion(label, other):
        scores = _scorer().get_scores(other, label)[0]
    f1, f2, f_l = (scores[name]["f"] for name in ("rouge-1", "rouge-2", "rouge-l"))
    return float(f1 / 3 + f2 / 3 + f_l / 3)


def _words(label: str) -> list[str]:
    """The words that the package compares: it splits sentences at full stops, and words at white space.

    A sentence of white space alone (the middle of ". .") is one empty word to it, which can match another.
    """
    sentences = [" ".join(sentence.split()) for sentence in label.split(".") if sentence]
    return [word for sentence in sentences for word in sentence.split(" ")]


@contextmanager
def _deep_recursion(label: str, other: str) -> Iterator[None]:
    """The package walks its longest common subsequence recursively, one frame a word."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, limit + len(label) + len(other)))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


@functools.cache
def _scorer() -> "Rouge":
    from rouge import Rouge

    return Rouge()
