"""F1 of edges, as counted by measures of ontologies, taxonomies and concept maps."""

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

# Continuous, Fuzzy and Graph F1: measures of ontologies, computed like the authors' repository andylolu2/ollm.
#
# Lo, Jiang, Li and Jamnik, "End-to-End Ontology Learning with Large Language Models", NeurIPS 2024. Their
# encoder is all-MiniLM-L6-v2 as well, pooled and not scaled to length 1, which matters for Graph F1 only.

ALIKE = 0.436
"""The cosine from which two texts count as equal: the authors' threshold, the median cosine of synonyms in
WordNet by MiniLM."""

ROUNDS = 2
"""Number of times a node's vector is mixed with its parent's, as for the published figures."""


def continuous_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """The best one-to-one matching of edges, each pair scored by the lower cosine of parents and of children."""
    gains = np.minimum(*_edge_cosines(left, right, encoder))
    rows, columns = best_assignment(gains)
    return f1_score(float(gains[rows, columns].sum()), len(right) - 1, len(left) - 1)


def fuzzy_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """The share of edges with an edge in the other map whose two ends have at least the cosine ``ALIKE``."""
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

    In a round a node's vector becomes the sum of the vectors along its incoming edge and its own loop, each
    divided by the root of both ends' in-degrees: 1 for the root, which has only the loop, and 2 for the others.
    """
    parents = np.maximum(tree.parents, 0)
    roots = np.array(tree.parents)[:, None] < 0
    degrees = np.where(roots, 1.0, 2.0)
    for _ in range(ROUNDS):
        flow = vectors[parents] / np.sqrt(degrees * degrees[parents])
        vectors = vectors / degrees + np.where(roots, 0.0, flow)
    return vectors


def _edge_cosines(left: TextTree, right: TextTree, encoder: Encoder) -> tuple[Vectors, Vectors]:
    """(n - 1, m - 1) cosines of the edges' parents, and of their children: all nodes except the root."""
    between = node_cosines(encoder, left, right)
    return between[np.ix_(left.parents[1:], right.parents[1:])], between[1:, 1:]


# Edge F1 and ancestor F1 of taxonomy induction, after alignment of the texts.
#
# Bansal et al., ACL 2014; Mao et al., ACL 2018, repository morningmoni/TaxoRL. There both taxonomies have the same
# terms, each once. Mind maps don't, so their distinct texts are aligned first: one to one, with the largest sum of
# cosines, without pairs below ``ALIKE``. The alignment is ours, the counting theirs. A text may occur several
# times in a map, and so may a pair of texts; a pair is found as often as it occurs in both maps. The result
# doesn't depend on the order of siblings or of nodes with equal texts.

Pairs = Counter[tuple[int, int]]
"""Number of occurrences of a text above another one, by their numbers."""


def edge_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """Number of edges of aligned texts that are edges in the other map too."""
    return _pairs_f1(_edges, left, right, encoder)


def ancestor_f1(left: TextTree, right: TextTree, encoder: Encoder) -> F1Score:
    """Number of pairs of a node and an ancestor, of aligned texts, that are such a pair in the other map too."""
    return _pairs_f1(_lines, left, right, encoder)


def _edges(tree: TextTree) -> Iterator[tuple[int, int]]:
    """Each node with its parent."""
    return ((parent, node) for node, parent in enumerate(tree.parents) if parent >= 0)


def _lines(tree: TextTree) -> Iterator[tuple[int, int]]:
    """Each pair of a node and an ancestor."""
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


# Strict proposition match of concept maps, computed like UKPLab/emnlp2017-cmapsum-corpus.
#
# Falke and Gurevych, "Bringing Structure into Summaries", EMNLP 2017. A proposition is a concept, a relation and a
# concept as one text. A mind map's edges have no relation, so it is the parent's sentence and the child's, as in
# the authors' unlabelled variant. Two match if they are equal after lower-casing, removing determiners and
# stemming (Snowball, in the maps' language; theirs is English). The authors' code intends to remove punctuation
# too, but a bug keeps it, and so does this. Their other variant scores pairs by METEOR 1.5, whose tables of
# paraphrases are not available.

DETERMINERS = frozenset(
    ["a", "an", "all", "any", "the", "there", "there's", "these", "this", "that", "those", "many", "most"]
)
"""The authors' stop words."""


def concept_map_match(left: TextTree, right: TextTree) -> F1Score:
    """F1 of propositions (an edge's two sentences each) that the other map has too, by stems of words."""
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
    """The name of the language of most labels; English if none is detected."""
    found = languages_of(label for side in labels for label in side)
    return NAMES[next(iter(found))].lower() if found else "english"


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    """A stemmer of this language, or of English if Snowball doesn't support it."""
    import snowballstemmer  # not nltk, which takes a second to import

    known = language in snowballstemmer.algorithms()
    stemmer = snowballstemmer.stemmer(language if known else "english")
    alone = threading.Lock()  # the stemmer isn't thread-safe

    @lru_cache(maxsize=20_000)
    def stem(word: str) -> str:
        with alone:
            return str(stemmer.stemWord(word))

    return stem
