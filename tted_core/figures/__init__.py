"""Figures of results as Vega-Lite specifications: plain JSON, drawn alike on pages and in files."""
