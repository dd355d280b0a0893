"""Mappings: whether an order allows one, and small trees on which the orders differ.

Their costs can be added up by hand: 0 and 1, or those of a language model, rounded.

Nodes, entries and mappings are worded here as the step player and the exercises write them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tted_core.compare import edit_problem
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES, Models
from tted_core.encoders import Encoder
from tted_core.foundations.printable import shortened
from tted_core.learn.zhang_shasha import Numbering
from tted_core.solvers import SOLVERS, Mapping, Solution
from tted_core.solvers.structure import Obstacle, Pair, obstacle
from tted_core.tree import TextTree

DECIMALS = 3
"""Of a cost, and of every number that is shown of a run."""


def model_costs(encoder: Encoder, left: TextTree, right: TextTree) -> NDArray[np.float64]:
    """The (n+1, m+1) cost matrix of two trees: cosine distances, without context, rounded to ``DECIMALS``."""
    distance = DISTANCES["cosine"].load(Models(encoder))
    return edit_problem(distance, CONTEXTS["none"], left, right).costs.round(DECIMALS)


def unit_costs(left: TextTree, right: TextTree, *, replace: float = 1.0) -> NDArray[np.float64]:
    """The (n+1, m+1) matrix in which deleting and inserting cost 1, equal texts 0, and other pairs ``replace``.

    With ``replace`` 1 these are the costs of Tai (1979) that textbooks calculate with. With 2 or more a pair of
    different texts is never worth keeping, so that the mapping shows what an order allows and nothing else.
    """
    costs = np.ones((len(left) + 1, len(right) + 1))
    costs[:-1, :-1] = [[replace * (a != b) for b in right.labels] for a in left.labels]
    costs[-1, -1] = 0.0
    return costs


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


def letters_solution(order: str, left: TextTree, right: TextTree) -> Solution:
    """The optimal mapping where deleting and inserting cost 1 and only equal letters are paired."""
    return SOLVERS[order](left, right, unit_costs(left, right, replace=NEVER))


SMALLEST = {
    RANKINGS[0]: (
        TextTree(("A", "B", "C", "D", "E"), (-1, 0, 1, 1, 0)),
        TextTree(("A", "E", "D", "C"), (-1, 0, 0, 0)),
    ),
    RANKINGS[1]: (
        TextTree(("A", "B", "C", "D", "E", "F", "G"), (-1, 0, 1, 1, 0, 4, 4)),
        TextTree(("A", "C", "D", "G", "F"), (-1, 0, 0, 0, 0)),
    ),
}
"""The smallest pairs, by the nodes of both trees together, of all in which no letter stands twice in a tree.

Found by trying them all: with 8 nodes or fewer there is none of either kind, with 11 or fewer none of the second.
"""


def pair_of(left: TextTree, right: TextTree) -> TreePair:
    """The two trees with the optimal mapping of each order."""
    return TreePair(left, right, {order: letters_solution(order, left, right) for order in SOLVERS})


@cache
def separating_pair(ranking: tuple[str, str, str]) -> TreePair:
    """One of the smallest pairs whose distances are strictly ranked like this."""
    return pair_of(*SMALLEST[ranking])


LABEL = 28
"""Characters of a label within a sentence."""

NOTHING = "nothing"
"""What node 0 is called."""


NEAR = 1e-6
"""What adding up, and a solver's prices in single precision, may change of a number."""


def number(value: float) -> str:
    """A cost as it is written in the tables: whole ones without decimals, others with three."""
    return str(round(value)) if abs(value - round(value)) <= NEAR else f"{value:.{DECIMALS}f}"


def named(side: Numbering, node: int) -> str:
    """A node by its number and its text."""
    return f"{node} ({shortened(side.labels[node], LABEL)})" if side.labels[node] else f"{node} (no text)"


def at(table: str, row: int, column: int) -> str:
    """An entry of a table: ``T(2, nothing)``."""
    return f"{table}({row or NOTHING}, {column or NOTHING})"


def listed(texts: Sequence[str]) -> str:
    """The texts with commas, and "and" before the last."""
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last


def marks_of(
    left: Numbering, right: Numbering, entries: Iterable[tuple[int | None, int | None]]
) -> list[tuple[str, int, int]]:
    """Entries of a mapping in postorder as the player marks them: what becomes of the nodes, and 0 for no node."""
    marks = []
    for source, target in entries:
        if source and target:
            same = left.labels[source] == right.labels[target]
            marks.append(("match" if same else "replace", source, target))
        else:
            marks.append(("delete" if source else "insert", source or 0, target or 0))
    return marks
