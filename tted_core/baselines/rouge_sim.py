"""``rouge_sim``: equation (6) of Sobolevsky and Vorontsov 2025, with the best one-to-one matching of edges.

Sim(T, T') is the maximum over one-to-one matchings P of the edges of T and T' of the sum of R(parents) +
R(children) over P, where R is the mean F1 of ROUGE-1, ROUGE-2 and ROUGE-L (package rouge-score). The
tokenizer is ours: that package's own keeps only a-z and 0-9, so that it scores identical Russian sentences 0.
"""

import functools
from typing import TYPE_CHECKING

import regex

from tted_core.baselines.edges import breadth_first_edges, score_matrix
from tted_core.baselines.kernel import BaselineScore, kernel_score
from tted_core.tree import TextTree

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer

# A word, or one sign of a script that writes no spaces between words.
TOKEN = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]|[\w\p{M}]+")


class UnicodeTokenizer:
    """Lower-cased words of any script, in the interface of rouge-score."""

    def tokenize(self, text: str) -> list[str]:
        """Split a text into tokens."""
        tokens: list[str] = TOKEN.findall(text.lower())
        return tokens


def rouge_sim(left: TextTree, right: TextTree) -> BaselineScore:
    """Sim and rho_base by optimal matching.

    Raises:
        LimitError: the maps have too many words.
    """
    return kernel_score(similarity, left, right)


def similarity(left: TextTree, right: TextTree) -> float:
    """Sim(T, T'), equation (6)."""
    from scipy.optimize import linear_sum_assignment

    left_edges, right_edges = breadth_first_edges(left), breadth_first_edges(right)
    if not left_edges or not right_edges:
        return 0.0
    scores = score_matrix(left.labels, right.labels, UnicodeTokenizer().tokenize, label_similarity)
    (p, c), (q, d) = zip(*left_edges, strict=True), zip(*right_edges, strict=True)
    gains = scores[list(p)][:, list(q)] + scores[list(c)][:, list(d)]
    rows, columns = linear_sum_assignment(gains, maximize=True)
    return float(gains[rows, columns].sum())


def label_similarity(label: str, other: str) -> float:
    """R: the mean F1 of ROUGE-1, ROUGE-2 and ROUGE-L of two texts."""
    scores = _scorer().score(label, other)
    return float(sum(score.fmeasure for score in scores.values()) / 3)


@functools.cache
def _scorer() -> "RougeScorer":
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rouge1", "rouge2", "rougeL"], tokenizer=UnicodeTokenizer())
