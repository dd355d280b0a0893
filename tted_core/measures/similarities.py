"""Measures of two texts as similarities F, 1 for equal texts, so that their quality Q is comparable.

Similarities are used as they are: F1 of BERTScore, difflib's ratio, and the cosine, which is 1 - r^2 for the
distance r = sqrt(1 - cos). A distance r without an upper bound becomes

 F(x, y) = 1 - 2 r(x, y) / (r(x, λ) + r(y, λ) + r(x, y))

with the empty text λ: one minus its Steinhaus transform (Marczewski and Steinhaus 1958), between 0 and 1 in
whatever unit r has. For the edit distance it is one minus the metric of Li and Liu (2007).
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.distances import DISTANCES
from tted_core.distances.bertscore import BERTScorer, Idf, TokenEmbeddings
from tted_core.distances.strings import BetweenTexts
from tted_core.distances.vectors import BetweenVectors, cosine
from tted_core.encoders.embedding import embed
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.foundations.monitor import UNWATCHED

Matrix: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class SimilarityFamily:
    """Similarities that share data about each text, such as its vector.

    Attributes:
        prepare: all texts -> shared data; called once, and counted into the time of each similarity.
        similarities: name -> function of that data and of n and m of these texts -> (n, m).
    """

    prepare: Callable[[Sequence[str]], Any]
    similarities: Mapping[str, Callable[[Any, Sequence[str], Sequence[str]], Matrix]]


def string_family() -> SimilarityFamily:
    """1 - each distance between strings."""

    def similarity(distance: BetweenTexts, _: None, left: Sequence[str], right: Sequence[str]) -> Matrix:
        return 1.0 - distance(left, right, UNWATCHED)

    return SimilarityFamily(
        lambda _texts: None,
        {
            name: functools.partial(similarity, each.function)
            for name, each in DISTANCES.items()
            if each.reads == "none"
        },
    )


def encoder_family(name: str, encoder: Encoder) -> SimilarityFamily:
    """Each distance between an encoder's vectors; the similarities' names begin with ``name``."""
    encoder([""])  # loads the bundled model

    def similarity(
        distance: BetweenVectors, vectors: Mapping[str, Matrix], left: Sequence[str], right: Sequence[str]
    ) -> Matrix:
        rows, columns = (np.array([vectors[text] for text in side]) for side in (left, right))
        return embedding_similarity(distance, rows, columns, vectors[""])

    return SimilarityFamily(
        lambda texts: embed(encoder, (*texts, "")),
        {
            f"{name} {each.name}": functools.partial(similarity, each.function)
            for each in DISTANCES.values()
            if each.reads == "encoder"
        },
    )


def bertscore_family(scorer: BERTScorer) -> SimilarityFamily:
    """F1 of BERTScore, with equal weights and with IDF weights counted over all texts."""

    def prepare(texts: Sequence[str]) -> tuple[Mapping[str, TokenEmbeddings], Idf]:
        return scorer.embed(texts), scorer.idf_weights(texts)

    def similarity(
        known: tuple[Mapping[str, TokenEmbeddings], Idf],
        left: Sequence[str],
        right: Sequence[str],
        *,
        idf: bool,
    ) -> Matrix:
        embedded, weights = known
        return scorer.scores(left, right, idf=weights if idf else None, embedded=embedded).f1

    return SimilarityFamily(
        prepare,
        {
            f"{scorer.name} BERTScore": functools.partial(similarity, idf=False),
            f"{scorer.name} BERTScore, IDF": functools.partial(similarity, idf=True),
        },
    )


def embedding_similarity(r: BetweenVectors, left: Matrix, right: Matrix, empty: Matrix) -> Matrix:
    """(n, m) similarities of n and m vectors: the cosine, or the module's formula for another distance.

    Args:
        r: the distance.
        left: (n, d) vectors.
        right: (m, d) vectors.
        empty: (d,) vector of the empty text.
    """
    distances = r(left, right)
    if r is cosine:
        return 1.0 - distances**2
    sizes = np.add.outer(r(left, empty[None])[:, 0], r(right, empty[None])[:, 0])
    return 1.0 - np.divide(
        2 * distances, sizes + distances, out=np.zeros_like(distances), where=distances > 0
    )
