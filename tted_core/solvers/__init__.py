"""Tree edit distance solvers: ordered, constrained, unordered."""
