"""AUC, rank correlation and intervals, against slow definitions and SciPy."""

import numpy as np
import pytest
from scipy.stats import mannwhitneyu, spearmanr

from tted_core.foundations.stats import correlation
from tted_core.lab.detection import auc, mean_over_samples


def scores(seed, paraphrases=4, seeds=3):
    return np.random.default_rng(seed).integers(0, 6, (paraphrases, seeds)).astype(float)


def slow_auc(low, high):
    pairs = [
        (near, far)
        for one in range(len(low))
        for other in range(len(high))
        if one != other
        for near in low[one]
        for far in high[other]
        if not np.isnan(near) and not np.isnan(far)
    ]
    return sum((far > near) + (far == near) / 2 for near, far in pairs) / len(pairs)


@pytest.mark.parametrize("seed", range(10))
def test_auc_is_the_share_of_pairs_of_other_paraphrases(seed):
    low, high = scores(seed, seeds=1), scores(seed + 100)
    high[0, 0] = np.nan
    assert auc(low, high) == pytest.approx(slow_auc(low, high))
    for bend in (np.exp, lambda values: values**3, np.log1p):  # any that rises changes no AUC
        assert auc(bend(low), bend(high)) == auc(low, high)


def test_auc_of_two_paraphrases_is_mann_whitney():
    low, high = np.array([[1.0, 4.0, 2.0], [np.nan] * 3]), np.array([[np.nan] * 3, [3.0, 2.0, 5.0]])
    u = mannwhitneyu(high[1], low[0]).statistic
    assert auc(low, high) == pytest.approx(u / 9)


def test_auc_needs_two_paraphrases():
    assert auc(np.array([[1.0]]), np.array([[2.0]])) is None


@pytest.mark.parametrize("seed", range(10))
def test_spearman_is_scipys(seed):
    rng = np.random.default_rng(seed)
    doses, distances = rng.integers(0, 4, 12), rng.integers(0, 5, 12)
    assert correlation(doses, distances, "spearman") == pytest.approx(spearmanr(doses, distances).statistic)
    assert correlation([1.0] * 12, distances, "spearman") is None


def test_the_interval_holds_the_mean_and_grows_with_the_spread():
    narrow, wide = (mean_over_samples([0.5 + step * i for i in range(-5, 6)]) for step in (0.01, 0.05))
    assert narrow.value == pytest.approx(0.5)
    for each in (narrow, wide):
        assert each.ci95[0] < each.value < each.ci95[1]
    assert wide.ci95[1] - wide.ci95[0] == pytest.approx(5 * (narrow.ci95[1] - narrow.ci95[0]))
    assert narrow == mean_over_samples([0.5 + 0.01 * i for i in range(-5, 6)])


def test_samples_without_a_value_are_left_out():
    assert mean_over_samples([None, None]) is None
    one = mean_over_samples([None, 0.7])
    assert (one.value, one.ci95, one.samples) == (0.7, None, 1)
