"""Quality of distances between text trees: how sensitive they are to structure and meaning rather than wording.

Samples of variants of known kinds, the coefficients R_S and R_M of Sobolevsky and Vorontsov 2025 (equations 3, 4)
with intervals, and the grid of all options.
"""

from tted_core.lab.quality.coefficients import FIGURES, Estimate, Quality, SampleScores, quality
from tted_core.lab.quality.grid import RankCorrelation, Report, Row, rank_correlations, run_grid
from tted_core.lab.quality.measures import CONTROLS, Grid
from tted_core.lab.quality.samples import VARIANT_KINDS, Sample, collect_samples, other_texts, read_samples

__all__ = [
    "CONTROLS",
    "FIGURES",
    "VARIANT_KINDS",
    "Estimate",
    "Grid",
    "Quality",
    "RankCorrelation",
    "Report",
    "Row",
    "Sample",
    "SampleScores",
    "collect_samples",
    "other_texts",
    "quality",
    "rank_correlations",
    "read_samples",
    "run_grid",
]
