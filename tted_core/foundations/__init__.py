"""Modules that every package may use: statistics, tables, files, child processes and the progress of long work."""
