"""A scale for the normalized distance: where it lies for pairs of maps of which one knows how they differ.

The bands are made of sample maps under the same options as the comparison to be judged; other maps may lie
elsewhere.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Band:
    """The normalized distances of some pairs of one kind, in the order of the pairs."""

    values: tuple[float, ...]

    @property
    def low(self) -> float:
        """A tenth of the pairs lie below it."""
        return self._quantile(0.1)

    @property
    def median(self) -> float:
        """Half of the pairs lie below it."""
        return self._quantile(0.5)

    @property
    def high(self) -> float:
        """A tenth of the pairs lie above it."""
        return self._quantile(0.9)

    def _quantile(self, share: float) -> float:
        return float(np.quantile(self.values, share))


@dataclass(frozen=True)
class Replaced:
    """The share of a paraphrase's sentences that must be replaced to be so far; infinite beyond the samples.

    Attributes:
        about: what the median of the samples says.
        least: at this share, a tenth of the samples lie as far.
        most: at this share, nine tenths do.
    """

    about: float
    least: float
    most: float


def replaced_for(value: float, bands_by_share: Mapping[float, Band]) -> Replaced:
    """The dose whose response is this normalized distance, read off the curves of medians, tenths and nine tenths.

    Args:
        value: the normalized distance.
        bands_by_share: share of replaced sentences -> the distances of the base from such paraphrases; shares
            ascend from 0.
    """
    shares = list(bands_by_share)

    def dose(curve: Sequence[float]) -> float:
        rising = np.maximum.accumulate(curve)  # by chance, a larger dose may lie lower
        return math.inf if value > rising[-1] else float(np.interp(value, rising, shares))

    found = bands_by_share.values()
    return Replaced(
        dose([band.median for band in found]),
        dose([band.high for band in found]),
        dose([band.low for band in found]),
    )
