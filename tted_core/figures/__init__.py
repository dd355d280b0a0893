"""Figures of results as Vega-Lite specifications: plain JSON, drawn alike on pages and in files."""

from tted_core.figures.agreement import heat_map
from tted_core.figures.lab import distance_by_size
from tted_core.figures.scores import score_histogram, score_scatter
from tted_core.figures.style import DRAWN, drawn
from tted_core.figures.systems import depth_scores, edit_bars, forest_plot
from tted_core.figures.texts import (
    corpus_numbers,
    similarity_plane,
    unique_curve,
)

__all__ = [
    "DRAWN",
    "corpus_numbers",
    "depth_scores",
    "distance_by_size",
    "drawn",
    "edit_bars",
    "forest_plot",
    "heat_map",
    "score_histogram",
    "score_scatter",
    "similarity_plane",
    "unique_curve",
]
