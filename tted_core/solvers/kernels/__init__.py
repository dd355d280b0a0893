"""Compiled kernels: assignment, and the tree edit distances of many pairs in one call."""

from collections.abc import Iterator
from contextlib import contextmanager

from tted_core.foundations.monitor import Monitor

LAST = {
    "ordered": "many.solve_each",
    "constrained": "many.solve_each",
    "unordered": "recovery.recover_partners",
}
"""Name of an order -> the kernel of it that is compiled last."""


def is_compiled(order: str = "unordered") -> bool:
    """Whether the machine code of an order is on disk."""
    from tted_core.solvers.kernels.compiling import cache_folder

    return any(cache_folder().glob(f"*/{LAST[order]}-*.nbi"))


@contextmanager
def first_use(order: str, pairs: int, monitor: Monitor) -> Iterator[None]:
    """Around the solving of two trees: say why it takes so long where this order has no machine code on disk yet.

    Args:
        order: a name of ``SOLVERS``.
        pairs: how many pairs of nodes there are, of which few need no machine code.
        monitor: is told.
    """
    from tted_core.solvers.kernels.many import KERNELS, solve_each

    is_interpreted = order in KERNELS and solve_each.is_interpreted(pairs)
    if not is_interpreted and not solve_each.is_loaded and not is_compiled(order):
        monitor.stage("Compiling the solver for this machine, once")
    yield
