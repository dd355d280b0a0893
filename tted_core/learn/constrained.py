"""The algorithm of Zhang (1996) for the constrained distance, recorded step by step.

Nodes are numbered from 1 in postorder. T(i, j) is the distance of the subtrees of i and j, F(i, j) that of the
forests below them; 0 stands for nothing, so that T(i, 0) is what deleting the whole subtree of i costs. With k and
l running over the children of i and of j,

    F(i, j) = min( cheapest matching of the children,
                   F(i, 0) + min_k ( F(k, j) - F(k, 0) ),  F(0, j) + min_l ( F(i, l) - F(0, l) ) ),
    T(i, j) = min( F(i, j) + replace(i, j),
                   T(i, 0) + min_k ( T(k, j) - T(k, 0) ),  T(0, j) + min_l ( T(i, l) - T(0, l) ) ),

where a matching costs T(k, l) for each of its pairs, and T(k, 0) and T(0, l) for unmatched children. A pair that
costs more than deleting and inserting its nodes is given that cost
(see :mod:`tted_core.solvers.kernels.many`).

For showing small trees; :mod:`tted_core.solvers` computes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import nsmallest
from operator import itemgetter
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.learn.zhang_shasha import Minimum, Numbering, check_traced, number
from tted_core.solvers import Mapping
from tted_core.solvers.structure import Entry
from tted_core.tree import TextTree

Table: TypeAlias = Literal["F", "T"]
# Alternatives of the recurrence: all that is kept on the left (or on the right) is below one child; the
# children are matched; or, for trees, the roots are paired.
Line: TypeAlias = Literal["left", "right", "match", "pair"]
Numbers: TypeAlias = tuple[int, ...]
Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Matching:
    """Children of i and of j matched one to one; unmatched children go with their whole subtrees."""

    pairs: tuple[tuple[int, int], ...]
    deleted: Numbers
    inserted: Numbers
    value: float

    @property
    def entries(self) -> list[tuple[int, int]]:
        """The pairs, and the deleted and inserted children paired with 0."""
        return [*self.pairs, *((k, 0) for k in self.deleted), *((0, m) for m in self.inserted)]


@dataclass(frozen=True)
class Candidate:
    """An alternative for a cell.

    Attributes:
        line: of the recurrence.
        child: 0 if the line isn't about one child.
        terms: summands; those of "left" and "right" are added, added and subtracted.
        value: their sum.
    """

    line: Line
    child: int
    terms: tuple[float, ...]
    value: float


@dataclass(frozen=True)
class Cell(Minimum[Candidate]):
    """An entry of a table with its alternatives; for F also the two cheapest matchings of the children."""

    table: Table
    matching: Matching | None = None
    runner_up: Matching | None = None


WalkStep: TypeAlias = tuple[Cell, tuple[Entry, ...]]


@dataclass(frozen=True)
class Trace:
    """A whole run.

    Attributes:
        children: for each side the children of each node, entry 0 being empty.
        costs: (n+1, m+1) in postorder, row and column 0 being the gap; no pair costs more than both its gaps.
        forests: (n+1, m+1): F.
        trees: (n+1, m+1): T.
        cells: in the order of filling, without those that have 0 on a side.
        walk: the traceback, as cells with the mapping entries, in postorder, that their winners add.
        mapping: in preorder, as solvers return it.
    """

    left: Numbering
    right: Numbering
    children: tuple[tuple[Numbers, ...], tuple[Numbers, ...]]
    costs: Floats
    forests: Floats
    trees: Floats
    cells: tuple[Cell, ...]
    walk: tuple[WalkStep, ...]
    mapping: Mapping

    @property
    def distance(self) -> float:
        """The constrained distance of both trees."""
        return float(self.trees[-1, -1])


def trace(left: TextTree, right: TextTree, costs: Floats) -> Trace:
    """Run the algorithm and record everything; arguments and errors are those of ``zhang_shasha.trace``."""
    check_traced(left, right)
    run = _Run(left, right, costs)
    cells = tuple(run.fill())
    walk = tuple(run.walk({(cell.table, cell.row, cell.column): cell for cell in cells}))
    pairs = [entry for _, entries in walk for entry in entries]
    mapping = tuple(
        (None if i is None else run.left.preorder[i], None if j is None else run.right.preorder[j])
        for i, j in pairs
    )
    return Trace(run.left, run.right, run.children, run.costs, run.forests, run.trees, cells, walk, mapping)


def two_matchings(
    rows: Sequence[int], columns: Sequence[int], price: Callable[[int, int], float]
) -> tuple[Matching, Matching | None]:
    """The cheapest matching of two lists of children and the next one, by trying every free column for each row.

    ``price`` is that of a pair of numbers, 0 standing for no node. Without rows or columns there is one matching.
    """

    @cache
    def cheapest(position: int, free: int) -> list[tuple[float, Numbers]]:
        if position == len(rows):
            return [(sum(price(0, column) for bit, column in enumerate(columns) if free >> bit & 1), ())]
        options = [(column, free & ~(1 << bit)) for bit, column in enumerate(columns) if free >> bit & 1]
        found = [
            (price(rows[position], column) + value, (column, *others))
            for column, rest in (*options, (0, free))
            for value, others in cheapest(position + 1, rest)
        ]
        return nsmallest(2, found, key=itemgetter(0))

    def matching(value: float, partners: Numbers) -> Matching:
        pairs = tuple(zip(rows, partners, strict=True))
        return Matching(
            tuple(pair for pair in pairs if pair[1]),
            tuple(row for row, column in pairs if not column),
            tuple(column for column in columns if column not in partners),
            value,
        )

    best, *others = cheapest(0, (1 << len(columns)) - 1)
    return matching(*best), matching(*others[0]) if others else None


class _Run:
    """Both trees in postorder, their costs, and the tables being filled."""

    def __init__(self, left: TextTree, right: TextTree, costs: Floats) -> None:
        self.left, self.right = number(left), number(right)
        self.children = _children(left, self.left), _children(right, self.right)
        in_postorder = costs[np.ix_(self.left.preorder, self.right.preorder)]
        self.dear = in_postorder > in_postorder[:, :1] + in_postorder[:1]
        self.costs = np.minimum(in_postorder, in_postorder[:, :1] + in_postorder[:1])
        self.forests, self.trees = np.zeros_like(costs), np.zeros_like(costs)

    def fill(self) -> Iterator[Cell]:
        """All cells in the order of filling; row and column 0 are entered at once."""
        for i in range(1, len(self.left) + 1):
            self.forests[i, 0] = sum(self.trees[k, 0] for k in self.children[0][i])
            self.trees[i, 0] = self.forests[i, 0] + self.costs[i, 0]
        for j in range(1, len(self.right) + 1):
            self.forests[0, j] = sum(self.trees[0, m] for m in self.children[1][j])
            self.trees[0, j] = self.forests[0, j] + self.costs[0, j]
        for i in range(1, len(self.left) + 1):
            for j in range(1, len(self.right) + 1):
                yield self._forest(i, j)
                yield self._tree(i, j)

    def _forest(self, i: int, j: int) -> Cell:
        rows, columns = self.children[0][i], self.children[1][j]
        found, runner_up = two_matchings(rows, columns, lambda k, m: float(self.trees[k, m]))
        candidates = [Candidate("match", 0, (found.value,), found.value)]
        if rows and columns:
            candidates += self._descents(self.forests, i, j)
        self.forests[i, j] = min(each.value for each in candidates)
        return Cell(i, j, tuple(candidates), float(self.forests[i, j]), "F", found, runner_up)

    def _tree(self, i: int, j: int) -> Cell:
        terms = float(self.forests[i, j]), float(self.costs[i, j])
        candidates = [Candidate("pair", 0, terms, sum(terms)), *self._descents(self.trees, i, j)]
        self.trees[i, j] = min(each.value for each in candidates)
        return Cell(i, j, tuple(candidates), float(self.trees[i, j]), "T")

    def _descents(self, table: Floats, i: int, j: int) -> Iterator[Candidate]:
        """All that is kept is below one child of i, or of j."""
        ways: list[tuple[Line, int, NDArray[np.float64]]] = [
            *(("left", k, table[[i, k, k], [0, j, 0]]) for k in self.children[0][i]),
            *(("right", m, table[[0, i, 0], [j, m, m]]) for m in self.children[1][j]),
        ]
        for line, child, terms in ways:
            whole, kept, part = terms.tolist()
            yield Candidate(line, child, (whole, kept, part), whole + (kept - part))

    def walk(self, cells: dict[tuple[str, int, int], Cell]) -> Iterator[WalkStep]:
        """From T of both roots down, along the winners."""
        pending: list[tuple[Table, int, int]] = [("T", len(self.left), len(self.right))]
        while pending:
            table, i, j = pending.pop()
            cell = cells[table, i, j]
            winner = cell.winner
            if winner.line == "pair":
                yield (cell, ((i, None), (None, j)) if self.dear[i, j] else ((i, j),))
                pending.append(("F", i, j))
            elif winner.line == "match":
                assert cell.matching, "a cell of F has one"
                gone = (node for k in cell.matching.deleted for node in _subtree(self.left, k))
                come = (node for m in cell.matching.inserted for node in _subtree(self.right, m))
                yield (cell, (*((node, None) for node in gone), *((None, node) for node in come)))
                pending += [("T", k, m) for k, m in reversed(cell.matching.pairs)]
            else:
                yield cell, tuple(self._left_alone(cell, winner))
                on_left = winner.line == "left"
                pending.append((table, winner.child, j) if on_left else (table, i, winner.child))

    def _left_alone(self, cell: Cell, winner: Candidate) -> Iterator[Entry]:
        """The nodes of one tree (or forest) outside the subtree of the child."""
        on_left = winner.line == "left"
        side, top = (self.left, cell.row) if on_left else (self.right, cell.column)
        inside = set(_subtree(side, winner.child))
        if cell.table == "F":
            inside -= {winner.child}
        for node in _subtree(side, top):
            if node not in inside and not (cell.table == "F" and node == top):
                yield (node, None) if on_left else (None, node)


def _subtree(side: Numbering, top: int) -> range:
    """The numbers of a subtree, which are consecutive in postorder with its root last."""
    return range(side.leftmost[top], top + 1)


def _children(tree: TextTree, numbers: Numbering) -> tuple[Numbers, ...]:
    """Each node's children by postorder numbers; entry 0 is empty."""
    position = {node: index for index, node in enumerate(numbers.preorder)}
    return ((), *(tuple(position[child] for child in tree.children[node]) for node in numbers.preorder[1:]))
