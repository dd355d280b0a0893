"""Distances between texts as strings: how much must be typed anew, whatever it means.

Each takes n and m texts and gives (n, m) float64 between 0 (equal texts) and 1; the distance to the empty text
is 1.

- ``levenshtein``: d / max(|x|, |y|) with d the edit distance of Levenshtein (1966) over characters, which is
  what is mostly called normalised Levenshtein (package rapidfuzz; Koroteev 2020). **No metric**: from "ab" to
  "ba" it is 1, by way of "aba" 2/3.
- ``sequence_matcher``: 1 - ratio of Python's difflib (Ratcliff and Metzener 1988). **No metric**, and not even
  symmetric.
"""

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.foundations.limits import check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor

MAX_SEQUENCE_MATCHER_CELLS = 400_000_000
"""The same for difflib's SequenceMatcher, which is written in Python: about 30 seconds."""

MAX_EDIT_CELLS = 30_000_000_000
"""Pairs of characters that the Levenshtein distance looks at, of all pairs of texts: 10 seconds."""

Texts: TypeAlias = Sequence[str]
BetweenTexts: TypeAlias = Callable[[Texts, Texts, Monitor], NDArray[np.float64]]
"""(n texts, m texts, monitor) -> (n, m) float64, at least 0, and exactly 0 for equal texts.

The empty string is among the texts of both sides: it is what a deleted or inserted node is held against.
"""


def levenshtein(left: Texts, right: Texts, _monitor: Monitor = UNWATCHED) -> NDArray[np.float64]:
    """Characters to insert, delete or replace, as a share of the longer text's; no metric."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    cells = sum(map(len, left)) * sum(map(len, right))
    check_limit(cells, MAX_EDIT_CELLS, "pairs of characters", "compare smaller maps or shorter texts")
    edits = cdist(left, right, scorer=Levenshtein.distance, dtype=np.int64)
    longer = np.maximum.outer(
        *(np.array([len(text) for text in side], dtype=np.int64) for side in (left, right))
    )
    shares: NDArray[np.float64] = np.divide(edits, longer, out=np.zeros(edits.shape), where=longer > 0)
    return shares


def sequence_matcher(left: Texts, right: Texts, monitor: Monitor = UNWATCHED) -> NDArray[np.float64]:
    """1 - 2M / (|x| + |y|), M being the characters in matching blocks as difflib finds them; no metric.

    The ratio is that of ``SequenceMatcher(None, x, y, autojunk=False)``: difflib's rule of thumb that ignores
    frequent characters of texts from 200 characters on would ignore most letters there.
    """
    cells = sum(map(len, left)) * sum(map(len, right))
    check_limit(cells, MAX_SEQUENCE_MATCHER_CELLS, "pairs of characters", "choose the distance levenshtein")
    distances = np.empty((len(left), len(right)))
    matcher = SequenceMatcher(autojunk=False)
    for column, text in enumerate(right):
        matcher.set_seq2(text)  # difflib indexes the second text, and keeps the index
        for row, other in enumerate(left):
            matcher.set_seq1(other)
            distances[row, column] = 1.0 - matcher.ratio()
        monitor.advance(column + 1, len(right))
        monitor.check()
    return distances
