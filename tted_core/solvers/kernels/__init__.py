"""Compiled kernels: assignment, and tree edit distances of many pairs in one call.

Python interprets the kernels of the polynomial orders for a few small pairs; further calls import numba and load
the machine code from its on-disk cache, or compile it once.
"""

from tted_core.foundations.monitor import Monitor

# Order -> its kernel that is compiled last.
_LAST = {
    "ordered": "review.review_each",
    "constrained": "review.review_each",
    "unordered": "many.recover_partners",
}


def is_compiled(order: str = "unordered") -> bool:
    """Return True if the machine code of an order is on disk."""
    from tted_core.solvers.kernels.compiling import cache_folder

    return any(cache_folder().glob(f"*/{_LAST[order]}-*.nbi"))


def report_compiling(order: str, cells: int, monitor: Monitor) -> None:
    """Report that solving so many pairs of nodes compiles first: there is no machine code of the order on disk."""
    from tted_core.solvers.kernels.many import KERNELS, solve_each

    is_interpreted = order in KERNELS and solve_each.is_interpreted(cells)
    if order in _LAST and not (is_interpreted or solve_each.is_loaded or is_compiled(order)):
        monitor.stage("Compiling the solver for this machine, once")
