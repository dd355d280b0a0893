"""Tolerances for numbers whose last digits depend on the processor.

Two ways to compute one number agree to the last bit only where the same code runs in the same order of operations
on the same machine: a resumed run and a whole one, say. BLAS adds up in another order for another shape or
processor, a model for another batch, and a compiler may fuse a product and a sum. Tests of such numbers take one
of these.
"""

from typing import Any

import pytest


def by_arithmetic(expected: Any) -> Any:
    """``expected`` up to the rounding of float64: 9 digits, or 1e-9 near 0."""
    return pytest.approx(expected, rel=1e-9, abs=1e-9)


def by_a_model(expected: Any) -> Any:
    """``expected`` up to the rounding of a model in float32: 5 digits, or 1e-5 near 0."""
    return pytest.approx(expected, rel=1e-5, abs=1e-5)
