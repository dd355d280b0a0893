"""The best one-to-one matching: the assignment problem, as scipy solves it (Jonker and Volgenant 1987)."""

import numpy as np
from numpy.typing import NDArray


def best_assignment(gains: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the pairs whose gains sum to the most; of n x m, min(n, m) pairs."""
    from scipy.optimize import linear_sum_assignment  # 0.3 s, which importing tted_core need not wait for

    rows, columns = linear_sum_assignment(gains, maximize=True)
    return rows, columns
