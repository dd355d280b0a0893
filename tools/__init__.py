"""A server and raw visitors, for tests and benchmarks."""
