"""Compiled kernels of the polynomial distances: ordered (Zhang and Shasha 1989), constrained (Zhang 1996).

Importing this package costs nothing; the first call imports numba and loads the machine code from its on-disk
cache, or compiles it once. :func:`warm_up` does that at a moment of the caller's choice.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tted_core.errors import SolverError
from tted_core.solvers.solution import Mapping, Solution, mapping_cost
from tted_core.tree import TextTree

COMPILED = "all-compiled"
"""A file beside the machine code."""


def zhang_shasha(left: TextTree, right: TextTree, costs: NDArray[np.float64]) -> Solution:
    """The ordered tree edit distance, decomposed from the cheaper side of the trees."""
    from tted_core.solvers.kernels.ordered import ordered_partners

    return _solve(ordered_partners, left, right, costs)


def constrained(left: TextTree, right: TextTree, costs: NDArray[np.float64]) -> Solution:
    """Zhang's constrained unordered tree edit distance, the one that edist.uted computes."""
    from tted_core.solvers.kernels.restricted import constrained_partners

    return _solve(constrained_partners, left, right, costs)


def warm_up() -> None:
    """Compile both kernels, or load them from the cache, by running them once on tiny trees."""
    tree = TextTree(("", "", "", "", "", ""), (-1, 0, 0, 2, 2, 4))
    costs = np.ones((7, 7)) - np.eye(7)
    zhang_shasha(tree, tree, costs)
    constrained(tree, tree, costs)


def is_compiled() -> bool:
    """Whether the machine code of all solvers is on disk, or could not be kept there anyway."""
    from tted_core.solvers.kernels.compiling import cache_folder

    folder = cache_folder()
    return folder is None or (folder / COMPILED).exists()


def note_compiled() -> None:
    """Remember beside the machine code that none of it is missing."""
    from tted_core.solvers.kernels.compiling import cache_folder

    folder = cache_folder()
    if folder is not None:
        (folder / COMPILED).touch()


def mapping_from_partners(partners: NDArray[np.int64], size_right: int) -> Mapping:
    """The full mapping, from each left node's partner (-1 for none)."""
    kept: list[int] = partners.tolist()
    inserted = set(range(size_right)).difference(kept)
    return (
        *((v, None if w < 0 else w) for v, w in enumerate(kept)),
        *((None, w) for w in sorted(inserted)),
    )


def _solve(
    kernel: Callable[
        [NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]], tuple[float, NDArray[np.int64]]
    ],
    left: TextTree,
    right: TextTree,
    costs: NDArray[np.float64],
) -> Solution:
    distance, partners = kernel(
        np.array(left.parents, dtype=np.int64),
        np.array(right.parents, dtype=np.int64),
        np.ascontiguousarray(costs, dtype=np.float64),
    )
    mapping = mapping_from_partners(partners, len(right))
    cost = mapping_cost(costs, mapping)
    if not abs(cost - distance) <= 1e-9 * max(1.0, cost):
        raise SolverError(
            f"the kernel's mapping costs {cost!r}, its distance is {distance!r}; please report this"
        )
    return Solution(mapping, cost, cost)
