"""Checks of one map, with the findings that were dismissed, and agreement of several annotators' maps."""
