"""Mappings: validity in an order, and small trees on which the orders differ.

Costs can be added up by hand: 0 and 1, or those of a language model, rounded.

The step player and the exercises take the wording of nodes, entries and mappings from here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.compare import edit_problem
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES, Models
from tted_core.encoders import Encoder
from tted_core.formats.labels import counted
from tted_core.foundations.printable import shortened
from tted_core.learn.zhang_shasha import Numbering
from tted_core.script import OpKind
from tted_core.solvers import SOLVERS, Mapping, Solution
from tted_core.solvers.structure import ABOVE, AFTER, APART, BELOW, Entry, Obstacle, Pair, obstacle, relations
from tted_core.tree import TextTree

DECIMALS = 3  # of a cost, and of every displayed number of a run


def model_costs(encoder: Encoder, left: TextTree, right: TextTree) -> NDArray[np.float64]:
    """The (n+1, m+1) cost matrix of two trees: cosine distances, without context, rounded to ``DECIMALS``."""
    distance = DISTANCES["cosine"].load(Models(encoder))
    return edit_problem(distance, CONTEXTS["none"], left, right).costs.round(DECIMALS)


def unit_costs(left: TextTree, right: TextTree, *, replace: float = 1.0) -> NDArray[np.float64]:
    """The (n+1, m+1) matrix with costs 1 for deleting and inserting, 0 for equal texts, else ``replace``.

    With ``replace`` 1 these are the costs of Tai (1979) used in textbooks. With 2 or more, pairing different texts
    never pays, so that the mapping shows only what the order allows.
    """
    costs = np.ones((len(left) + 1, len(right) + 1))
    costs[:-1, :-1] = [[replace * (a != b) for b in right.labels] for a in left.labels]
    costs[-1, -1] = 0.0
    return costs


def pairs_of(mapping: Mapping) -> list[Pair]:
    """The pairs of a mapping, without deletions and insertions."""
    return [(source, target) for source, target in mapping if source is not None and target is not None]


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


def left_out(
    order: str, left: TextTree, right: TextTree, kept: Sequence[Pair], wished: Iterable[Pair]
) -> list[str]:
    """A sentence for each ``wished`` pair that can't be combined with the ``kept`` ones (Markdown)."""
    missing = ((pair, obstacle(left, right, order, pair, kept)) for pair in wished if pair not in kept)
    return [clash_in_words(order, left, right, pair, why) for pair, why in missing if why]


def clash_in_words(order: str, left: TextTree, right: TextTree, pair: Pair, why: Obstacle) -> str:
    """Name the pairs that exclude each other in this order, and the reason (Markdown)."""
    first, second = sorted((pair, why.others[0]))
    (v, w), (x, y) = first, second
    names = {p: _pair_name(left, right, p) for p in (pair, *why.others[:2])}
    both = f"*{order}* can't keep **{names[first]}** and **{names[second]}**"
    if why.rule == "one-to-one":
        tree, node = (left, v) if v == x else (right, w)
        return f"{both}: {tree.labels[node]} would have two partners."
    if why.rule != "branches":
        words = {ABOVE: "above", BELOW: "below", AFTER: "after"}
        words[APART] = "before" if order == "ordered" else "beside"
        here, there = (
            words[relations(tree, other, ordered=order == "ordered")[node]]
            for tree, node, other in ((left, v, x), (right, w, y))
        )
        same = (left.labels[v], left.labels[x]) == (right.labels[w], right.labels[y])
        across = f"{there} it" if same else f"{right.labels[w]} is {there} {right.labels[y]}"
        return f"{both}: {left.labels[v]} is {here} {left.labels[x]} on the left, but {across} on the right."
    for apart in (pair, *why.others):
        a, b = (each for each in (pair, *why.others) if each != apart)
        ends = zip((left, right), a, b, apart, strict=True)
        (here, is_here), (there, is_there) = (_branch(*each) for each in ends)
        if is_here != is_there:
            return (
                f"*{order}* can't keep **{names[apart]}** beside **{names[a]}** and **{names[b]}**: the smallest "
                f"branch with the latter two is {here} on the left, but {there} on the right."
            )
    raise AssertionError("one of the three lies in the others' branch on one side only")


def _pair_name(left: TextTree, right: TextTree, pair: Pair) -> str:
    names = left.labels[pair[0]], right.labels[pair[1]]
    return names[0] if names[0] == names[1] else f"{names[0]} with {names[1]}"


def _branch(tree: TextTree, a: int, b: int, other: int) -> tuple[str, bool]:
    """The smallest branch with two nodes, and whether a third one is in it: "B's, without E,"."""
    top = a
    while not top <= b < top + tree.sizes[top]:
        top = tree.parents[top]
    inside = top < other < top + tree.sizes[top]
    return f"{tree.labels[top]}'s, {'with' if inside else 'without'} {tree.labels[other]},", inside


# Cost of replacing: more than deleting and inserting, so that only equal letters are ever paired.
NEVER = 3.0


@dataclass(frozen=True)
class TreePair:
    """Two trees, and the optimal mapping of each order."""

    left: TextTree
    right: TextTree
    solutions: dict[str, Solution]

    @property
    def distances(self) -> dict[str, float]:
        """Order -> distance of the two trees."""
        return {order: solution.upper for order, solution in self.solutions.items()}


def pair_of(left: TextTree, right: TextTree) -> TreePair:
    """The two trees, with cost 1 for deleting and inserting, and only equal letters paired."""
    costs = unit_costs(left, right, replace=NEVER)
    return TreePair(left, right, {order: solve(left, right, costs) for order, solve in SOLVERS.items()})


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
"""Smallest pairs on which all three orders differ, by the orders from the largest distance to the smallest.

Smallest by the nodes of both trees together, of all pairs in which no letter occurs twice in a tree. Found by
exhaustive search: with 8 nodes or fewer there is none of either kind, with 11 or fewer none of the second.
Unordered is never above another order.
"""


LABEL = 28  # maximum characters of a label within a sentence
NOTHING = "nothing"  # name of node 0
NEAR = 1e-6  # tolerance for summation and for a solver's single-precision prices


def number(value: float) -> str:
    """A cost as in the tables: integers without decimals, others with three."""
    return str(round(value)) if abs(value - round(value)) <= NEAR else f"{value:.{DECIMALS}f}"


def named(side: Numbering, node: int) -> str:
    """Name of a node: its number and its text."""
    return f"{node} ({shortened(side.labels[node], LABEL)})" if side.labels[node] else f"{node} (no text)"


def at(table: str, row: int, column: int) -> str:
    """Name of an entry of a table: ``T(2, nothing)``."""
    return f"{table}({row or NOTHING}, {column or NOTHING})"


def listed(texts: Sequence[str]) -> str:
    """Join texts with commas, and "and" before the last."""
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last


def operation(left: Sequence[str], right: Sequence[str], entry: Entry) -> OpKind:
    """The operation of an entry of a mapping; ``left`` and ``right`` are the labels by the entry's numbers."""
    source, target = entry
    if source is None or target is None:
        return "insert" if source is None else "delete"
    return "match" if left[source] == right[target] else "replace"


def marks_of(left: Numbering, right: Numbering, entries: Iterable[Entry]) -> list[tuple[str, int, int]]:
    """Mapping entries in postorder with the marks of the player: each node's operation, and 0 for no node."""
    return [(operation(left.labels, right.labels, entry), entry[0] or 0, entry[1] or 0) for entry in entries]


def mapping_text(mapping: Mapping, total: str, order: str) -> str:
    """The last sentence of a run; ``total`` is the entry with the distance, and its value."""
    deleted, inserted = (sum(entry[side] is None for entry in mapping) for side in (1, 0))
    kept = counted(len(mapping) - deleted - inserted, "pair")
    return (
        f"The mapping: {kept}, {deleted} deleted, {inserted} inserted. Their costs add up to {total}, the {order} "
        "tree edit distance."
    )
