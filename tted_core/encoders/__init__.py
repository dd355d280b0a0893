"""Sentence encoders and masked language models, with caches of their results."""
