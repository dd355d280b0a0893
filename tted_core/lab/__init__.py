"""Evaluation of settings: quality coefficients, graded edits of a map, and agreement with people."""
