"""Evaluation of settings: quality coefficients, and agreement with people."""
