"""How well a measure tells edited maps from others: AUC, counting, and right pairs.

The AUC is the share of pairs (a paraphrase with the edit, another one without) in which the one with the edit is
farther from the base; ties count half (Mann and Whitney 1947; Hanley and McNeil 1982). 1/2 is chance. Pairs are of
one sample, and never a paraphrase and its own edited version, which would be told apart too easily. It asks for
ranks alone: no monotone transformation of the measure changes it, so none can drive it, as R_S and R_M can be.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.stats import mean_interval, pairs_above

RESAMPLES = 2_000
SEED = 0

Scores = NDArray[np.float64]
"""(p, r): r seeds of an edit of each of p paraphrases of one sample; NaN where it could not be made."""


@dataclass(frozen=True)
class Mean:
    """A mean over samples: ``ci95`` is its 95 % percentile bootstrap interval, None for fewer than two samples."""

    value: float
    ci95: tuple[float, float] | None
    samples: int


def auc(low: Scores, high: Scores) -> float | None:
    """How often ``high`` is above ``low``, over pairs of different paraphrases of one sample; None without a pair.

    >>> auc(np.array([[0.1], [0.3]]), np.array([[0.2], [0.2]]))
    0.5
    """
    above = total = 0.0
    for row in range(len(low)):
        higher, pairs = pairs_above(low[row], np.delete(high, row, axis=0).ravel())
        above, total = above + higher, total + pairs
    return above / total if total else None


def mean_over_samples(values: Sequence[float | None]) -> Mean | None:
    """The mean of what is defined, with its interval by resampling samples; None without any."""
    known = np.array([value for value in values if value is not None])
    if not len(known):
        return None
    return Mean(float(known.mean()), mean_interval(known, RESAMPLES, SEED), len(known))
