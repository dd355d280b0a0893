"""Random trees of several shapes with random costs of several kinds, for the solvers."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tted_core.tree import TextTree

SHAPES = ("any", "deep", "wide")
KINDS = ("any", "cheap", "costly", "ties", "metric")


def random_tree(rng: np.random.Generator, size: int, shape: str) -> TextTree:
    """Each node goes below one before it: any, one of the last three ("deep") or of the first three ("wide")."""
    children: list[list[int]] = [[] for _ in range(size)]
    for node in range(1, size):
        lowest = max(0, node - 3) if shape == "deep" else 0
        highest = min(node, 3) if shape == "wide" else node
        children[int(rng.integers(lowest, highest))].append(node)
    return TextTree.from_children([""] * size, children)


def random_costs(rng: np.random.Generator, left: TextTree, right: TextTree, kind: str) -> NDArray[np.float64]:
    """A cost matrix; only the kind "metric" obeys the triangle inequality."""
    shape = (len(left) + 1, len(right) + 1)
    if kind == "ties":
        costs = rng.integers(0, 3, shape).astype(float)
    elif kind == "metric":
        points = rng.standard_normal((shape[0] + shape[1], 3))
        points[shape[0] - 1] = points[-1] = 0.0
        costs = np.linalg.norm(points[: shape[0], None] - points[None, shape[0] :], axis=2)
    else:
        costs = rng.random(shape)
        costs[:-1, :-1] *= {"any": 1.0, "cheap": 0.3, "costly": 4.0}[kind]
    costs[-1, -1] = 0.0
    return costs


def random_pairs(
    seed: int, count: int, largest: int
) -> Iterator[tuple[TextTree, TextTree, NDArray[np.float64]]]:
    """``count`` pairs of trees of up to ``largest`` nodes, with costs."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        left, right = (
            random_tree(rng, int(rng.integers(1, largest + 1)), rng.choice(SHAPES)) for _ in range(2)
        )
        yield left, right, random_costs(rng, left, right, rng.choice(KINDS))
