"""Solving many pairs of trees in one call of compiled code.

Python interprets the kernels of the polynomial orders for a few small pairs; further calls import numba and load
the machine code from its on-disk cache, or compile it once.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.solvers.solution import Solution, mapping_from_partners
from tted_core.tree import TextTree

Pair: TypeAlias = tuple[TextTree, TextTree, NDArray[np.float64]]
"""Two trees of n and m nodes, and (n+1, m+1) costs with the gap last."""


def solved_at_once(order: str, pairs: Sequence[Pair]) -> Sequence[Solution | None]:
    """The cheapest mapping of each pair; None if it isn't proven, or the order has no compiled kernel."""
    from tted_core.solvers.kernels.many import KERNELS, packed, solve_pairs

    if order in KERNELS:
        found = solve_pairs(KERNELS[order], packed(pairs))
        proven = np.ones(len(pairs), dtype=np.bool_)
    elif order == "unordered":
        from tted_core.solvers.unordered.many import solve_pairs_unordered

        found, proven = solve_pairs_unordered(packed(pairs))
    else:
        return [None] * len(pairs)
    solutions: list[Solution | None] = []
    for number, (_, right, _) in enumerate(pairs):
        distance = float(found.distances[number])
        mapping = mapping_from_partners(found.of(number), len(right)) if proven[number] else ()
        solutions.append(Solution(mapping, distance, distance) if proven[number] else None)
    return solutions
