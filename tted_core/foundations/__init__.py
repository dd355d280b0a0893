"""What every other room stands on: limits, registries, extras, tables, statistics, the progress of long work."""
