"""``rouge_sim`` and ``rouge_bag``: the best one-to-one matching of edges, or of sentences, by ROUGE.

The edges of a map are enumerated here for all ROUGE baselines.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from itertools import pairwise
from typing import Any, TypeAlias, TypeVar

import numpy as np
import regex
from numpy.typing import NDArray

from tted_core.baselines.kernel import BaselineScore, kernel_score
from tted_core.errors import check_limit
from tted_core.tree import TextTree
from tted_core.words.splitting import NO_SPACES

# Maximum pairs of words for a ROUGE baseline: words of the left map times words of the right one.
MAX_BASELINE_WORD_PAIRS = 60_000_000

# Shared by the ROUGE baselines: a map's edges, its distinct labels, and the scores of pairs of edges.

Text: TypeAlias = list[list[str]]  # the words of each sentence
Edge: TypeAlias = tuple[int, int]  # a parent and its child, as preorder indices

# The labels of the edges' upper ends and of their lower ends, as numbers.
LabelEdges: TypeAlias = tuple[NDArray[np.intp], NDArray[np.intp]]


def breadth_first_edges(tree: TextTree) -> list[Edge]:
    """Edges (parent, child): a node's child edges, then recursively those of each child."""
    # Preorder is the order of the recursion.
    return [(node, child) for node, children in enumerate(tree.children) for child in children]


def split_labels(left: TextTree, right: TextTree, split: Callable[[str], Text]) -> dict[str, Text]:
    """Each distinct label of both maps, split into words once."""
    texts = {label: split(label) for label in dict.fromkeys((*left.labels, *right.labels))}
    words = max(
        sum(len(sentence) for label in set(tree.labels) for sentence in texts[label])
        for tree in (left, right)
    )
    check_limit(
        words**2,  # maps are also compared with themselves
        MAX_BASELINE_WORD_PAIRS,
        "pairs of words for a ROUGE baseline",
        "leave the baselines out or trim the maps to fewer levels",
    )
    return texts


def label_edges(tree: TextTree, texts: Iterable[str], edges: Sequence[Edge] | None = None) -> LabelEdges:
    """Edges of a tree, by default all, breadth-first, as indices of their labels among the distinct ``texts``."""
    index = {label: number for number, label in enumerate(texts)}
    indices = np.array([index[label] for label in tree.labels])
    ends = np.array(breadth_first_edges(tree) if edges is None else edges, dtype=np.intp)
    parents, children = indices[ends.reshape(-1, 2).T]
    return parents, children


def edge_gains(scores: NDArray[np.float64], rows: LabelEdges, columns: LabelEdges) -> NDArray[np.float64]:
    """R(parents) + R(children) of each edge of ``rows`` with each of ``columns``; ``scores`` contains all R."""
    (p, c), (q, d) = rows, columns
    return scores[np.ix_(p, q)] + scores[np.ix_(c, d)]


# Common items of all pairs of texts, counted in one pass and converted to F1 scores.

Item = TypeVar("Item", bound=Hashable)

CELLS_AT_ONCE = 1 << 18  # pairs of texts whose intermediate results are in memory at once


def row_blocks(texts: int) -> Iterator[slice]:
    """Slices of rows that split all pairs of ``texts`` texts into blocks of bounded size."""
    height = max(1, CELLS_AT_ONCE // max(1, texts))
    return (slice(start, min(start + height, texts)) for start in range(0, max(1, texts), height))


def number_occurrences(items: Iterable[Item]) -> Iterator[tuple[Item, int]]:
    """Each item with the number of its previous occurrences, which makes equal items distinct.

    >>> list(number_occurrences("abaa"))
    [('a', 0), ('b', 0), ('a', 1), ('a', 2)]

    The intersection of two such sets is that of the two multisets.
    """
    seen: defaultdict[Item, int] = defaultdict(int)
    for item in items:
        yield item, seen[item]
        seen[item] += 1


def count_common(texts: Sequence[Iterable[Hashable]]) -> NDArray[np.int32]:
    """(t, t): the number of distinct items that two of t texts have in common; in the diagonal, that of each text.

    >>> count_common(["abb", "bc"]).tolist()
    [[2, 1], [1, 2]]
    """
    holders: defaultdict[Hashable, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        for item in dict.fromkeys(text):
            holders[item].append(number)
    common = np.zeros((len(texts), len(texts)), dtype=np.int32)
    for group in holders.values():
        common[np.ix_(group, group)] += 1
    return common


def f1_scores(
    common: NDArray[np.integer],
    row_sizes: NDArray[np.integer],
    column_sizes: NDArray[np.integer],
    formula: Callable[[int, int, int], float],
) -> NDArray[np.float64]:
    """``formula(in common, row's size, column's size)`` of each pair of texts with common items; otherwise 0.

    The packages' own formulas take single numbers, so they are called once per distinct triple.
    """
    rows, columns = np.nonzero(common)
    sizes = common[rows, columns], row_sizes[rows], column_sizes[columns]
    limits = [int(size.max(initial=0)) + 1 for size in sizes]
    distinct, inverse = np.unique(np.ravel_multi_index(sizes, limits), return_inverse=True)
    triples = zip(*(each.tolist() for each in np.unravel_index(distinct, limits)), strict=True)
    values = np.array([formula(*triple) for triple in triples])
    scores = np.zeros(common.shape)
    scores[rows, columns] = values[inverse]
    return scores


def lcs_lengths(rows: Sequence[Sequence[int]], columns: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """The length of the longest common subsequence of each row with each column."""
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cdist

    return cdist(rows, columns, scorer=LCSseq.similarity, dtype=np.int64)


# The best one-to-one matching: the assignment problem, solved by scipy (Jonker and Volgenant 1987).


def best_assignment(gains: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the pairs with the largest sum of gains; for n x m, min(n, m) pairs."""
    rows, columns = _assignment_module().linear_sum_assignment(gains, maximize=True)
    return rows, columns


def best_total(gains: NDArray[np.float64]) -> float:
    """The largest sum of gains of a one-to-one matching."""
    rows, columns = best_assignment(gains)
    return float(gains[rows, columns].sum())


@cache
def _assignment_module() -> Any:
    """The module of scipy for assignment, without the package around it, which takes 0.3 s to import."""
    import scipy

    found = PathFinder.find_spec("_lsap", [f"{folder}/optimize" for folder in scipy.__path__])
    if found is None or found.loader is None:  # a scipy with another layout
        return import_module("scipy.optimize")
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module


# ``rouge_sim``: equation (6) of Sobolevsky and Vorontsov 2025, with the best one-to-one matching of edges.
#
# Sim(T, T') is the maximum over one-to-one matchings P of the edges of T and T' of the sum of R(parents) +
# R(children) over P, where R is the mean F1 of ROUGE-1, ROUGE-2 and ROUGE-L as the package rouge-score
# defines them. The tokenizer is ours: the package's own keeps only a-z and 0-9, so that it scores identical
# Russian sentences 0. The counting is ours too, for all pairs of labels together; the package processes them one
# by one.

# A word, or one sign of a script that writes no spaces between words.
TOKEN = regex.compile(rf"[{NO_SPACES}]|[\w\p{{M}}]+")


def rouge_sim(left: TextTree, right: TextTree) -> BaselineScore:
    """Sim and rho_base by optimal matching."""
    texts = split_labels(left, right, split)
    scores = label_scores(texts.values())
    edges = label_edges(left, texts), label_edges(right, texts)
    return kernel_score(lambda one, other: best_total(edge_gains(scores, one, other)), *edges)


def split(label: str) -> Text:
    """Lower-cased words of any script, as one sentence."""
    return [TOKEN.findall(label.lower())]


def label_scores(texts: Collection[Text]) -> NDArray[np.float64]:
    """R of all pairs of texts: the mean F1 of ROUGE-1, ROUGE-2 and ROUGE-L."""
    from rouge_score.scoring import fmeasure

    def f1(common: int, target: int, prediction: int) -> float:
        return float(fmeasure(common / prediction, common / target))

    number: dict[str, int] = {}
    words = [[number.setdefault(word, len(number)) for word in sentence] for (sentence,) in texts]
    ones = count_common([list(number_occurrences(text)) for text in words])
    twos = count_common([list(number_occurrences(pairwise(text))) for text in words])
    sizes, pairs = ones.diagonal(), twos.diagonal()
    blocks = []
    for rows in row_blocks(len(words)):
        rouge_1 = f1_scores(ones[rows], sizes[rows], sizes, f1)
        rouge_2 = f1_scores(twos[rows], pairs[rows], pairs, f1)
        rouge_l = f1_scores(lcs_lengths(words[rows], words), sizes[rows], sizes, f1)
        blocks.append((rouge_1 + rouge_2 + rouge_l) / 3)
    return np.concatenate(blocks)


# ``rouge_bag``: ``rouge_sim`` without the edges, for a map as a bag of sentences.
#
# Sim(T, T') is the maximum over one-to-one matchings P of the nodes of T and T' of the sum of R over P, with the
# same R as above. It ignores the structure: a map whose sentences were regrouped scores as high as the map itself.


def rouge_bag(left: TextTree, right: TextTree) -> BaselineScore:
    """Sim and rho_base by optimal matching of sentences, ignoring the hierarchy."""
    texts = split_labels(left, right, split)
    scores = label_scores(texts.values())
    index = {label: number for number, label in enumerate(texts)}
    nodes = [np.array([index[label] for label in tree.labels]) for tree in (left, right)]
    return kernel_score(lambda one, other: best_total(scores[np.ix_(one, other)]), *nodes)
