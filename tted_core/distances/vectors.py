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
from tted_core.distances.record import Distance, LoadedDistance, Models, Texts
from tted_core.encoders.embedding import embed, unit_vectors
from tted_core.encoders.remembered import CustomEncoder, encoder_of
from tted_core.encoders.sentence_encoder import SentenceEncoder
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.notices import encoder_notices

Vectors: TypeAlias = NDArray[np.float64]
BetweenVectors: TypeAlias = Callable[[Vectors, Vectors], NDArray[np.float64]]
"""(n, d), (m, d) -> (n, m) float64, at least 0, and exactly 0 for equal rows."""

SCIPY_PAYS = 20_000_000
"""Differences of coordinates from which on SciPy saves time: 230 by 230 nodes with MiniLM's 384 coordinates."""

BLOCK = 1 << 15
"""Differences held at a time; they stay in the processor's cache."""


def cosine(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """sqrt(1 - cos), computed as ‖â - b̂‖ / √2 on unit vectors.

    The textbook form loses equal texts: a float32 cosine of a vector with itself can pass 1, its root is NaN,
    and a solver that meets the NaN silently gives a larger distance. The difference of equal vectors is 0.

    Raises:
        EncoderError: a zero vector, whose direction is undefined.
    """
    return euclidean(unit_vectors(left), unit_vectors(right)) / math.sqrt(2.0)


def euclidean(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """L2 distance of the raw embeddings."""
    return np.sqrt(_sums(left, right, np.square))


def manhattan(left: Vectors, right: Vectors) -> NDArray[np.float64]:
    """L1 distance of the raw embeddings."""
    return _sums(left, right, np.abs)


def _sums(left: Vectors, right: Vectors, part: np.ufunc) -> NDArray[np.float64]:
    """What ``part`` makes of the differences in each coordinate, summed for each row of the left and the right.

    One coordinate is added after the other, as SciPy's cdist does it, so the same bits come out; importing that
    takes more than half of the time of a comparison whose vectors are known. For large maps cdist is quicker.
    """
    if left.size * len(right) > SCIPY_PAYS:
        from scipy.spatial.distance import cdist

        metric = "sqeuclidean" if part is np.square else "cityblock"
        return np.asarray(cdist(left, right, metric))
    sums = np.empty((len(left), len(right)))
    rows, columns = np.ascontiguousarray(left.T)[:, :, None], np.ascontiguousarray(right.T)[:, None, :]
    step = max(1, BLOCK // max(1, right.size))
    for start in range(0, len(left), step):
        parts = np.subtract(rows[:, start : start + step], columns, order="C")
        part(parts, out=parts)
        if parts[0].size > 1:
            np.add.reduce(parts, axis=0, out=sums[start : start + step])
        else:  # NumPy would add up a single row in pairs
            sums[start : start + step] = np.add.accumulate(parts, axis=0)[-1]
    return sums


def of_vectors(
    name: str, function: BetweenVectors, note: str, *, metric: bool = True, symmetric: bool = True
) -> Distance:
    """The node distance that is ``function`` of the encoder's vectors; the rest as in ``Distance``."""
    return Distance(name, note, metric, "encoder", function, _ready, symmetric)


def _ready(record: Distance, models: Models) -> LoadedDistance:
    return _knowing(record, encoder_of(models.loaded_encoder()), {})


def _knowing(record: Distance, encoder: SentenceEncoder | CustomEncoder, known: Encoded) -> LoadedDistance:
    """The distance for which the vectors of some texts are known; those of others are asked for."""

    def all_of(texts: Texts, monitor: Monitor) -> Encoded:
        new = [text for text in texts if text not in known]
        return {**known, **embed(encoder, new, monitor)} if new else known

    def between(left: Nodes, right: Nodes, monitor: Monitor) -> NDArray[np.float64]:
        vectors = all_of((*left.read, *right.read), monitor)
        return record.function(left.vectors(vectors), right.vectors(vectors))

    def vectors(texts: Texts) -> Vectors:
        found = all_of(texts, UNWATCHED)
        return np.array([found[text] for text in texts])

    return LoadedDistance(
        record,
        between,
        lambda: (encoder.name, encoder.fingerprint),
        "Encoding {} texts",
        lambda texts, monitor: _knowing(record, encoder, all_of(texts, monitor)),
        partial(encoder_notices, encoder),
        vectors,
    )


VECTOR_DISTANCES = (
    of_vectors(
        "cosine",
        cosine,
        "√(1 - cos), cos being the cosine of two sentences' vectors: 0 for the same, about 1 for unrelated.",
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
