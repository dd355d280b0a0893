"""Compiled kernels: assignment, and tree edit distances of many pairs in one call."""

from collections.abc import Iterator
from contextlib import contextmanager

from tted_core.foundations.monitor import Monitor

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


@contextmanager
def first_use(order: str, pairs: int, monitor: Monitor) -> Iterator[None]:
    """Context for solving two trees; reports a compilation if there is no machine code of the order on disk.

    Args:
        order: a name of ``SOLVERS``.
        pairs: number of pairs of nodes; a few need no machine code.
        monitor: receives the report.
    """
    from tted_core.solvers.kernels.many import KERNELS, solve_each

    is_interpreted = order in KERNELS and solve_each.is_interpreted(pairs)
    if not is_interpreted and not solve_each.is_loaded and not is_compiled(order):
        monitor.stage("Compiling the solver for this machine, once")
    yield
