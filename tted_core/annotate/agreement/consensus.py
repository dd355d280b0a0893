"""What several maps of one document have in common: the medoid, and the nodes that are disputed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.comparison import Comparison

SAME = 1e-12


@dataclass(frozen=True)
class DisputedNode:
    """How one node of one map fares in the comparisons with all other maps of the document.

    Attributes:
        map: the number of the map that it belongs to.
        node: its preorder index.
        missing_in: the numbers of the maps that have no partner for it.
        others: how many other maps there are.
        mean_cost: the mean cost of its operation (replace, or delete/insert), over the other maps.
    """

    map: int
    node: int
    missing_in: tuple[int, ...]
    others: int
    mean_cost: float

    @property
    def missing_share(self) -> float:
        """The share of other maps without a partner for it."""
        return len(self.missing_in) / self.others


def medoids(distances: NDArray[np.float64]) -> tuple[int, ...]:
    """The maps whose summed distance to all others is smallest; one, unless several share the place."""
    sums = distances.sum(axis=1)
    return tuple(np.flatnonzero(sums <= sums.min() + SAME * (1 + abs(sums.min()))).tolist())


def disputed_nodes(
    sizes: Sequence[int], comparisons: Mapping[tuple[int, int], Comparison]
) -> tuple[DisputedNode, ...]:
    """All nodes of all maps, the most disputed first: most often without a partner, then the dearest.

    Args:
        sizes: the number of nodes of each map.
        comparisons: for each pair (i, j), i < j, the comparison of map i (left) with map j (right).
    """
    missing: dict[tuple[int, int], list[int]] = {}
    costs: dict[tuple[int, int], list[float]] = {}
    for (left, right), comparison in sorted(comparisons.items()):
        for op in comparison.script.ops:
            for mine, node, other in ((left, op.source, right), (right, op.target, left)):
                if node is not None:
                    costs.setdefault((mine, node), []).append(op.cost)
                    if op.source is None or op.target is None:
                        missing.setdefault((mine, node), []).append(other)
    found = [
        DisputedNode(
            each,
            node,
            tuple(missing.get((each, node), ())),
            len(sizes) - 1,
            float(np.mean(costs[each, node])),
        )
        for each, size in enumerate(sizes)
        for node in range(size)
    ]
    return tuple(sorted(found, key=lambda one: (-one.missing_share, -one.mean_cost, one.map, one.node)))
