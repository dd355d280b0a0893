"""Distances between embeddings: the r of TTED (Sobolevsky and Vorontsov 2025, section III-A).

Each takes (n, d) and (m, d) and gives (n, m) float64, exactly 0 for equal rows. All three are metrics on the
embeddings, so TTED is a metric on text trees. ``of_vectors`` makes a node distance of such a function.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.contexts import Encoded, Nodes
from tted_core.distances.record import Counted, Distance, LoadedDistance, Models, Texts
from tted_core.encoders.sentence_encoder import Encoder, SentenceEncoder, embed
from tted_core.errors import EncoderError
from tted_core.notices import encoder_notices

Vectors: TypeAlias = NDArray[np.float64]
BetweenVectors: TypeAlias = Callable[[Vectors, Vectors], NDArray[np.float64]]
"""(n, d), (m, d) -> (n, m) float64, at least 0, and exactly 0 for equal rows."""


def cosine(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """sqrt(1 - cos), computed as ‖â - b̂‖ / √2 on unit vectors.

    The textbook form loses equal texts: a float32 cosine of a vector with itself can pass 1, its root is NaN,
    and a solver that meets the NaN silently gives a larger distance. The difference of equal vectors is 0.

    Raises:
        EncoderError: a zero vector, whose direction is undefined.
    """
    return _cdist(_unit(left), _unit(right), "euclidean") / math.sqrt(2.0)


def euclidean(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """L2 distance of the raw embeddings."""
    return _cdist(left, right, "euclidean")


def manhattan(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """L1 distance of the raw embeddings."""
    return _cdist(left, right, "cityblock")


def _cdist(left: Vectors, right: Vectors, metric: str) -> NDArray[np.float64]:
    from scipy.spatial.distance import cdist  # 0.3 s, which importing tted_core need not wait for

    distances: NDArray[np.float64] = cdist(left, right, metric)
    return distances


def _unit(vectors: Vectors) -> Vectors:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not norms.all():
        raise EncoderError(
            "the encoder gives a zero vector for a text, which has no cosine distance; "
            "choose the distance euclidean or manhattan, or another encoder"
        )
    unit: Vectors = vectors / norms
    return unit


def of_vectors(
    name: str, function: BetweenVectors, note: str, *, metric: bool = True, symmetric: bool = True
) -> Distance:
    """The node distance that is ``function`` of the encoder's vectors; the rest as in ``Distance``."""
    return Distance(name, note, metric, "encoder", function, _ready, symmetric)


def _ready(record: Distance, models: Models) -> LoadedDistance:
    encoder = models.load_encoder(models.encoder) if isinstance(models.encoder, str) else models.encoder
    return _knowing(record, encoder, {})


def _knowing(record: Distance, encoder: Encoder, known: Encoded) -> LoadedDistance:
    """The distance for which the vectors of some texts are known; those of others are asked for."""

    def all_of(texts: Texts, progress: Counted) -> Encoded:
        new = [text for text in texts if text not in known]
        return {**known, **embed(encoder, new, progress)} if new else known

    def between(left: Nodes, right: Nodes, progress: Counted) -> NDArray[np.float64]:
        vectors = all_of((*left.read, *right.read), progress)
        return record.function(left.vectors(vectors), right.vectors(vectors))

    return LoadedDistance(
        record,
        between,
        (encoder.name, encoder.fingerprint)
        if isinstance(encoder, SentenceEncoder)
        else ("custom", "unknown"),
        "Encoding {} texts",
        lambda texts, progress: _knowing(record, encoder, all_of(texts, progress)),
        partial(encoder_notices, encoder),
    )


VECTOR_DISTANCES = (
    of_vectors(
        "cosine",
        cosine,
        "The angle between two sentences' vectors: 0 for the same, about 1 for unrelated.",
    ),
    of_vectors(
        "euclidean",
        euclidean,
        "The straight line between the vectors; √2 times cosine where vectors have length 1.",
    ),
    of_vectors(
        "manhattan",
        manhattan,
        "The sum of the differences in each dimension; large numbers, the same picture.",
    ),
)
