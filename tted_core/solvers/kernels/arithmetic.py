"""Compiled twin of :mod:`tted_core.arithmetic`, for the nodes of many pairs in one call."""

from tted_core.solvers.kernels.compiling import compiled
from tted_core.solvers.kernels.trees import Floats


@compiled
def price_indels(costs: Floats, factor: float, price: float) -> None:
    """Let the indels, the last row and column of the costs, cost ``factor`` times what they do, and ``price``."""
    rows, columns = costs.shape[0] - 1, costs.shape[1] - 1
    for i in range(rows):
        costs[i, columns] = factor * costs[i, columns] + price
    for j in range(columns):
        costs[rows, j] = factor * costs[rows, j] + price


@compiled
def total(costs: Floats, power: float) -> float:
    """(sum of c^p)^(1/p), as :func:`tted_core.arithmetic.total`.

    The rounding error of each addition is kept and added at the end (Knuth's two-sum), which rounds the sum
    correctly but for cases that no costs of nodes come near: it doesn't depend on their order.
    """
    largest = costs.max()
    if largest == 0.0:
        return 0.0
    high, low = 0.0, 0.0
    for cost in costs:
        part = cost if power == 1.0 else (cost / largest) ** power
        whole = high + part
        back = whole - high
        low += (high - (whole - back)) + (part - back)
        high = whole
    if power == 1.0:
        return float(high + low)
    return float(largest * (high + low) ** (1.0 / power))
