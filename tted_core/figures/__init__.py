"""Figures of results as Vega-Lite specifications: plain JSON, drawn alike on the page and in files."""

from tted_core.figures.agreement import heat_map, map_plane
from tted_core.figures.bags import bag_scatter
from tted_core.figures.by_size import distance_boxes, distance_by_size
from tted_core.figures.corpus import corpus_numbers, unique_curve
from tted_core.figures.curves import study_curves
from tted_core.figures.detection import detection_curves
from tted_core.figures.drawing import DRAWN, drawn
from tted_core.figures.ndd_words import edited_words, ndd_words
from tted_core.figures.plane import similarity_plane
from tted_core.figures.scatter import judgement_scatter
from tted_core.figures.scores import score_histogram, score_scatter
from tted_core.figures.systems import depth_scores, forest_plot
from tted_core.figures.word_pieces import word_piece_heat_map

__all__ = [
    "DRAWN",
    "bag_scatter",
    "corpus_numbers",
    "depth_scores",
    "detection_curves",
    "distance_boxes",
    "distance_by_size",
    "drawn",
    "edited_words",
    "forest_plot",
    "heat_map",
    "judgement_scatter",
    "map_plane",
    "ndd_words",
    "score_histogram",
    "score_scatter",
    "similarity_plane",
    "study_curves",
    "unique_curve",
    "word_piece_heat_map",
]
