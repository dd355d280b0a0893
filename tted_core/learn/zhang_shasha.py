"""The algorithm of Zhang and Shasha (1989), recorded step by step.

Nodes are numbered from 1 in postorder, as in the paper. l(i) is the leftmost leaf below i, so that the subtree of
i is the range l(i) .. i. A keyroot is a node with a left sibling, or the root. For each pair of keyroots (x, y)
one table holds f(i, j), the distance of the forests l(x) .. i and l(y) .. j:

    f(i, j) = min( f(i-1, j) + delete(i),  f(i, j-1) + insert(j),  third ),

where the third is f(i-1, j-1) + replace(i, j) if l(i) = l(x) and l(j) = l(y), so that both forests are trees and
D(i, j) = f(i, j); otherwise it is f(l(i)-1, l(j)-1) + D(i, j), with D(i, j) known from an earlier table.

For showing small trees; :mod:`tted_core.solvers` computes.
"""

from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tted_core.foundations.limits import MAX_NODES_TRACED, check_limit
from tted_core.solvers import Mapping
from tted_core.tree import TextTree

SAME = 1e-9  # sums of the same costs differ by less, depending on their order


class Way(Protocol):
    """An alternative for an entry; ``value`` is its sum of costs."""

    @property
    def value(self) -> float: ...  # noqa: D102


AnyWay = TypeVar("AnyWay", bound=Way)


@dataclass(frozen=True)
class Minimum(Generic[AnyWay]):
    """An entry of a table with its alternatives."""

    row: int
    column: int
    candidates: tuple[AnyWay, ...]
    value: float

    @property
    def best(self) -> tuple[int, ...]:
        """The candidates that reach the minimum; the first of them is the winner."""
        return tuple(index for index, each in enumerate(self.candidates) if self.is_reached_by(each))

    @property
    def winner(self) -> AnyWay:
        """The first candidate that reaches the minimum."""
        return self.candidates[self.best[0]]

    def is_reached_by(self, way: AnyWay) -> bool:
        """Return True if no candidate is cheaper."""
        return way.value - self.value <= SAME


# Derivations of a cell from another: delete a node, insert one, pair two roots, or pair two subtrees.
Move: TypeAlias = Literal["delete", "insert", "replace", "subtree"]


@dataclass(frozen=True)
class Numbering:
    """A tree of n nodes in postorder; entry 0 of each tuple stands for the empty forest.

    Attributes:
        labels: (n+1,).
        preorder: (n+1,) each node's index in its TextTree, -1 for entry 0.
        leftmost: (n+1,) l(i); 0 for entry 0.
        keyroots: ascending; the last one is the root, n.
    """

    labels: tuple[str, ...]
    preorder: tuple[int, ...]
    leftmost: tuple[int, ...]
    keyroots: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.labels) - 1

    def keyroot_of(self, node: int) -> int:
        """The keyroot whose tables contain the distances of this subtree: the highest node with the same l."""
        return next(root for root in self.keyroots if self.leftmost[root] == self.leftmost[node])


@dataclass(frozen=True)
class Candidate:
    """An alternative for a cell: f of its ``origin``, plus the cost of the operation or a D(i, j)."""

    move: Move
    origin: tuple[int, int]
    start: float
    added: float

    @property
    def value(self) -> float:
        """The f of a cell by this alternative."""
        return self.start + self.added


@dataclass(frozen=True)
class Cell(Minimum[Candidate]):
    """An entry f(i, j) with its alternatives; ``is_tree`` if both forests are trees, so that it is also D(i, j).

    Kept pairs come first, then delete, then insert; the corner has no candidates, cells of the border have
    one.
    """

    is_tree: bool


@dataclass(frozen=True)
class ForestTable:
    """The table of one pair of keyroots, with its cells in the order of filling.

    Its rows are l(left)-1, which stands for no node, then l(left) .. left; columns are analogous.
    """

    left: int
    right: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    cells: tuple[Cell, ...]

    def named(self, row: int, column: int) -> str:
        """The entry's name, such as "f(2, 3)"; the empty forest is "nothing" whatever its number."""
        i, j = (
            str(number) if number > numbers[0] else "nothing"
            for number, numbers in ((row, self.rows), (column, self.columns))
        )
        return f"f({i}, {j})"

    def cell(self, row: int, column: int) -> Cell:
        """The entry f(row, column)."""
        return self.cells[(row - self.rows[0]) * len(self.columns) + column - self.columns[0]]


@dataclass(frozen=True)
class Trace:
    """A complete run.

    Attributes:
        costs: (n+1, m+1) in postorder, row and column 0 being the gap.
        tree_distances: (n+1, m+1): D; row and column 0 are unused and stay 0.
        walk: the traceback, as cells with the index of the table in which the winner was taken.
        mapping: in preorder, as solvers return it.
    """

    left: Numbering
    right: Numbering
    costs: NDArray[np.float64]
    tables: tuple[ForestTable, ...]
    tree_distances: NDArray[np.float64]
    walk: tuple[tuple[int, Cell], ...]
    mapping: Mapping

    @property
    def distance(self) -> float:
        """The ordered distance of both trees."""
        return float(self.tree_distances[-1, -1])


def number(tree: TextTree) -> Numbering:
    """Number a tree in postorder."""
    order: list[int] = []
    leftmost = [0]

    def visit(node: int) -> int:
        below = [visit(child) for child in tree.children[node]]
        order.append(node)
        leftmost.append(below[0] if below else len(order))
        return leftmost[-1]

    visit(0)
    highest = {first: node for node, first in enumerate(leftmost) if node}
    return Numbering(
        ("", *(tree.labels[node] for node in order)),
        (-1, *order),
        tuple(leftmost),
        tuple(sorted(highest.values())),
    )


def check_traced(left: TextTree, right: TextTree) -> None:
    """Raise ``LimitError`` for trees that are too large to show step by step."""
    for tree, word in ((left, "left"), (right, "right")):
        check_limit(
            len(tree),
            MAX_NODES_TRACED,
            f"nodes in the {word} map",
            "use a smaller map",
        )


def trace(left: TextTree, right: TextTree, costs: NDArray[np.float64]) -> Trace:
    """Run the algorithm and record everything.

    Args:
        left: n nodes.
        right: m nodes.
        costs: (n+1, m+1), the last row and column being the gap, as for a solver.
    """
    check_traced(left, right)
    numbers = number(left), number(right)
    in_postorder = costs[np.ix_(numbers[0].preorder, numbers[1].preorder)]
    trees = np.zeros_like(in_postorder)
    tables = tuple(
        _fill(x, y, numbers, in_postorder, trees) for x in numbers[0].keyroots for y in numbers[1].keyroots
    )
    walk = _walk(tables, *numbers)
    mapping: list[tuple[int | None, int | None]] = []
    for _, cell in walk:
        source, target = numbers[0].preorder[cell.row], numbers[1].preorder[cell.column]
        if (move := cell.winner.move) != "subtree":  # its nodes have their own steps
            mapping.append((None if move == "insert" else source, None if move == "delete" else target))
    return Trace(*numbers, in_postorder, tables, trees, walk, tuple(mapping))


def _fill(
    x: int,
    y: int,
    numbers: tuple[Numbering, Numbering],
    costs: NDArray[np.float64],
    trees: NDArray[np.float64],
) -> ForestTable:
    """Fill the table of the keyroots x and y, and copy distances of subtrees to ``trees``."""
    first_left, first_right = (side.leftmost for side in numbers)
    rows = tuple(range(first_left[x] - 1, x + 1))
    columns = tuple(range(first_right[y] - 1, y + 1))
    f: dict[tuple[int, int], float] = {}
    cells = []
    for i in rows:
        for j in columns:
            some_left, some_right = i > rows[0], j > columns[0]
            is_tree = some_left and some_right and (first_left[i], first_right[j]) == (rows[1], columns[1])
            ways: list[tuple[Move, tuple[int, int], np.float64]] = []
            if is_tree:
                ways.append(("replace", (i - 1, j - 1), costs[i, j]))
            elif some_left and some_right:
                ways.append(("subtree", (first_left[i] - 1, first_right[j] - 1), trees[i, j]))
            if some_left:
                ways.append(("delete", (i - 1, j), costs[i, 0]))
            if some_right:
                ways.append(("insert", (i, j - 1), costs[0, j]))
            candidates = tuple(
                Candidate(move, origin, f[origin], float(added)) for move, origin, added in ways
            )
            value = min((each.value for each in candidates), default=0.0)
            f[i, j] = value
            if is_tree:
                trees[i, j] = value
            cells.append(Cell(i, j, candidates, value, is_tree))
    return ForestTable(x, y, rows, columns, tuple(cells))


def _walk(tables: tuple[ForestTable, ...], left: Numbering, right: Numbering) -> tuple[tuple[int, Cell], ...]:
    """Trace back from the last cell to the corner, then within each pair of subtrees kept on the way.

    The subtrees of i and j have a table of their own only if both are keyroots; otherwise the table of the
    keyroots with the same leftmost leaves begins with it.
    """
    position = {(table.left, table.right): index for index, table in enumerate(tables)}
    steps: list[tuple[int, Cell]] = []
    pending = [(len(left), len(right))]
    while pending:
        i, j = pending.pop()
        index = position[left.keyroot_of(i), right.keyroot_of(j)]
        table = tables[index]
        while (i, j) != (table.rows[0], table.columns[0]):
            cell = table.cell(i, j)
            steps.append((index, cell))
            if cell.winner.move == "subtree":
                pending.append((i, j))
            i, j = cell.winner.origin
    return tuple(steps)
