"""Mappings: validity in an order, and small trees on which the orders differ.

Costs are 0 and 1, so that they can be added up by hand.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tted_core.script import OpKind
from tted_core.solvers import SOLVERS, Mapping, Solution
from tted_core.solvers.structure import Entry, Obstacle, Pair, entry_in_words, obstacle, obstacle_in_words
from tted_core.tree import TextTree


def unit_costs(left: TextTree, right: TextTree, *, replace: float = 1.0) -> NDArray[np.float64]:
    """The (n+1, m+1) matrix with costs 1 for deleting and inserting, 0 for equal texts, else ``replace``.

    With ``replace`` 1 these are the costs of Tai (1979) used in textbooks. With 2 or more, pairing different texts
    never pays, so that the mapping shows only what the order allows.
    """
    costs = np.ones((len(left) + 1, len(right) + 1))
    costs[:-1, :-1] = [[replace * (a != b) for b in right.labels] for a in left.labels]
    costs[-1, -1] = 0.0
    return costs


def list_pairs(mapping: Mapping) -> list[Pair]:
    """The pairs of a mapping, without deletions and insertions."""
    return [(source, target) for source, target in mapping if source is not None and target is not None]


def operation(left: Sequence[str], right: Sequence[str], entry: Entry) -> OpKind:
    """The operation of an entry of a mapping; ``left`` and ``right`` are the labels by the entry's numbers."""
    source, target = entry
    if source is None or target is None:
        return "insert" if source is None else "delete"
    return "match" if left[source] == right[target] else "replace"


def with_gaps(left: TextTree, right: TextTree, pairs: Iterable[Pair]) -> Mapping:
    """The complete mapping with these pairs; all other nodes are deleted or inserted."""
    kept = sorted(pairs)
    sources, targets = {source for source, _ in kept}, {target for _, target in kept}
    return (
        *kept,
        *((node, None) for node in range(len(left)) if node not in sources),
        *((None, node) for node in range(len(right)) if node not in targets),
    )


def violation(
    order: str, left: TextTree, right: TextTree, pairs: Sequence[Pair]
) -> tuple[Pair, Obstacle] | None:
    """The first pair that the order doesn't allow together with those before it, and the rule that it breaks."""
    found = ((pair, obstacle(left, right, order, pair, pairs[:index])) for index, pair in enumerate(pairs))
    return next(((pair, why) for pair, why in found if why), None)


def explain_omissions(
    order: str, left: TextTree, right: TextTree, kept: Sequence[Pair], wished: Iterable[Pair]
) -> list[str]:
    """A sentence for each ``wished`` pair that can't be combined with the ``kept`` ones (Markdown)."""
    missing = ((pair, obstacle(left, right, order, pair, kept)) for pair in wished if pair not in kept)
    return [clash_in_words(order, left, right, pair, why) for pair, why in missing if why]


def clash_in_words(order: str, left: TextTree, right: TextTree, pair: Pair, why: Obstacle) -> str:
    """A sentence about a pair that an order can't keep, and the reason (Markdown)."""
    what = entry_in_words(pair, left, right, postorder=True)
    return f"*{order}* can't keep {what}: {obstacle_in_words(why, pair, left, right, postorder=True)}."


# Cost of replacing: more than deleting and inserting, so that only equal letters are ever paired.
NEVER = 3.0


def letter_solutions(left: TextTree, right: TextTree) -> dict[str, Solution]:
    """The solution of each order, with cost 1 for deleting and inserting, and only equal letters paired."""
    costs = unit_costs(left, right, replace=NEVER)
    return {order: solve(left, right, costs) for order, solve in SOLVERS.items()}


# Smallest pairs on which all three orders differ, by the orders from the largest distance to the smallest.
# Smallest by the nodes of both trees together, of all pairs in which no letter occurs twice in a tree. Found
# by exhaustive search: with 8 nodes or fewer there is none of either kind, with 11 or fewer none of the
# second. Unordered is never above another order.
SMALLEST = {
    ("ordered", "constrained", "unordered"): (
        TextTree(("A", "B", "C", "D", "E"), (-1, 0, 1, 1, 0)),
        TextTree(("A", "E", "D", "C"), (-1, 0, 0, 0)),
    ),
    ("constrained", "ordered", "unordered"): (
        TextTree(("A", "B", "C", "D", "E", "F", "G"), (-1, 0, 1, 1, 0, 4, 4)),
        TextTree(("A", "C", "D", "G", "F"), (-1, 0, 0, 0, 0)),
    ),
}
