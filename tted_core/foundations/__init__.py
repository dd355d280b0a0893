"""Foundations of all packages: limits, registries, extras, tables, statistics and the progress of long work."""
