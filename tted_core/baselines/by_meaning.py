"""Measures by the cosines of sentence vectors: those of other papers, and controls that ignore the hierarchy."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from tted_core.baselines.kernel import (
    BaselineScore,
    F1Score,
    Vectors,
    cosines,
    f1_score,
    node_cosines,
    node_vectors,
    share_score,
)
from tted_core.baselines.sim import best_assignment, best_total
from tted_core.baselines.suite import linear_text
from tted_core.encoders.embedding import embed
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.solvers import EditProblem, solve
from tted_core.tree import TextTree

# CEDS, catalogue edit distance similarity, computed like its authors' repository zhukun1020/HiCaD.
#
# Zhu et al., "Hierarchical Catalogue Generation for Literature Review: A Benchmark", Findings of EMNLP
# 2023. CEDS = 1 - TED / max(n, m), of ordered trees; a missing node costs 1 and a replaced one min(1, 1.2
# (1 - sim)). The authors put both catalogues below a node "root" that doesn't count, and use BERTScore's F1 by
# SciBERT for sim. Here it is the encoder's cosine, so numbers differ from theirs.

ALPHA = 1.2  # weight of a missing similarity


def ceds(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """CEDS with the cosines of sentences. It can be below 0, if more is edited than the larger map has nodes."""
    costs = np.ones((len(left) + 1, len(right) + 1))
    costs[:-1, :-1] = np.minimum(1.0, ALPHA * (1.0 - node_cosines(encoder, left, right)))
    costs[-1, -1] = 0.0
    distance = solve(EditProblem(left, right, np.maximum(costs, 0.0)), "ordered").upper
    return share_score(1.0 - distance / max(len(left), len(right)))


# Continuous F1: a measure of ontologies, computed like the authors' repository andylolu2/ollm.
#
# Lo, Jiang, Li and Jamnik, "End-to-End Ontology Learning with Large Language Models", NeurIPS 2024. Their
# encoder is all-MiniLM-L6-v2 as well.


def continuous_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """The best one-to-one matching of edges, each pair scored by the lower cosine of parents and of children."""
    between = node_cosines(encoder, left, right)
    gains = np.minimum(between[np.ix_(left.parents[1:], right.parents[1:])], between[1:, 1:])
    return f1_score(best_total(gains), len(right) - 1, len(left) - 1)


# Edge F1 and ancestor F1 of taxonomy induction, after alignment of the texts.
#
# Bansal et al., ACL 2014; Mao et al., ACL 2018, repository morningmoni/TaxoRL. There both taxonomies have the same
# terms, each once. Mind maps don't, so their distinct texts are aligned first: one to one, with the largest sum of
# cosines, without pairs below ``_ALIKE``. The alignment is ours, the counting theirs. A text may occur several
# times in a map, and so may a pair of texts; a pair is found as often as it occurs in both maps. The result
# doesn't depend on the order of siblings or of nodes with equal texts.

# The cosine from which two texts count as equal: the median of synonyms in WordNet by MiniLM (Lo et al. 2024).
_ALIKE = 0.436


def edge_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """Number of edges of aligned texts that are edges in the other map too."""
    return _pairs_f1(
        lambda tree: zip(tree.parents[1:], range(1, len(tree)), strict=True), left, right, encoder
    )


def ancestor_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """Number of pairs of a node and an ancestor, of aligned texts, that are such a pair in the other map too."""
    return _pairs_f1(_pair_with_ancestors, left, right, encoder)


def _pair_with_ancestors(tree: TextTree) -> Iterator[tuple[int, int]]:
    for node, parent in enumerate(tree.parents):
        above = parent
        while above >= 0:
            yield above, node
            above = tree.parents[above]


def _pairs_f1(
    between: Callable[[TextTree], Iterable[tuple[int, int]]],
    left: TextTree,
    right: TextTree,
    encoder: Encoder,
) -> F1Score:
    """F1 of pairs of texts by the best alignment; texts with equal vectors count as one text."""
    every: list[Vectors] = []
    pairs: list[Counter[tuple[int, int]]] = []
    for tree, vectors in zip((left, right), node_vectors(encoder, left, right), strict=True):
        distinct, number = np.unique(vectors, axis=0, return_inverse=True)
        every.append(distinct)
        pairs.append(Counter((int(number[a]), int(number[b])) for a, b in between(tree)))
    similarity = cosines(*every)
    partner = {
        row: column
        for row, column in zip(*map(np.ndarray.tolist, best_assignment(similarity)), strict=True)
        if similarity[row, column] >= _ALIKE
    }
    wanted, predicted = pairs
    found = sum(
        min(count, predicted[partner[a], partner[b]])
        for (a, b), count in wanted.items()
        if a in partner and b in partner
    )
    return f1_score(found, predicted.total(), wanted.total())


# Controls: a measure of maps that agrees with people less than these is worth less than a bag of sentences
# (tted_core.lab.people).


def text_beginning(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """The cosine of both maps as texts, their sentences joined depth-first, as far as the encoder reads."""
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
    return share_score(2 * best_total(between) / sum(between.shape))


def root_cosine(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """The cosine of both roots."""
    return share_score(float(node_cosines(encoder, left, right)[0, 0]))


def size_ratio(left: TextTree, right: TextTree) -> BaselineScore:
    """The number of nodes of the smaller map, divided by that of the larger one."""
    sizes = len(left), len(right)
    return share_score(min(sizes) / max(sizes))
