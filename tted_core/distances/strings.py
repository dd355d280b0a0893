"""Distances between texts as strings, whatever their meaning.

Each function takes n and m texts and returns (n, m) float64 between 0 (equal texts) and 1; the distance to the
empty text is 1.

- ``levenshtein``: d / max(|x|, |y|) with d the edit distance of Levenshtein (1966) over characters, the usual
  normalisation (package rapidfuzz; Koroteev 2020). **Not a metric**: from "ab" to "ba" it is 1, but 2/3 by way of
  "aba".
- ``sequence_matcher``: 1 - ratio of Python's difflib (Ratcliff and Metzener 1988). **Not a metric**, and not
  symmetric.
"""

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.errors import check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor

MAX_SEQUENCE_MATCHER_CELLS = 400_000_000
"""Maximum pairs of characters for difflib's SequenceMatcher, which is written in Python: about 30 seconds."""

MAX_EDIT_CELLS = 30_000_000_000
"""Maximum pairs of characters for the Levenshtein distance, over all pairs of texts: 10 seconds."""

_Texts: TypeAlias = Sequence[str]
BetweenTexts: TypeAlias = Callable[[_Texts, _Texts, Monitor], NDArray[np.float64]]
"""(n texts, m texts, monitor) -> (n, m) float64, at least 0, and exactly 0 for equal texts.

Texts of both sides include the empty string, to which deleted and inserted nodes are compared.
"""


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
    shares: NDArray[np.float64] = np.divide(edits, longer, out=np.zeros(edits.shape), where=longer > 0)
    return shares


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
