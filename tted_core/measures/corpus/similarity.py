"""Similarity of two sets of sentences: precision, recall and F1 over best partners (section 2 of the paper).

Precision(G, T) is the mean over G of the largest similarity to a sentence of T, Recall(G, T) the mean over T
of the largest similarity to a sentence of G. Similarity is the cosine of embeddings (semantic) or SynSim
(syntactic).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.distances.vectors import cosine

ROWS = 256
"""Rows of similarities held at a time."""


@dataclass(frozen=True)
class SetSimilarity:
    """How alike two sets are, and each sentence's best partner in the other set.

    Attributes:
        best: (n,) each generated sentence's largest similarity to a reference sentence.
        partner: (n,) which one that is; the first of several.
        covered: (m,) each reference sentence's largest similarity to a generated one.
    """

    best: NDArray[np.float64]
    partner: NDArray[np.int64]
    covered: NDArray[np.float64]

    @property
    def precision(self) -> float:
        """How near the generated sentences are to the reference."""
        return float(self.best.mean())

    @property
    def recall(self) -> float:
        """How well they cover the reference."""
        return float(self.covered.mean())

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return float(harmonic_mean(np.array(self.precision), np.array(self.recall)))


def semantic_similarity(generated: NDArray[np.float64], reference: NDArray[np.float64]) -> SetSimilarity:
    """By the cosine of (n, d) and (m, d) embeddings.

    Raises:
        EncoderError: a zero vector.
    """
    return _best(
        1.0 - cosine(generated[start : start + ROWS], reference) ** 2
        for start in range(0, len(generated), ROWS)
    )


def syntactic_similarity(
    generated: Sequence[Sequence[str]], reference: Sequence[Sequence[str]]
) -> SetSimilarity:
    """By SynSim(s, t) = 1 / (1 + EdDist(s, t) / max(|s|, |t|)) of n and m lists of words, from 1/2 to 1.

    EdDist is the number of words to insert, delete or replace (Levenshtein 1966), |s| the number of words. Two
    sentences without a word are equal.
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    lengths, others = (np.array([len(words) for words in side]) for side in (generated, reference))

    def rows(start: int) -> NDArray[np.float64]:
        some = slice(start, start + ROWS)
        edits = cdist(generated[some], reference, scorer=Levenshtein.distance, dtype=np.int64)
        longest = np.maximum(np.maximum.outer(lengths[some], others), 1)
        similarity: NDArray[np.float64] = 1.0 / (1.0 + edits / longest)
        return similarity

    return _best(rows(start) for start in range(0, len(generated), ROWS))


def harmonic_mean(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """2 a b / (a + b); 0 where they sum to 0 or less (cosines can be negative)."""
    total = np.asarray(one + other)
    return np.divide(2 * one * other, total, out=np.zeros_like(total), where=total > 0)


def edit_share(similarity: NDArray[np.float64]) -> NDArray[np.float64]:
    """EdDist / max(|s|, |t|) from SynSim: 0 for the same words, 1 where none could stay."""
    return 1.0 / similarity - 1.0


def _best(blocks: Iterable[NDArray[np.float64]]) -> SetSimilarity:
    best, partner, covered = [], [], []
    for block in blocks:
        best.append(block.max(axis=1))
        partner.append(block.argmax(axis=1))
        covered.append(block.max(axis=0))
    return SetSimilarity(np.concatenate(best), np.concatenate(partner), np.max(covered, axis=0))
