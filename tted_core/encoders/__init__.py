"""Sentence encoders, with caches of their results."""
