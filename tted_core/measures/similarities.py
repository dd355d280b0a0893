"""Measures of two texts as similarities F, 1 for equal texts, so that their quality Q can be held side by side.

What is a similarity stays as it is: F1 of BERTScore, difflib's ratio, and the cosine, which is 1 - r^2 for the
distance r = sqrt(1 - cos). A distance r without an upper bound is turned into

    F(x, y) = 1 - 2 r(x, y) / (r(x, λ) + r(y, λ) + r(x, y))

with the empty text λ: one minus its Steinhaus transform (Marczewski and Steinhaus 1958), between 0 and 1 whatever
unit r has. Of the edit distance it makes one minus the metric of Li and Liu (2007).

A map as a bag of sentences has the edit distance that is left when nothing about the structure counts.

What measures between texts see when they are lifted to whole maps: the sentences are matched one to one, at the
least total cost of replacing, deleting and inserting, whatever stands above what. Every edit script is such a
matching, so this is a lower bound of TTED in each order; the difference is the price of the structure.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import sizes_of, steinhaus
from tted_core.baselines.sim import best_assignment
from tted_core.comparison import Comparison
from tted_core.distances.bertscore import BERTScorer
from tted_core.distances.bertscore.scorer import Idf, TokenEmbeddings
from tted_core.distances.strings import STRING_DISTANCES, BetweenTexts
from tted_core.distances.vectors import VECTOR_DISTANCES, BetweenVectors, cosine
from tted_core.encoders.embedding import embed
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.foundations.monitor import UNWATCHED


@dataclass(frozen=True)
class BagPoint:
    """A pair of maps of some kind: its distance as bags of sentences, and TTED, both by Steinhaus (0 to 1)."""

    name: str
    kind: str
    bag: float
    tted: float


def bag_point(name: str, kind: str, comparison: Comparison) -> BagPoint:
    """The two distances of a comparison, on one scale: bag <= tted."""
    problem = comparison.problem
    distance = problem.distance(bag_distance(problem.weights))
    bag = float(steinhaus(distance, sizes_of(problem.costs, problem.power)))
    return BagPoint(name, kind, bag, comparison.steinhaus)


def bag_distance(costs: NDArray[np.float64]) -> float:
    """The least total cost of an assignment between the nodes of two maps.

    Args:
        costs: (n+1, m+1) edit costs (or their weights), the last row and column being the gap.
    """
    gaps = np.add.outer(costs[:-1, -1], costs[-1, :-1])
    saved = np.maximum(gaps - costs[:-1, :-1], 0.0)  # a pair that saves nothing is deleted and inserted
    rows, columns = best_assignment(saved)
    used = saved[rows, columns] > 0
    rows, columns = rows[used], columns[used]
    left_over = np.delete(costs[:-1, -1], rows).sum() + np.delete(costs[-1, :-1], columns).sum()
    return float(costs[rows, columns].sum() + left_over)


Matrix: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class SimilarityFamily:
    """Similarities that share what must be known of each text, such as its vector.

    Attributes:
        prepare: all texts -> what is known of them; done once, and counted into the time of each similarity.
        similarities: name -> function of that and of n and m of these texts -> (n, m).
    """

    prepare: Callable[[Sequence[str]], Any]
    similarities: Mapping[str, Callable[[Any, Sequence[str], Sequence[str]], Matrix]]


def string_family() -> SimilarityFamily:
    """1 - each distance between strings."""

    def similarity(distance: BetweenTexts, _: None, left: Sequence[str], right: Sequence[str]) -> Matrix:
        return 1.0 - distance(left, right, UNWATCHED)

    return SimilarityFamily(
        lambda _texts: None,
        {each.name: functools.partial(similarity, each.function) for each in STRING_DISTANCES},
    )


def encoder_family(name: str, encoder: Encoder) -> SimilarityFamily:
    """Each distance between an encoder's vectors; ``name`` is what the similarities' names begin with.

    Raises:
        EncoderError: the model can't be had.
    """
    encoder([""])  # the bundled model is loaded at its first text

    def similarity(
        distance: BetweenVectors, vectors: Mapping[str, Matrix], left: Sequence[str], right: Sequence[str]
    ) -> Matrix:
        rows, columns = (np.array([vectors[text] for text in side]) for side in (left, right))
        return embedding_similarity(distance, rows, columns, vectors[""])

    return SimilarityFamily(
        lambda texts: embed(encoder, (*texts, "")),
        {f"{name} {each.name}": functools.partial(similarity, each.function) for each in VECTOR_DISTANCES},
    )


def bertscore_family(scorer: BERTScorer) -> SimilarityFamily:
    """F1 of BERTScore, with equal weights and with IDF weights counted in all texts."""

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
    """(n, m) similarities of n and m vectors: the cosine, or what the module's formula makes of another distance.

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
