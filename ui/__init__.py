"""Shared parts of the pages: inputs, options, cache, results and views. Nothing else draws."""
