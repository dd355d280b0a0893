"""Distances between texts themselves, which need no encoder: for TTED as a baseline of letters and words.

``TEXT_DISTANCES`` stands beside ``DISTANCES`` (of vectors); both are choices of the option "distance".
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Texts: TypeAlias = Sequence[str]
Counted: TypeAlias = Callable[[int, int], None]
"""Called with (pairs of texts done, pairs in all); may raise to stop."""


@dataclass(frozen=True)
class TextDistance:
    """A distance between texts.

    Attributes:
        between: (n texts, m texts, progress) -> (n, m) float64, at least 0, and exactly 0 for equal texts. The
            empty string is among the texts of both sides: it is what a deleted or inserted node is held against.
        metric: whether the triangle inequality holds for all texts.
        note: one sentence that says what it counts.
    """

    between: Callable[[Texts, Texts, Counted], NDArray[np.float64]]
    metric: bool
    note: str


def levenshtein(left: Texts, right: Texts, _progress: Counted) -> NDArray[np.float64]:
    """Letters to insert, delete or replace, as a share of the longer text (Levenshtein 1966).

    No metric: ab is 1 from ba, but aba lies between them at 1/3 from each.
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    return cdist(left, right, scorer=Levenshtein.normalized_distance, dtype=np.float64)


TEXT_DISTANCES: dict[str, TextDistance] = {
    "levenshtein": TextDistance(
        levenshtein,
        metric=False,
        note="The letters that differ, as a share of the longer sentence; no encoder is used.",
    ),
}
