"""Comparison of systems that generate maps, over the same documents and with significance tests."""

from tted_core.systems.measuring import DepthMean, Measured, depth_means, measure_systems
from tted_core.systems.scores import SystemScores, read_batch, read_scores
from tted_core.systems.statistics import Compared, PairRow, SystemRow, compare_systems

__all__ = [
    "Compared",
    "DepthMean",
    "Measured",
    "PairRow",
    "SystemRow",
    "SystemScores",
    "compare_systems",
    "depth_means",
    "measure_systems",
    "read_batch",
    "read_scores",
]
