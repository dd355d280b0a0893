"""A server and clients without a browser, for tests and benchmarks."""
