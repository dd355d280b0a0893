"""Mappings that people make: whether an order allows them, and what they cost."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.solvers import EditProblem, Mapping, Solution, mapping_cost, solve
from tted_core.solvers.structure import Obstacle, Pair, obstacle
from tted_core.tree import TextTree


@dataclass(frozen=True)
class Violation:
    """The first pair that can't stand beside those before it, and what stands in its way."""

    pair: Pair
    obstacle: Obstacle


def pairs_of(mapping: Mapping) -> list[Pair]:
    """The pairs of a mapping, without its deletions and insertions."""
    return [(source, target) for source, target in mapping if source is not None and target is not None]


def with_gaps(left: TextTree, right: TextTree, pairs: Iterable[Pair]) -> Mapping:
    """The whole mapping that keeps these pairs: all other nodes are deleted or inserted."""
    kept = sorted(pairs)
    sources, targets = {source for source, _ in kept}, {target for _, target in kept}
    return (
        *kept,
        *((node, None) for node in range(len(left)) if node not in sources),
        *((None, node) for node in range(len(right)) if node not in targets),
    )


def violation(order: str, left: TextTree, right: TextTree, pairs: Sequence[Pair]) -> Violation | None:
    """The first rule of this order that the pairs break; None if they are a mapping of it."""
    for place, pair in enumerate(pairs):
        found = obstacle(left, right, order, pair, pairs[:place])
        if found:
            return Violation(pair, found)
    return None


@dataclass(frozen=True)
class Verdict:
    """What a mapping made by people costs, and what the cheapest one does; ``violation`` if it is none at all."""

    cost: float
    optimum: Solution
    violation: Violation | None

    @property
    def excess(self) -> float:
        """How much more the mapping costs than need be."""
        return self.cost - self.optimum.upper


def judge(
    order: str, left: TextTree, right: TextTree, costs: NDArray[np.float64], pairs: Sequence[Pair]
) -> Verdict:
    """Hold a set of pairs against the optimal mapping of this order.

    Args:
        order: a name of ``SOLVERS``.
        left: n nodes.
        right: m nodes.
        costs: (n+1, m+1), the last row and column being the gap.
        pairs: what people chose; all other nodes are deleted or inserted.

    Raises:
        UnknownNameError: no such order.
    """
    optimum = solve(EditProblem(left, right, costs), order)
    return Verdict(
        mapping_cost(costs, with_gaps(left, right, pairs)), optimum, violation(order, left, right, pairs)
    )
