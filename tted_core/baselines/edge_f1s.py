"""F1 of edges, as measures of ontologies, taxonomies and concept maps count them."""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache

import numpy as np

from tted_core.baselines.kernel import F1Score, Vectors, cosines, f1_score, node_cosines, node_vectors
from tted_core.baselines.sim import best_assignment
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.tree import TextTree
from tted_core.words.languages import NAMES, languages_of

# Continuous, Fuzzy and Graph F1: measures of ontologies, as the authors' repository andylolu2/ollm computes
# them.
#
# Lo, Jiang, Li and Jamnik, "End-to-End Ontology Learning with Large Language Models", NeurIPS 2024. Their
# encoder is all-MiniLM-L6-v2 as well, pooled and not brought to length 1, which matters to Graph F1 alone.

ALIKE = 0.436
"""The cosine from which on two texts are taken for the same: the authors' threshold, the median cosine of synonyms
in WordNet by MiniLM."""

ROUNDS = 2
"""How often a node's vector is mixed with its parent's: the number of the published figures."""


def continuous_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """The best one-to-one matching of edges, each pair worth the lower cosine of parents and of children."""
    gains = np.minimum(*_edge_cosines(left, right, encoder))
    rows, columns = best_assignment(gains)
    return f1_score(float(gains[rows, columns].sum()), len(right) - 1, len(left) - 1)


def fuzzy_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """The share of edges that have an edge in the other map with both ends at least ``ALIKE``."""
    parents, children = _edge_cosines(left, right, encoder)
    alike = (parents >= ALIKE) & (children >= ALIKE)
    found, wanted = (int(alike.any(axis=axis).sum()) for axis in (0, 1))
    return f1_score(found, len(right) - 1, len(left) - 1, found_wanted=wanted)


def graph_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """The best one-to-one matching of nodes by the cosines of vectors after ``ROUNDS`` graph convolutions."""
    vectors = node_vectors(encoder, left, right)
    gains = cosines(*(convolved(tree, each) for tree, each in zip((left, right), vectors, strict=True)))
    rows, columns = best_assignment(gains)
    return f1_score(float(gains[rows, columns].sum()), len(right), len(left))


def convolved(tree: TextTree, vectors: Vectors) -> Vectors:
    """Simple graph convolution (Wu et al. 2019) with edges from parents to children and the identity as weights.

    In a round a node's vector becomes the sum of what comes in along its edge and its own loop, each divided by
    the root of both ends' in-degrees: 1 for the root, whose loop is all, and 2 for the others.
    """
    parents = np.maximum(tree.parents, 0)
    roots = np.array(tree.parents)[:, None] < 0
    degrees = np.where(roots, 1.0, 2.0)
    for _ in range(ROUNDS):
        flow = vectors[parents] / np.sqrt(degrees * degrees[parents])
        vectors = vectors / degrees + np.where(roots, 0.0, flow)
    return vectors


def _edge_cosines(left: TextTree, right: TextTree, encoder: Encoder) -> tuple[Vectors, Vectors]:
    """(n - 1, m - 1) cosines of the edges' parents, and of their children: all nodes but the root."""
    between = node_cosines(encoder, left, right)
    return between[np.ix_(left.parents[1:], right.parents[1:])], between[1:, 1:]


# Edge F1 and ancestor F1 of taxonomy induction, after alignment of the texts.
#
# Bansal et al., ACL 2014; Mao et al., ACL 2018, repository morningmoni/TaxoRL. There both taxonomies have
# the same terms, each once. Two mind maps don't, so their distinct texts are aligned before: one to one, so
# that the cosines sum to the most, but for pairs below ``ALIKE``. The alignment is ours, the counting theirs.
# A text may stand in a map several times, and so may a pair of texts; a pair is found as often as it stands in
# both maps. Which of several nodes of one text is which makes no difference, nor does the order of siblings.

Pairs = Counter[tuple[int, int]]
"""How often a text stands above another, by their numbers."""


def edge_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """How many edges, of texts that are aligned, are an edge in the other map too."""
    return _pairs_f1(_edges, left, right, encoder)


def ancestor_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """How many pairs of a node and one above it, of aligned texts, are such a pair in the other map too."""
    return _pairs_f1(_lines, left, right, encoder)


def _edges(tree: TextTree) -> Iterator[tuple[int, int]]:
    """Each node's parent, and the node."""
    return ((parent, node) for node, parent in enumerate(tree.parents) if parent >= 0)


def _lines(tree: TextTree) -> Iterator[tuple[int, int]]:
    """Each node above another, and the other."""
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
    """F1 of pairs of texts by the best alignment; texts of one vector count as one text."""
    every: list[Vectors] = []
    pairs: list[Pairs] = []
    for tree, vectors in zip((left, right), node_vectors(encoder, left, right), strict=True):
        distinct, number = np.unique(vectors, axis=0, return_inverse=True)
        every.append(distinct)
        pairs.append(Counter((int(number[a]), int(number[b])) for a, b in between(tree)))
    similarity = cosines(*every)
    partner = {
        row: column
        for row, column in zip(*map(np.ndarray.tolist, best_assignment(similarity)), strict=True)
        if similarity[row, column] >= ALIKE
    }
    wanted, predicted = pairs
    found = sum(
        min(count, predicted[partner[a], partner[b]])
        for (a, b), count in wanted.items()
        if a in partner and b in partner
    )
    return f1_score(found, predicted.total(), wanted.total())


# Strict proposition match of concept maps, as UKPLab/emnlp2017-cmapsum-corpus computes it.
#
# Falke and Gurevych, "Bringing Structure into Summaries", EMNLP 2017. A proposition is a concept, a
# relation and a concept as one text. A mind map's edges have no relation, so it is the parent's sentence
# and the child's, as in the authors' unlabelled variant. Two match if they are equal after lower-casing,
# dropping of determiners and stemming (Snowball, in the maps' language; theirs is English). The authors' code
# means to drop punctuation too, but a slip keeps it, and so does this. Their other variant scores pairs by
# METEOR 1.5, whose tables of paraphrases could not be had.

DETERMINERS = frozenset(
    ["a", "an", "all", "any", "the", "there", "there's", "these", "this", "that", "those", "many", "most"]
)
"""The authors' list of words that don't count."""


def concept_map_match(left: TextTree, right: TextTree) -> F1Score:
    """How many propositions, an edge's two sentences each, the other map has too, by stems of words."""
    stem = _stemmer(_language(left.labels, right.labels))
    wanted, predicted = propositions(left, stem), propositions(right, stem)
    known, found = set(wanted.values()), set(predicted.values())
    return f1_score(
        sum(bool(stems) and stems in known for stems in predicted.values()),
        len(predicted),
        len(wanted),
        found_wanted=sum(bool(stems) and stems in found for stems in wanted.values()),
    )


def propositions(tree: TextTree, stem: Callable[[str], str]) -> dict[str, str]:
    """Each distinct proposition, in lower case, and its stems."""
    edges = zip(tree.labels[1:], tree.parents[1:], strict=True)
    texts = (f"{tree.labels[parent].lower()} {label.lower()}" for label, parent in edges)
    return {text: " ".join(stem(word) for word in text.split() if word not in DETERMINERS) for text in texts}


@lru_cache(maxsize=256)
def _language(*labels: tuple[str, ...]) -> str:
    """The name of the language of most labels; English where no other is told."""
    told = languages_of(label for side in labels for label in side)
    return NAMES[next(iter(told))].lower() if told else "english"


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    """What stems a word of this language; as an English one where Snowball doesn't know it."""
    import snowballstemmer  # not nltk, which takes a second to import

    known = language in snowballstemmer.algorithms()
    stemmer = snowballstemmer.stemmer(language if known else "english")
    alone = threading.Lock()  # it keeps the word that it is at

    @lru_cache(maxsize=20_000)
    def stem(word: str) -> str:
        with alone:
            return str(stemmer.stemWord(word))

    return stem
