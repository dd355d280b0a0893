"""Side-by-side timings; they print tables and assert nothing."""
