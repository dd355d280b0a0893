"""Compiled kernels: the method's arithmetic, assignment, and the tree edit distances of many pairs in one call.

Importing the modules of this package imports numba, so others do it inside the functions that need them.
"""

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
def first_use(order: str, monitor: Monitor) -> Iterator[None]:
    """Around the solving of a pair: say why it takes so long where this order has no machine code on disk yet."""
    from tted_core.solvers.kernels.compiling import cache_folder

    folder = cache_folder()
    if folder is None or (mark := folder / f"{order}-compiled").exists():
        yield
        return
    monitor.stage("Compiling the solver for this machine, once")
    yield
    mark.touch()
