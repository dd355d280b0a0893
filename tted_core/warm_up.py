"""Compile and load what would slow down the first comparison: ``python -m tted_core.warm_up [NICENESS]``."""

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines import BASELINES
from tted_core.pipeline.costs import finish_distances
from tted_core.pipeline.prepared import Nodes
from tted_core.solvers import SOLVERS, kernels, polynomial, unordered
from tted_core.tree import TextTree
from tted_core.tted import TTED

_NICENESS = 10


def warm_up() -> None:
    """Compile all solvers (about 20 s) or load their machine code (1 s), and import lazily imported modules."""
    polynomial.warm_up_polynomial()
    numbers = np.zeros(1, dtype=np.int64)
    nodes = Nodes(np.ones((1, 1)), np.ones(1), numbers, numbers)
    finish_distances(nodes, np.zeros((0, 2), dtype=np.int64), np.ones(0))
    unordered.warm_up_unordered()
    tree = TextTree(("a b a", "b a b"), (-1, 0))
    for order in SOLVERS:
        tted = TTED(encoder=_alike, order=order)
        list(tted.compare_many([(tree, tree)]))
    for baseline in BASELINES.values():
        baseline(tree, tree, _alike)


def _alike(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return equal vectors for all texts."""
    return np.ones((len(texts), 2))


def warm_up_in_background() -> None:
    """Warm up in a thread without slowing down others: compile in a process of low priority if needed."""
    if not kernels.is_compiled():
        command = (sys.executable, "-P", "-m", "tted_core.warm_up", str(_NICENESS))
        path = os.pathsep.join(filter(None, sys.path))
        with suppress(OSError):  # where no process can be started, this one compiles
            subprocess.run(  # noqa: S603 - always the same command
                command,
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr,
                env={**os.environ, "PYTHONPATH": path},
                check=False,
            )
    warm_up()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(int("".join(sys.argv[1:]) or 0))
    warm_up()
