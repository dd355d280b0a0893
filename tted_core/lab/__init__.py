"""Which settings to trust: quality coefficients, graded changes of a map, agreement with people."""
