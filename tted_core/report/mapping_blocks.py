"""The mapping as a table in pieces: the rows where something changed, and the unchanged stretches between them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from tted_core.comparison import Comparison
from tted_core.explain.correspondence import QUIET, STATUSES, Outcome, Status
from tted_core.explain.mapping_view import MappingView
from tted_core.printable import printable
from tted_core.words.splitting import Part, word_diff

MANY = 60
"""Nodes of a map from which on unchanged stretches are folded."""

Texts: TypeAlias = dict[int, tuple[Part, ...]]
"""Node -> its text in pieces."""


@dataclass(frozen=True)
class Cell:
    """A node in the table: its text in pieces (changed or not), and where to go from it.

    ``counterpart`` is the one in the other map, if that isn't beside it.
    """

    node: int
    level: int
    parts: tuple[Part, ...]
    status: Status
    notes: tuple[str, ...]
    counterpart: int | None

    @property
    def glyph(self) -> str:
        """The sign of its status."""
        return STATUSES[self.status]


@dataclass(frozen=True)
class Row:
    """A row of the table: a pair or one node, with what became of it and what that costs."""

    left: Cell | None
    right: Cell | None
    outcome: Outcome
    cost: float
    amount: str


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
        return row.outcome in kept

    found = [(keep, tuple(block)) for keep, block in groupby(rows, is_kept)]
    return [Block(block, 0 if keep else len({row.outcome for row in block})) for keep, block in found]


def _kept(view: MappingView) -> set[Outcome]:
    """The outcomes that are no part of an unchanged stretch: changes, and the nodes above them."""
    kept = {view.outcome(side, 0) for side in (0, 1)}
    for side, tree in enumerate(view.trees):
        for node in range(len(tree)):
            if view.status(side, node) not in QUIET:
                kept |= {view.outcome(side, v) for v in _up(node, tree.parents)}
    return kept


def _up(node: int, parents: tuple[int, ...]) -> Iterator[int]:
    """The node and its ancestors."""
    while node >= 0:
        yield node
        node = parents[node]


def _rows(view: MappingView) -> list[Row]:
    texts = _texts(view)
    rows = []
    for pair in view.rows:
        together = None not in pair
        cells: list[Cell | None] = []
        for side, node in enumerate(pair):
            if node is None:
                cells.append(None)
                continue
            outcome = view.outcome(side, node)
            cells.append(
                Cell(
                    node,
                    view.trees[side].depths[node],
                    texts[side][node],
                    outcome.status,
                    tuple(view.notes(view.at[side][node])),
                    None if together else (outcome.target, outcome.source)[side],
                )
            )
        side = 0 if pair[0] is not None else 1
        number = view.at[side][pair[side] or 0]
        shared = view.outcomes[number]
        first = together or side == 0 or shared.source is None
        rows.append(
            Row(cells[0], cells[1], shared, view.cost(number) if first else 0.0, view.amount_text(number))
        )
    return rows


def _texts(view: MappingView) -> tuple[Texts, Texts]:
    """The nodes' texts in pieces; of sentences whose text changed, with the words that differ."""
    left, right = view.trees
    texts: list[Texts] = [
        {node: (Part(printable(label), changed=False),) for node, label in enumerate(tree.labels)}
        for tree in (left, right)
    ]
    for _, (source, target) in view.links:
        if left.labels[source] != right.labels[target]:
            parts = word_diff(printable(left.labels[source]), printable(right.labels[target]))
            if any(
                not part.changed for side in parts for part in side
            ):  # else all is new: nothing to point at
                texts[0][source], texts[1][target] = parts
    return texts[0], texts[1]
