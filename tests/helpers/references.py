"""Slow and obvious references for the tree edit distances, and our own check of a mapping.

They share no code with tted_core but the tree's labels, parents and children. ``costs`` is (n+1, m+1), the
last row and column being the gap.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tted_core.solvers import Mapping
from tted_core.tree import TextTree

Pairs = list[tuple[int, int]]
Forest = tuple[int, ...]


def root_path(tree: TextTree, node: int) -> list[int]:
    """The node, its parent and so on up to the root."""
    path = [node]
    while tree.parents[path[-1]] >= 0:
        path.append(tree.parents[path[-1]])
    return path


def is_above(tree: TextTree, node: int, other: int) -> bool:
    return node != other and node in root_path(tree, other)


def lowest_common_ancestor(tree: TextTree, node: int, other: int) -> int:
    path = root_path(tree, other)
    return next(above for above in root_path(tree, node) if above in path)


def keeps_ancestors(left: TextTree, right: TextTree, pairs: Pairs) -> bool:
    """Tai's condition without order: one-to-one, and ancestors map to ancestors."""
    return all(
        (v != x) and (w != y) and is_above(left, v, x) == is_above(right, w, y)
        for (v, w), (x, y) in itertools.permutations(pairs, 2)
    )


def keeps_order(pairs: Pairs) -> bool:
    """With ``keeps_ancestors``: what lies to the left stays to the left. Preorder says which."""
    return all((v < x) == (w < y) for (v, w), (x, y) in itertools.combinations(pairs, 2))


def keeps_disjoint_subtrees(left: TextTree, right: TextTree, pairs: Pairs) -> bool:
    """Zhang's condition: lca(a, b) is a proper ancestor of c exactly if lca(a', b') is one of c'."""
    return all(
        is_above(left, lowest_common_ancestor(left, a[0], b[0]), c[0])
        == is_above(right, lowest_common_ancestor(right, a[1], b[1]), c[1])
        for a, b, c in itertools.permutations(pairs, 3)
    )


def allowed(order: str, left: TextTree, right: TextTree, pairs: Pairs) -> bool:
    """Return True if the pairs are a mapping of this order."""
    return (
        keeps_ancestors(left, right, pairs)
        and (order != "ordered" or keeps_order(pairs))
        and (order != "constrained" or keeps_disjoint_subtrees(left, right, pairs))
    )


def check_and_cost(
    order: str, left: TextTree, right: TextTree, mapping: Mapping, costs: NDArray[np.float64]
) -> float:
    """The mapping's cost, after asserting that it is one of this order and uses every node once."""
    pairs = [(v, w) for v, w in mapping if v is not None and w is not None]
    deleted = [v for v, w in mapping if w is None]
    inserted = [w for v, w in mapping if v is None]
    assert sorted([v for v, _ in pairs] + deleted) == list(range(len(left)))
    assert sorted([w for _, w in pairs] + inserted) == list(range(len(right)))
    assert allowed(order, left, right, pairs)
    return math.fsum(
        [float(costs[v, w]) for v, w in pairs]
        + [float(costs[v, len(right)]) for v in deleted]
        + [float(costs[len(left), w]) for w in inserted]
    )


def by_all_mappings(
    order: str,
    left: TextTree,
    right: TextTree,
    costs: NDArray[np.float64],
    wanted: Callable[[Pairs], bool] = lambda _pairs: True,
) -> float:
    """The cheapest of all mappings (Tai 1979) that are wanted, infinity if none is; for up to about 5 nodes."""

    def mappings(node: int, pairs: Pairs) -> Iterator[Pairs]:
        if node == len(left):
            yield pairs
            return
        yield from mappings(node + 1, pairs)
        for target in range(len(right)):
            longer = [*pairs, (node, target)]
            if keeps_ancestors(left, right, longer):
                yield from mappings(node + 1, longer)

    gap_left, gap_right = costs[:-1, -1].sum(), costs[-1, :-1].sum()
    return min(
        (
            float(gap_left + gap_right + sum(costs[v, w] - costs[v, -1] - costs[-1, w] for v, w in pairs))
            for pairs in mappings(0, [])
            if allowed(order, left, right, pairs) and wanted(pairs)
        ),
        default=math.inf,
    )


def ordered_distance(left: TextTree, right: TextTree, costs: NDArray[np.float64]) -> float:
    """The distance of two trees by ``ordered_forest_distance``."""
    return ordered_forest_distance(left, right, costs)((0,), (0,))


def ordered_forest_distance(
    left: TextTree, right: TextTree, costs: NDArray[np.float64]
) -> Callable[[Forest, Forest], float]:
    """The recursion over ordered forests that Zhang and Shasha (1989) start from, with a memo.

    A forest is given by its roots, from left to right.
    """

    @cache
    def distance(forest: Forest, other: Forest) -> float:
        if not forest and not other:
            return 0.0
        candidates = []
        if forest:
            v = forest[-1]
            candidates.append(distance(forest[:-1] + left.children[v], other) + costs[v, -1])
        if other:
            w = other[-1]
            candidates.append(distance(forest, other[:-1] + right.children[w]) + costs[-1, w])
        if forest and other:
            candidates.append(
                distance(forest[:-1], other[:-1])
                + distance(left.children[v], right.children[w])
                + costs[v, w]
            )
        return float(min(candidates))

    return distance
