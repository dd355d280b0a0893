"""Greedy matching of word pieces: precision, recall and F1 of BERTScore (Zhang et al. 2020, section 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Idf: TypeAlias = Mapping[int, float]
"""The weight of each word piece, by its number in the vocabulary."""


@dataclass(frozen=True)
class TokenEmbeddings:
    """A text's t word pieces (numbers in the vocabulary) and their (t, d) unit vectors in float64.

    ``marks`` says which of them the model adds to every text, such as [CLS] and [SEP].
    """

    pieces: tuple[int, ...]
    marks: tuple[bool, ...]
    vectors: NDArray[np.float64] = field(repr=False)


@dataclass(frozen=True)
class BERTScores:
    """(n, m) precision, recall and F1; the candidates are the rows, the references the columns."""

    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    f1: NDArray[np.float64]


def greedy_matching(
    candidates: Sequence[TokenEmbeddings], references: Sequence[TokenEmbeddings], idf: Idf | None = None
) -> BERTScores:
    """P, R and F1 of all pairs of n candidates and m references; word pieces weigh the same without ``idf``."""
    starts = np.cumsum([0, *(len(one.pieces) for one in references)])[:-1]
    vectors = np.concatenate([one.vectors for one in references]).T
    recall_weights = np.concatenate([_weights(one, idf) for one in references])
    precision, recall = np.empty((2, len(candidates), len(references)))
    for row, candidate in enumerate(candidates):
        cosines = candidate.vectors @ vectors
        precision[row] = _weights(candidate, idf) @ np.maximum.reduceat(cosines, starts, axis=1)
        recall[row] = np.add.reduceat(cosines.max(axis=0) * recall_weights, starts)
    empty, other_empty = ([all(one.marks) for one in side] for side in (candidates, references))
    undefined = np.logical_or.outer(empty, other_empty)
    precision[undefined] = recall[undefined] = 0.0
    return BERTScores(precision, recall, harmonic_mean(precision, recall))


def harmonic_mean(precision: NDArray[np.float64], recall: NDArray[np.float64]) -> NDArray[np.float64]:
    """F1 = 2PR / (P + R); 0 where both are 0."""
    total = precision + recall
    return np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total != 0)


def _weights(one: TokenEmbeddings, idf: Mapping[int, float] | None) -> NDArray[np.float64]:
    """The weights of a text's word pieces; equal ones without ``idf``, but none for the model's own marks."""
    if idf is None:
        raw = np.array([not mark for mark in one.marks], dtype=np.float64)
    else:
        raw = np.array([idf[piece] for piece in one.pieces], dtype=np.float64)
    total = raw.sum()
    return raw / total if total > 0 else raw
