"""Mappings that people make: whether an order allows them, and what they cost."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tted_core.solvers import Mapping
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
