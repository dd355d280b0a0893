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

from tted_core.lab.quality.coefficients import share_above

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
        higher, pairs = share_above(low[row], np.delete(high, row, axis=0).ravel())
        above, total = above + higher, total + pairs
    return above / total if total else None


def spearman(doses: Sequence[float], distances: Sequence[float]) -> float | None:
    """Spearman's rank correlation of doses and distances; None where either is all of one value.

    >>> spearman([0, 1, 2], [0.1, 0.5, 0.4])
    0.5
    """
    ranks = [_ranks(np.asarray(values, dtype=float)) for values in (doses, distances)]
    centred = [each - each.mean() for each in ranks]
    spread = float(np.sqrt((centred[0] ** 2).sum() * (centred[1] ** 2).sum()))
    return float(centred[0] @ centred[1]) / spread if spread else None


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 0; equal values share the mean of theirs."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: NDArray[np.float64] = ((ends - counts + ends - 1) / 2)[place]
    return ranks


def mean_over_samples(values: Sequence[float | None]) -> Mean | None:
    """The mean of what is defined, with its interval by resampling samples; None without any."""
    known = np.array([value for value in values if value is not None])
    if not len(known):
        return None
    interval = None
    if len(known) > 1:
        rng = np.random.default_rng(SEED)
        means = known[rng.integers(0, len(known), (RESAMPLES, len(known)))].mean(axis=1)
        low, high = np.quantile(means, [0.025, 0.975])
        interval = (float(low), float(high))
    return Mean(float(known.mean()), interval, len(known))
