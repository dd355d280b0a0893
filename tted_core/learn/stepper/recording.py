"""The record of a run, which the two polynomial orders share: numbered trees, filled tables, and the way back.

An entry of a table is the least of its ways; a way is a sum by one line of the order's recurrence. Nodes are
numbered from 1 in postorder, and 0 stands for nothing. For showing small trees; :mod:`tted_core.solvers` computes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tted_core.errors import MAX_NODES_TRACED, check_limit
from tted_core.foundations.messages import counted
from tted_core.foundations.output import shorten
from tted_core.learn.mappings import operation
from tted_core.solvers import Mapping
from tted_core.solvers.kernels.compiling import Floats
from tted_core.solvers.structure import Entry, node_number
from tted_core.tree import TextTree

LABEL_CHARACTERS = 28  # maximum characters of a label within a sentence

Position: TypeAlias = tuple[int, int, int]  # TableGrid, row and column of an entry


@dataclass(frozen=True)
class Numbering:
    """A tree of n nodes in postorder; entry 0 of each tuple stands for nothing.

    Attributes:
        labels: (n+1,).
        preorder: (n+1,) each node's index in its TextTree, -1 for entry 0.
        leftmost: (n+1,) the leftmost leaf below each node.
        children: (n+1,).
        keyroots: the nodes with a left sibling, and the root n, ascending.
    """

    labels: tuple[str, ...]
    preorder: tuple[int, ...]
    leftmost: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    keyroots: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.labels) - 1

    def keyroot_of(self, node: int) -> int:
        """The highest node with the same leftmost leaf; tables of keyroots hold the distances of all subtrees."""
        return next(root for root in self.keyroots if self.leftmost[root] == self.leftmost[node])

    def name_node(self, node: int) -> str:
        """A node's number and its text."""
        return f"{node} ({shorten(self.labels[node], LABEL_CHARACTERS) or 'no text'})"


def number_nodes(tree: TextTree) -> Numbering:
    """Number a tree in postorder."""
    order = sorted(range(len(tree)), key=partial(node_number, tree))
    leftmost = (0, *(number - tree.sizes[node] + 1 for number, node in enumerate(order, 1)))
    highest = {first: number for number, first in enumerate(leftmost) if number}
    return Numbering(
        ("", *(tree.labels[node] for node in order)),
        (-1, *order),
        leftmost,
        ((), *(tuple(node_number(tree, child) for child in tree.children[node]) for node in order)),
        tuple(sorted(highest.values())),
    )


def in_postorder(left: TextTree, right: TextTree, costs: Floats) -> tuple[Numbering, Numbering, Floats]:
    """Both trees, if they are small enough, and their (n+1, m+1) costs in postorder, with the gap first."""
    for tree, word in ((left, "left"), (right, "right")):
        check_limit(len(tree), MAX_NODES_TRACED, f"nodes in the {word} map", "use a smaller map")
    one, other = number_nodes(left), number_nodes(right)
    return one, other, costs[np.ix_(one.preorder, other.preorder)]


@dataclass(frozen=True)
class TableGrid:
    """A table as the player draws it: its rows and columns are nodes, ``nothing`` being those of no node."""

    name: str
    caption: str
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    nothing: tuple[int, int] = (0, 0)

    def at(self, row: int, column: int) -> str:
        """An entry's name, such as "f(2, nothing)"."""
        pairs = zip((row, column), self.nothing, strict=True)
        return f"{self.name}({', '.join('nothing' if node == none else str(node) for node, none in pairs)})"


class Term(NamedTuple):
    """A summand: its name, its value, the position of the entry that has it (none for a cost), and its sign."""

    name: str
    value: float
    position: Position | None = None
    sign: int = 1


@dataclass(frozen=True)
class Way:
    """A sum by a line of the recurrence; ``child`` is the one that the line is about, if it is about one."""

    line: str
    terms: tuple[Term, ...]
    child: int = 0

    @property
    def value(self) -> float:
        """The sum."""
        return sum((term.sign * term.value for term in self.terms), 0.0)


@dataclass(frozen=True)
class Cell:
    """An entry of a table.

    Attributes:
        table: its name, which is that of its recurrence.
        position: in the grids.
        row: the left node.
        column: the right node.
        ways: none for an entry that is given; kept pairs come first.
        value: the least of the ways.
    """

    table: str
    position: Position
    row: int
    column: int
    ways: tuple[Way, ...]
    value: float

    @property
    def best(self) -> list[Way]:
        """The ways that reach the least; the first of them wins."""
        return [way for way in self.ways if way.value == self.value]


@dataclass(frozen=True)
class Run:
    """A whole run.

    Attributes:
        cells: in the order of filling.
        walk: the way back: cells, with the mapping's entries (in postorder) that their winners add.
        trees: (n+1, m+1) distances of subtrees; row and column 0 stand for nothing.
    """

    left: Numbering
    right: Numbering
    grids: tuple[TableGrid, ...]
    cells: tuple[Cell, ...]
    walk: tuple[tuple[Cell, tuple[Entry, ...]], ...]
    trees: Floats

    @property
    def distance(self) -> float:
        """The distance of both trees."""
        return float(self.trees[-1, -1])

    @property
    def mapping(self) -> Mapping:
        """The mapping in preorder, as solvers return it."""
        return tuple(
            (None if i is None else self.left.preorder[i], None if j is None else self.right.preorder[j])
            for _, entries in self.walk
            for i, j in entries
        )

    def pair(self, cell: Cell) -> str:
        """The names of a cell's nodes."""
        return f"{self.left.name_node(cell.row)} and {self.right.name_node(cell.column)}"

    def is_match(self, cell: Cell) -> bool:
        """Return True if the nodes have the same text."""
        return self.left.labels[cell.row] == self.right.labels[cell.column]


def reasons(cell: Cell) -> dict[str, Any]:
    """An entry with its ways as the player shows them: the cheapest of each line."""
    by_line: dict[str, list[Way]] = {}
    for way in cell.ways:
        by_line.setdefault(way.line, []).append(way)
    if not by_line:
        return {"cell": cell.position}
    cheapest = [min(alike, key=lambda each: each.value) for alike in by_line.values()]
    ways = [
        {
            "line": way.line,
            "here": _sum((term.name, term.sign) for term in way.terms),
            "sum": _sum((f"{term.value:g}", term.sign) for term in way.terms),
            "value": f"{way.value:g}",
            **({"best": True} if way in cell.best else {}),
        }
        for way in cheapest
    ]
    return {
        "cell": cell.position,
        "lines": cell.table,
        "ways": ways,
        "origins": [term.position for way in cell.ways for term in way.terms if term.position],
        "winners": [term.position for term in cell.best[0].terms if term.position],
    }


def _sum(terms: Iterable[tuple[str, int]]) -> str:
    return "".join(f" {'+' if sign > 0 else '−'} {text}" for text, sign in terms).removeprefix(" + ")


def player_marks(run: Run, entries: Iterable[Entry]) -> list[tuple[str, int, int]]:
    """Mapping entries with the marks of the player: each one's operation, and 0 for no node."""
    labels = run.left.labels, run.right.labels
    return [(operation(*labels, entry), entry[0] or 0, entry[1] or 0) for entry in entries]


def mapping_text(run: Run, table: str, order: str) -> str:
    """The last sentence of a run; ``table`` is the one with the distance."""
    deleted, inserted = (sum(entry[side] is None for entry in run.mapping) for side in (1, 0))
    kept = counted(len(run.mapping) - deleted - inserted, "pair")
    return (
        f"The mapping: {kept}, {deleted} deleted, {inserted} inserted. Their costs add up to {table}"
        f"({len(run.left)}, {len(run.right)}) = {run.distance:g}, the {order} tree edit distance."
    )
