"""Compiled kernels: assignment, and tree edit distances of many pairs in one call.

Python interprets the kernels of the polynomial orders for a few small pairs; further calls import numba and load
the machine code from its on-disk cache, or compile it once.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.foundations.monitor import Monitor
from tted_core.solvers.solution import Solution, mapping_from_partners
from tted_core.tree import TextTree

Pair: TypeAlias = tuple[TextTree, TextTree, NDArray[np.float64]]
"""Two trees of n and m nodes, and (n+1, m+1) costs with the gap last."""

LAST = {
    "ordered": "many.solve_each",
    "constrained": "many.solve_each",
    "unordered": "recovery.recover_partners",
}
"""Order -> its kernel that is compiled last."""


def is_compiled(order: str = "unordered") -> bool:
    """Return True if the machine code of an order is on disk."""
    from tted_core.solvers.kernels.compiling import cache_folder

    return any(cache_folder().glob(f"*/{LAST[order]}-*.nbi"))


def report_compiling(order: str, cells: int, monitor: Monitor) -> None:
    """Report that solving so many pairs of nodes compiles first: there is no machine code of the order on disk."""
    from tted_core.solvers.kernels.many import KERNELS, solve_each

    is_interpreted = order in KERNELS and solve_each.is_interpreted(cells)
    if not is_interpreted and not solve_each.is_loaded and not is_compiled(order):
        monitor.stage("Compiling the solver for this machine, once")


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
    solutions: list[Solution | None] = [None] * len(pairs)
    for number in np.flatnonzero(proven).tolist():
        distance = float(found.distances[number])
        mapping = mapping_from_partners(found.of(number), len(pairs[number][1]))
        solutions[number] = Solution(mapping, distance, distance)
    return solutions
