"""What makes a set of node pairs a mapping of an order, and which rule it breaks if it is none.

The rules: every node at most once; v is an ancestor of x exactly if w is one of y, for pairs (v, w) and (x, y)
(Tai 1979); in the order "ordered", what lies to the left stays to the left; in the order "constrained", disjoint
branches stay disjoint: for three pairs, the lowest common ancestor of the first two is an ancestor of the third
exactly if that holds on the other side (Zhang 1996).
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tted_core.solvers import Mapping
from tted_core.tree import TextTree

NodePair: TypeAlias = tuple[int, int]
Rule: TypeAlias = Literal["one-to-one", "ancestors", "sibling order", "branches apart"]


@dataclass(frozen=True)
class Violation:
    """A broken rule, and the two or three pairs that break it."""

    rule: Rule
    pairs: tuple[NodePair, ...]


def pairs_of(mapping: Mapping) -> list[NodePair]:
    """The pairs of a mapping, without its deletions and insertions."""
    return [(source, target) for source, target in mapping if source is not None and target is not None]


def with_gaps(left: TextTree, right: TextTree, pairs: Iterable[NodePair]) -> Mapping:
    """The whole mapping that keeps these pairs: all other nodes are deleted or inserted."""
    kept = sorted(pairs)
    sources, targets = {source for source, _ in kept}, {target for _, target in kept}
    return (
        *kept,
        *((node, None) for node in range(len(left)) if node not in sources),
        *((None, node) for node in range(len(right)) if node not in targets),
    )


def violation(order: str, left: TextTree, right: TextTree, pairs: Sequence[NodePair]) -> Violation | None:
    """The first rule of this order that the pairs break, None if they are a mapping of it."""
    for first, second in itertools.combinations(pairs, 2):
        if first[0] == second[0] or first[1] == second[1]:
            return Violation("one-to-one", (first, second))
        relations = (_relation(tree, first[side], second[side]) for side, tree in enumerate((left, right)))
        here, there = relations
        if here != there and not {here, there} <= {"before", "after"}:
            return Violation("ancestors", (first, second))
        if here != there and order == "ordered":
            return Violation("sibling order", (first, second))
    if order == "constrained":
        for *two, third in itertools.permutations(pairs, 3):
            here, there = (
                _common_is_above(tree, two[0][side], two[1][side], third[side])
                for side, tree in enumerate((left, right))
            )
            if here != there:
                return Violation("branches apart", (*two, third))
    return None


def _relation(tree: TextTree, node: int, other: int) -> Literal["above", "below", "before", "after"]:
    if node < other:
        return "above" if other < node + tree.sizes[node] else "before"
    return "below" if node < other + tree.sizes[other] else "after"


def _common_is_above(tree: TextTree, node: int, other: int, third: int) -> bool:
    """Whether the lowest common ancestor of the first two is a proper ancestor of the third."""
    common = min(node, other)
    while max(node, other) >= common + tree.sizes[common]:
        common = tree.parents[common]
    return common < third < common + tree.sizes[common]
