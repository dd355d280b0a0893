"""Which generator is better: systems compared over the same documents, as the field does it."""

from tted_core.systems.measuring import DepthMean, Measured, depth_means, measure_by_depth, measure_systems
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
    "measure_by_depth",
    "measure_systems",
    "read_batch",
    "read_scores",
]
