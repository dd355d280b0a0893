"""Figures of results as Vega-Lite specifications: plain JSON, drawn alike on the page and in files."""

from tted_core.figures.curves import study_curves
from tted_core.figures.drawing import DRAWN, drawn
from tted_core.figures.scatter import judgement_scatter

__all__ = ["DRAWN", "drawn", "judgement_scatter", "study_curves"]
