"""Do once what would make a first comparison slow: ``python -m tted_core.warm_up``."""

import numpy as np

from tted_core.baselines import BASELINES
from tted_core.solvers import kernels, unordered
from tted_core.tree import TextTree


def warm_up() -> None:
    """Compile all solvers, or load their machine code (about 20 s or 1 s), and import what is imported late."""
    kernels.warm_up()
    unordered.warm_up()
    tree = TextTree(("a b", "b c"), (-1, 0))
    for baseline in BASELINES.values():
        baseline(tree, tree, lambda texts: np.ones((len(texts), 2)))


if __name__ == "__main__":
    warm_up()
