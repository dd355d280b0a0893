"""Formulas of distances: between embeddings, the r of TTED (Sobolevsky and Vorontsov 2025), and between strings.

Each function of embeddings takes (n, d) and (m, d) and returns (n, m) float64, exactly 0 for equal rows. All three
are metrics on the embeddings, so TTED is a metric on text trees.

Each function of strings takes n and m texts and returns (n, m) float64 between 0 (equal texts) and 1; the distance
to the empty text is 1.

- ``levenshtein``: d / max(|x|, |y|) with d the edit distance of Levenshtein (1966) over characters, the usual
  normalisation (package rapidfuzz; Koroteev 2020). **Not a metric**: from "ab" to "ba" it is 1, but 2/3 by way of
  "aba".
- ``sequence_matcher``: 1 - ratio of Python's difflib (Ratcliff and Metzener 1988). **Not a metric**, and not
  symmetric.
"""

import math
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.embedding import unit_vectors
from tted_core.errors import check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor

_Vectors: TypeAlias = NDArray[np.float64]

# Differences of coordinates above which SciPy is faster: 230 by 230 nodes with MiniLM's 384 coordinates.
SCIPY_PAYS = 20_000_000

_BLOCK = 1 << 15  # differences in memory at a time; they fit the processor's cache

# Maximum pairs of characters for difflib's SequenceMatcher, which is written in Python: about 30 seconds.
MAX_SEQUENCE_MATCHER_CELLS = 400_000_000

# Maximum pairs of characters for the Levenshtein distance, over all pairs of texts: 10 seconds.
MAX_EDIT_CELLS = 30_000_000_000

_Texts: TypeAlias = Sequence[str]


def cosine(left: _Vectors, right: _Vectors) -> NDArray[np.float64]:
    """sqrt(1 - cos), computed as ‖â - b̂‖ / √2 on unit vectors.

    The textbook form fails for equal texts: a float32 cosine of a vector with itself can exceed 1, its root is
    NaN, and a solver that meets the NaN silently returns a larger distance. The difference of equal vectors is 0.
    """
    return euclidean(unit_vectors(left), unit_vectors(right)) / math.sqrt(2.0)


def euclidean(left: _Vectors, right: _Vectors) -> NDArray[np.float64]:
    """L2 distance of the raw embeddings."""
    return np.sqrt(_sums(left, right, np.square))


def manhattan(left: _Vectors, right: _Vectors) -> NDArray[np.float64]:
    """L1 distance of the raw embeddings."""
    return _sums(left, right, np.abs)


def _sums(left: _Vectors, right: _Vectors, part: np.ufunc) -> NDArray[np.float64]:
    """Sum ``part`` of the differences in each coordinate, for each pair of rows.

    Coordinates are added in order, like SciPy's cdist, so the bits are equal; importing SciPy takes more than
    half of the time of a comparison with known vectors. For large maps cdist is faster.
    """
    if left.size * len(right) > SCIPY_PAYS:
        from scipy.spatial.distance import cdist

        metric = "sqeuclidean" if part is np.square else "cityblock"
        return np.asarray(cdist(left, right, metric))
    sums = np.empty((len(left), len(right)))
    rows, columns = np.ascontiguousarray(left.T)[:, :, None], np.ascontiguousarray(right.T)[:, None, :]
    step = max(1, _BLOCK // max(1, right.size))
    for start in range(0, len(left), step):
        parts = np.subtract(rows[:, start : start + step], columns, order="C")
        part(parts, out=parts)
        if parts[0].size > 1:
            np.add.reduce(parts, axis=0, out=sums[start : start + step])
        else:  # NumPy would sum a single row pairwise
            sums[start : start + step] = np.add.accumulate(parts, axis=0)[-1]
    return sums


def levenshtein(left: _Texts, right: _Texts, monitor: Monitor = UNWATCHED) -> NDArray[np.float64]:
    """Characters to insert, delete or replace, as a share of the longer text's length; not a metric."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    cells = sum(map(len, left)) * sum(map(len, right))
    check_limit(cells, MAX_EDIT_CELLS, "pairs of characters", "compare smaller maps or shorter texts")
    monitor.check()
    edits = cdist(left, right, scorer=Levenshtein.distance, dtype=np.int64)
    longer = np.maximum.outer(
        *(np.array([len(text) for text in side], dtype=np.int64) for side in (left, right))
    )
    return np.asarray(np.divide(edits, longer, out=np.zeros(edits.shape), where=longer > 0))


def sequence_matcher(left: _Texts, right: _Texts, monitor: Monitor = UNWATCHED) -> NDArray[np.float64]:
    """1 - 2M / (|x| + |y|), M being the number of characters in difflib's matching blocks; not a metric.

    The ratio is that of ``SequenceMatcher(None, x, y, autojunk=False)``: difflib's heuristic that ignores frequent
    characters in texts of 200 characters or more would ignore most letters.
    """
    cells = sum(map(len, left)) * sum(map(len, right))
    check_limit(cells, MAX_SEQUENCE_MATCHER_CELLS, "pairs of characters", "choose the distance levenshtein")
    distances = np.empty((len(left), len(right)))
    matcher = SequenceMatcher(autojunk=False)
    for column, text in enumerate(right):
        matcher.set_seq2(text)  # difflib caches an index of the second text
        for row, other in enumerate(left):
            matcher.set_seq1(other)
            distances[row, column] = 1.0 - matcher.ratio()
        monitor.advance(column + 1, len(right))
        monitor.check()
    return distances
