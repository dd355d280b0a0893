"""The mapping as a table in pieces: the rows where something changed, and the unchanged stretches between them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from tted_core.comparison import Comparison
from tted_core.explain.looks import LOOK_GLYPHS, QUIET, Look
from tted_core.explain.mapping_view import MappingView
from tted_core.printable import printable
from tted_core.script import EditOp
from tted_core.words.diff import Part, word_diff

MANY = 60
"""Nodes of a map from which on unchanged stretches are folded."""

Texts: TypeAlias = dict[int, tuple[Part, ...]]
"""Node -> its text in pieces."""


@dataclass(frozen=True)
class Cell:
    """A node in the table: its text in pieces (changed or not), and where to go from it.

    ``partner`` is the node it is matched to, if that isn't beside it; ``twin`` the other end of its move.
    """

    node: int
    level: int
    parts: tuple[Part, ...]
    op: EditOp
    look: Look
    partner: int | None
    twin: int | None

    @property
    def glyph(self) -> str:
        """The sign of its look."""
        return LOOK_GLYPHS[self.look.kind]


@dataclass(frozen=True)
class Row:
    """A row of the table; ``op`` is what happens in it: to the pair, or to the one node."""

    left: Cell | None
    right: Cell | None
    op: EditOp
    kind: str


@dataclass(frozen=True)
class Block:
    """Rows that follow each other; ``unchanged`` counts them if they can be folded, and is 0 otherwise."""

    rows: tuple[Row, ...]
    unchanged: int


def mapping_blocks(comparison: Comparison) -> list[Block]:
    """The rows of both maps; from ``MANY`` nodes on, unchanged ones above nothing that changed can be folded."""
    view = MappingView(comparison)
    rows = _rows(view)
    if max(map(len, view.trees)) < MANY:
        return [Block(tuple(rows), 0)]
    kept = _kept(view)

    def is_kept(row: Row) -> bool:
        return (row.op.source, row.op.target) in kept

    found = [(keep, tuple(block)) for keep, block in groupby(rows, is_kept)]
    return [
        Block(block, 0 if keep else len({(row.op.source, row.op.target) for row in block}))
        for keep, block in found
    ]


def _kept(view: MappingView) -> set[tuple[int | None, int | None]]:
    """The operations that are no part of an unchanged stretch: changes, and the nodes above them."""
    kept = {(view.op(side, 0).source, view.op(side, 0).target) for side in (0, 1)}
    for side, tree in enumerate(view.trees):
        for node in range(len(tree)):
            if view.look(side, node).kind not in QUIET:
                kept |= {(view.op(side, v).source, view.op(side, v).target) for v in _up(node, tree.parents)}
    return kept


def _up(node: int, parents: tuple[int, ...]) -> Iterator[int]:
    """The node and its ancestors."""
    while node >= 0:
        yield node
        node = parents[node]


def _rows(view: MappingView) -> list[Row]:
    texts = _texts(view.comparison)
    rows = []
    for pair in view.rows:
        together = None not in pair
        cells: list[Cell | None] = []
        for side, node in enumerate(pair):
            if node is None:
                cells.append(None)
                continue
            op, look = view.op(side, node), view.look(side, node)
            other = None if look.twin is None else view.ops[look.twin]
            cells.append(
                Cell(
                    node,
                    view.trees[side].depths[node],
                    texts[side][node],
                    op,
                    look,
                    None if together else (op.target, op.source)[side],
                    None if other is None else (other.target, other.source)[side],
                )
            )
        first = cells[0] or cells[1]
        assert first
        rows.append(Row(cells[0], cells[1], first.op, first.look.kind))
    return rows


def _texts(comparison: Comparison) -> tuple[Texts, Texts]:
    """The nodes' texts in pieces; of replaced pairs, with the words that differ."""
    left, right = comparison.left.tree, comparison.right.tree
    texts: list[Texts] = [
        {node: (Part(printable(label), changed=False),) for node, label in enumerate(tree.labels)}
        for tree in (left, right)
    ]
    for op in comparison.script.ops:
        if op.op == "replace" and op.source is not None and op.target is not None:
            parts = word_diff(printable(left.labels[op.source]), printable(right.labels[op.target]))
            if any(
                not part.changed for side in parts for part in side
            ):  # else all is new: nothing to point at
                texts[0][op.source], texts[1][op.target] = parts
    return texts[0], texts[1]
