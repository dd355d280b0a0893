"""Comparing many pairs: from files to rows of results."""
