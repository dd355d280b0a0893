"""Compiled kernels: the method's arithmetic, assignment, and the tree edit distances of many pairs in one call."""

from collections.abc import Iterator
from contextlib import contextmanager

from tted_core.foundations.monitor import Monitor

COMPILED = "all-compiled"
"""A file beside the machine code."""


def is_compiled() -> bool:
    """Whether the machine code of all solvers is on disk, or could not be kept there anyway."""
    from tted_core.solvers.kernels.compiling import cache_folder

    folder = cache_folder()
    return folder is None or (folder / COMPILED).exists()


@contextmanager
def compiling_all() -> Iterator[bool]:
    """Around the compiling of all solvers: whether nobody else is at it; that it is done is remembered."""
    from tted_core.solvers.kernels.compiling import cache_folder, turn

    folder = cache_folder()
    if folder is None:
        yield True
        return
    with turn(folder / "all.turn", seconds=0) as is_ours:
        yield is_ours
        if is_ours:
            (folder / COMPILED).touch()


@contextmanager
def first_use(order: str, pairs: int, monitor: Monitor) -> Iterator[None]:
    """Around the solving of two trees: say why it takes so long where this order has no machine code on disk yet.

    Args:
        order: a name of ``SOLVERS``.
        pairs: how many pairs of nodes there are, of which few need no machine code.
        monitor: is told.
    """
    from tted_core.solvers.kernels.compiling import cache_folder
    from tted_core.solvers.kernels.many import KERNELS, solve_each

    if order in KERNELS and solve_each.is_interpreted(pairs):
        yield
        return
    folder = cache_folder()
    if folder is None or (mark := folder / f"{order}-compiled").exists():
        yield
        return
    monitor.stage("Compiling the solver for this machine, once")
    yield
    mark.touch()
