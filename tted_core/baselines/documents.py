"""Measures of documents and outlines, and controls of structure, which ignore the hierarchy of sentences."""

from collections.abc import Iterable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines.kernel import BaselineScore, cosines, node_cosines, node_vectors, share_score
from tted_core.baselines.sim import best_assignment
from tted_core.baselines.suite import linear_text
from tted_core.encoders.embedding import embed, unit_vectors
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import LimitError
from tted_core.foundations.limits import check_limit
from tted_core.solvers import EditProblem, solve
from tted_core.tree import TextTree

MAX_STED_PAIRS = 100_000
"""Maximum pairs of nodes with children on one level of two maps for the baseline STED: about 5 seconds."""

# STED, semantic tree edit distance of JSON documents: Wang et al., arXiv 2512.23712, equations 2 to 4.
#
# STED compares documents, so a map is written as one: an object with its sentence as "text" and, unless it is a
# leaf, an array "children" of such objects. Fields of the same name are compared, and only a pair of sentences
# costs between 0 and 1: half the cost of structure, which is 0, and half that of content, 1 - cos. The formula
# is the paper's, with the cosine as similarity of two texts and costs up to 1; the authors' code uses (cos + 1)
# / 2, which makes unrelated texts half similar. Later versions of the repository amazon-science/sted match
# children by structure only, which is the same for all here.

LAMBDA = 0.1
"""Additional cost of each surplus child, besides 1 for missing."""

CONTENT = 0.5
"""The weight of content; structure has the rest."""

Costs = NDArray[np.float64]


def sted(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """STED with the cosines of sentences."""
    return sted_by(left, right, node_cosines(encoder, left, right))


def sted_by(left: TextTree, right: TextTree, similarity: Costs) -> BaselineScore:
    """STED with (n, m) similarities of the nodes; raises ``LimitError`` like ``sted``.

    A pair of nodes costs min(1, d / max(number of fields)), where d is the cost of their sentences, of their
    children, and of an array that only one of them has. Nodes are matched on the same level only.
    """
    inner = [_inner(tree) for tree in (left, right)]
    check_limit(
        sum(len(nodes) * len(others) for nodes, others in zip(*inner, strict=False)),
        MAX_STED_PAIRS,
        "pairs of nodes with children on one level for STED",
        "leave it out or trim the maps to fewer levels",
    )
    texts = CONTENT * np.minimum(1.0, 1.0 - similarity)
    leaves = [np.array([not each for each in tree.children]) for tree in (left, right)]
    one_has = np.minimum(1.0, (texts + 1.0 + LAMBDA) / 2)
    costs = np.where(leaves[0][:, None] & leaves[1], texts, one_has)
    children = [[np.array(each) for each in tree.children] for tree in (left, right)]
    between = partial(children_cost, costs)
    for nodes, others in reversed(list(zip(*inner, strict=False))):
        for node in nodes:
            for other in others:
                below = between(children[0][node], children[1][other])
                costs[node, other] = min(1.0, (texts[node, other] + below) / 2)
    return share_score(1.0 - float(costs[0, 0]))


def children_cost(costs: Costs, nodes: NDArray[np.intp], others: NDArray[np.intp]) -> float:
    """The cost of two arrays: best matching plus 1 + ``LAMBDA`` per unmatched child, per position; up to 1."""
    gains = -costs[np.ix_(nodes, others)]
    rows, columns = best_assignment(gains)
    more = abs(len(nodes) - len(others))
    total = (1 + LAMBDA) * more - float(gains[rows, columns].sum())
    return min(1.0, total / max(len(nodes), len(others)))


def _inner(tree: TextTree) -> list[list[int]]:
    """The nodes with children, by level."""
    levels: list[list[int]] = [[] for _ in range(tree.depth)]
    for node, (depth, children) in enumerate(zip(tree.depths, tree.children, strict=True)):
        if children:
            levels[depth - 1].append(node)
    return levels


# CEDS, catalogue edit distance similarity, computed like its authors' repository zhukun1020/HiCaD.
#
# Zhu et al., "Hierarchical Catalogue Generation for Literature Review: A Benchmark", Findings of EMNLP
# 2023. CEDS = 1 - TED / max(n, m), of ordered trees; a missing node costs 1 and a replaced one min(1, 1.2
# (1 - sim)). The authors put both catalogues below a node "root" that doesn't count, and use BERTScore's F1 by
# SciBERT for sim. Here it is the encoder's cosine, so numbers differ from theirs; ``ceds_by`` takes any other
# similarity.

ALPHA = 1.2
"""Weight of a missing similarity."""


def ceds(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """CEDS with the cosines of sentences. It can be below 0, if more is edited than the larger map has nodes."""
    return ceds_by(left, right, node_cosines(encoder, left, right))


def ceds_by(left: TextTree, right: TextTree, similarity: NDArray[np.float64]) -> BaselineScore:
    """CEDS with (n, m) similarities of the nodes, up to 1."""
    costs = np.ones((len(left) + 1, len(right) + 1))
    costs[:-1, :-1] = np.minimum(1.0, ALPHA * (1.0 - similarity))
    costs[-1, -1] = 0.0
    distance = solve(EditProblem(left, right, np.maximum(costs, 0.0)), "ordered").upper
    return share_score(1.0 - distance / max(len(left), len(right)))


# Soft heading recall of outlines (Shao et al., STORM, NAACL 2024), computed like the repository
# stanford-oval/storm.
#
# The count of a set is soft (Fränti and Mariescu-Istodor 2023): a text counts less if there are similar ones. The
# authors' encoder is paraphrase-MiniLM-L6-v2, and headings are those of an article; here every sentence is one.


def soft_heading_recall(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """Share of the left map's sentences that the right map has, ignoring the hierarchy.

    |G| + |P| - |G ∪ P| over |G|, with soft counts of the sets G of the left and P of the right map's sentences.
    A soft count isn't monotone: a union can count less than one of its sets, and more than both together. The
    authors' code then leaves [0, 1]; here such a recall is clipped to 1 or 0.
    """
    known = embed(encoder, (*left.labels, *right.labels))

    def count(labels: Iterable[str]) -> float:
        return soft_count(np.array([known[label] for label in dict.fromkeys(labels)]))

    wanted = count(left.labels)
    common = wanted + count(right.labels) - count((*left.labels, *right.labels))
    return share_score(min(1.0, max(0.0, common / wanted)))


def soft_count(vectors: NDArray[np.float64]) -> float:
    """The sum of 1 / (sum of a vector's cosines with all vectors, including itself)."""
    units = unit_vectors(vectors)
    weights = units @ units.sum(axis=0)
    if not (weights > 0).all():
        raise LimitError(
            "soft heading recall is undefined for these maps: a sentence's cosines with the others sum to less "
            "than -1; leave it out, or choose another encoder"
        )
    return float((1 / weights).sum())


# Controls: a measure of maps that agrees with people less than these is worth less than a bag of sentences
# (tted_core.lab.people). All except ``size_ratio`` are cosines of the encoder's vectors, or means of cosines.


def mean_vector(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """The cosine of both maps' mean vectors."""
    means = [vectors.mean(axis=0, keepdims=True) for vectors in node_vectors(encoder, left, right)]
    return share_score(float(cosines(*means)[0, 0]))


def joined_text(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """The cosine of both maps as texts, their sentences joined depth-first, up to the encoder's maximum length."""
    texts = [linear_text(left), linear_text(right)]
    vectors = embed(encoder, texts)
    rows = [np.asarray(vectors[text])[None] for text in texts]
    return share_score(float(cosines(*rows)[0, 0]))


def greedy_match(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """F1 of each sentence's highest cosine with one of the other map, like BERTScore's of tokens."""
    between = node_cosines(encoder, left, right)
    precision, recall = float(between.max(axis=0).mean()), float(between.max(axis=1).mean())
    both = precision + recall
    return share_score(2 * precision * recall / both if precision > 0 and recall > 0 else min(both, 0.0))


def best_match(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """The best one-to-one matching of sentences: twice the sum of its cosines, per sentence of both maps."""
    between = node_cosines(encoder, left, right)
    rows, columns = best_assignment(between)
    return share_score(2 * float(between[rows, columns].sum()) / sum(between.shape))


def root_cosine(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """The cosine of both roots."""
    return share_score(float(node_cosines(encoder, left, right)[0, 0]))


def size_ratio(left: TextTree, right: TextTree) -> BaselineScore:
    """The number of nodes of the smaller map, divided by that of the larger one."""
    sizes = len(left), len(right)
    return share_score(min(sizes) / max(sizes))
