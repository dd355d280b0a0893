"""Figures of results as Vega-Lite specifications: plain JSON, drawn alike on the page and in files."""

from tted_core.figures.curves import study_curves
from tted_core.figures.drawing import DRAWN, drawn

__all__ = ["DRAWN", "drawn", "study_curves"]
