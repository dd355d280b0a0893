"""Resampling: bootstrap distributions of means, p-values of paired differences, and their correction."""

from collections.abc import Sequence

import numpy as np

from tted_core.systems.scores import Values

CELLS = 4_000_000
"""Numbers that one batch of resamples holds."""


def resampled_means(values: Values, resamples: int, seed: int) -> Values | None:
    """(s, resamples) means of bootstrap resamples of (s, n) values, all rows on the same ones; None if n is 1."""
    systems, n = values.shape
    if n < 2:
        return None
    from scipy.stats import bootstrap

    distribution: Values = bootstrap(
        (values,),
        np.mean,
        axis=-1,
        vectorized=True,
        n_resamples=resamples,
        batch=max(1, CELLS // (systems * n)),
        method="percentile",
        rng=np.random.default_rng(seed),
    ).bootstrap_distribution
    return distribution


def bootstrap_p(resampled: Values, observed: float) -> float:
    """Two-sided p of a difference from its (resamples,) bootstrap distribution, moved to where there is none."""
    as_far = np.abs(resampled - observed) >= abs(observed) * (1 - 1e-12)
    return float((as_far.sum() + 1) / (len(resampled) + 1))


def randomization_p(differences: Values, resamples: int, seed: int) -> float:
    """Two-sided p of the mean of paired differences: their signs exchanged, in every way or in so many."""
    from scipy.stats import permutation_test

    return float(
        permutation_test(
            (differences,),
            lambda flipped, axis: flipped.mean(axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=resamples,
            batch=max(1, CELLS // len(differences)),
            rng=np.random.default_rng(seed),
        ).pvalue
    )


def holm(p: Sequence[float | None]) -> list[float | None]:
    """The p-values corrected for their number by Holm's step-down rule, which keeps the family-wise error rate.

    >>> [round(each, 9) for each in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    known = sorted((value, place) for place, value in enumerate(p) if value is not None)
    corrected: list[float | None] = [None] * len(p)
    largest = 0.0
    for rank, (value, place) in enumerate(known):
        largest = max(largest, min(1.0, value * (len(known) - rank)))
        corrected[place] = largest
    return corrected


def interval(resampled: Values | None, row: int) -> tuple[float, float] | None:
    """The 95 % percentile interval of one row of a bootstrap distribution; None without one."""
    if resampled is None:
        return None
    low, high = np.percentile(resampled[row], [2.5, 97.5])
    return float(low), float(high)
