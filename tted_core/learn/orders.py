"""Small pairs of trees on which the three orders give three different distances, found by looking for them."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from string import ascii_uppercase

from tted_core.learn.unit_costs import unit_costs
from tted_core.solvers import SOLVERS, Solution
from tted_core.tree import TextTree

NEVER = 3.0
"""What replacing costs: more than deleting and inserting, so that only equal letters are ever paired."""

RANKINGS: tuple[tuple[str, str, str], ...] = (
    ("ordered", "constrained", "unordered"),
    ("constrained", "ordered", "unordered"),
)
"""Orders from the largest distance to the smallest; unordered is never above another one."""


@dataclass(frozen=True)
class TreePair:
    """Two trees, and the optimal mapping of each order."""

    left: TextTree
    right: TextTree
    solutions: dict[str, Solution]

    @property
    def distances(self) -> dict[str, float]:
        """Order -> the distance of the two trees in it."""
        return {order: solution.upper for order, solution in self.solutions.items()}


def solve(order: str, left: TextTree, right: TextTree) -> Solution:
    """The optimal mapping where deleting and inserting cost 1 and only equal letters are paired."""
    return SOLVERS[order](left, right, unit_costs(left, right, replace=NEVER))


@cache
def separating_pair(ranking: tuple[str, str, str]) -> TreePair:
    """The first of the smallest pairs whose distances are strictly ranked like this.

    The right tree is the left one without one node, whose children move up, and with siblings rearranged: one
    deletion for the unordered distance, and more for the others.
    """
    for size in itertools.count(3):
        for left in trees(size):
            for right in _edited(left):
                values = [solve(order, left, right).upper for order in ranking[:2]]
                if values[0] > values[1] > 1:
                    return TreePair(left, right, {order: solve(order, left, right) for order in SOLVERS})
    raise AssertionError  # itertools.count never ends


def trees(size: int) -> Iterator[TextTree]:
    """All ordered trees of this size, lettered in preorder."""
    letters = tuple(ascii_uppercase[:size])

    def grown(parents: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(parents) == size:
            yield parents
            return
        node = len(parents) - 1
        while node >= 0:  # any node of the path to the last one can have the next child
            yield from grown((*parents, node))
            node = parents[node]

    return (TextTree(letters, parents) for parents in grown((-1,)))


def _edited(tree: TextTree) -> Iterator[TextTree]:
    """The tree without one inner node that has siblings, in all other arrangements of siblings."""
    for gone in range(1, len(tree)):
        if not tree.children[gone] or len(tree.children[tree.parents[gone]]) == 1:
            continue
        below = [
            tuple(itertools.chain.from_iterable(tree.children[c] if c == gone else (c,) for c in children))
            for children in tree.children
        ]
        kept = [node for node in range(len(tree)) if node != gone]
        at = {node: place for place, node in enumerate(kept)}
        for arrangement in itertools.product(*(itertools.permutations(below[node]) for node in kept)):
            yield TextTree.from_children(
                [tree.labels[node] for node in kept],
                [[at[child] for child in children] for children in arrangement],
            )
