"""Whether a normalisation changes which of two variants is nearer.

Within a sample all variants are held against one base, and across samples against bases of different sizes: a
normalisation is there to make the latter comparable, and should leave the former alone.
"""

from dataclasses import dataclass

import numpy as np

from tted_core.lab.quality.rows import Row
from tted_core.lab.quality.samples import VARIANT_KINDS
from tted_core.stats import correlation


@dataclass(frozen=True)
class RankCorrelation:
    """Kendall's tau-b of a score with the measure's own; None where a ranking is all ties.

    ``within`` is the mean over samples of the tau over a sample's variants, ``across`` the tau over all pairs.
    """

    within: float | None
    across: float | None


def rank_correlations(row: Row) -> dict[str, RankCorrelation]:
    """Every further score of the row -> how it ranks the pairs beside the first one."""
    of_samples = {
        name: [np.concatenate([getattr(sample, kind) for kind in VARIANT_KINDS]) for sample in samples]
        for name, samples in row.scores.items()
    }
    own, *others = of_samples
    found = {}
    for name in others:
        taus = [
            tau
            for one, other in zip(of_samples[own], of_samples[name], strict=True)
            if (tau := correlation(one, other, "kendall")) is not None
        ]
        across = correlation(np.concatenate(of_samples[own]), np.concatenate(of_samples[name]), "kendall")
        found[name] = RankCorrelation(float(np.mean(taus)) if taus else None, across)
    return found
