"""Staircases: cuts for the linear program of two forests that use root paths of both trees at once.

Start at the roots (i, j) and step down, each time
to a child in either tree, until no children are left. A step to the left node k while at m on the right takes
all pairs (k, b) with b below m; a step to the right node m while at k on the left takes all pairs (a, m) with a
below k. An antichain matching can use only one of the pairs that a staircase takes: of two steps, the later one
is below the earlier one in the tree in which the earlier one was made, so their pairs share a root path there.
Hence, over the pairs taken,

    sum of x(a, b) <= 1.

A staircase that steps down in one tree only is a leaf constraint of the linear program; the others cut off
fractional solutions (on pairs of chain-like trees most of the program's gap). The most violated one is found by
dynamic programming over the pairs, V(k, m) being the most that can be taken from (k, m) on:

    V(k, m) = max( max over children c of k:  sum of x(c, b) for b below m  +  V(c, m),
                   max over children d of m:  sum of x(a, d) for a below k  +  V(k, d) ).
"""

import numpy as np

from tted_core.solvers.kernels.compiling import compile_kernel
from tted_core.solvers.kernels.trees import Booleans, Floats, Integers
from tted_core.solvers.unordered.lagrange import Forests


@compile_kernel
def _descents(pair: Forests, amounts: Floats) -> tuple[Floats, Integers]:
    """V and the steps taken: 1 + c for the left child c, -1 - d for the right child d, 0 at the end.

    All matrices have one row per left node from i on and one column per right node from j on.
    """
    i, j, left, right = pair
    rows, columns = amounts.shape
    along = np.zeros((rows, columns + 1))  # row-wise prefix sums of the amounts
    down = np.zeros((rows + 1, columns))  # column-wise
    for k in range(rows):
        for m in range(columns):
            along[k, m + 1] = along[k, m] + amounts[k, m]
            down[k + 1, m] = down[k, m] + amounts[k, m]
    value = np.zeros((rows, columns))
    step = np.zeros((rows, columns), dtype=np.int64)
    for k in range(rows - 1, -1, -1):
        end_left = k + left.sizes[i + k]
        for m in range(columns - 1, -1, -1):
            end_right = m + right.sizes[j + m]
            for below in left.children[left.first[i + k] : left.first[i + k + 1]]:
                child = below - i
                taken = along[child, end_right] - along[child, m + 1] + value[child, m]
                if taken > value[k, m]:
                    value[k, m], step[k, m] = taken, 1 + child
            for below in right.children[right.first[j + m] : right.first[j + m + 1]]:
                child = below - j
                taken = down[end_left, child] - down[k + 1, child] + value[k, child]
                if taken > value[k, m]:
                    value[k, m], step[k, m] = taken, -1 - child
    return value, step


@compile_kernel
def find_violated_staircase(pair: Forests, amounts: Floats) -> tuple[float, Booleans]:
    """The staircase that takes the largest amount: the amount, and the pairs that it takes.

    Args:
        pair: the forests.
        amounts: (rows, columns) x, one row per left node from i on, one column per right node from j on.
    """
    value, step = _descents(pair, amounts)
    taken = np.zeros(amounts.shape, dtype=np.bool_)
    k, m = 0, 0
    while step[k, m] != 0:
        if step[k, m] > 0:
            k = step[k, m] - 1
            taken[k, m + 1 : m + pair.right.sizes[pair.j + m]] = True
        else:
            m = -1 - step[k, m]
            taken[k + 1 : k + pair.left.sizes[pair.i + k], m] = True
    return value[0, 0], taken
