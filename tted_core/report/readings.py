"""Both readings of a comparison as lines to draw: what became of each sentence, and the edit script.

A line has paired nodes side by side. Reports, pictures and graphs draw these lines.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias

from tted_core.explain.pieces import Piece, pieces_of
from tted_core.explanation import Explanation, Node
from tted_core.foundations.printable import printable, shortened
from tted_core.matching.records import QUIET, STATUSES, Status
from tted_core.matching.rows import aligned_rows, display_order
from tted_core.report.palette import OP_STYLES, STYLES, OpStyle
from tted_core.report.words import script_in_words, what_happened
from tted_core.script import OpKind
from tted_core.words.claims import Flag
from tted_core.words.splitting import word_diff

Kind: TypeAlias = Status | OpKind

MANY = 60
"""Nodes of a map from which on unchanged stretches are folded."""

LEAST_FOLDED = 3
"""Lines of an unchanged stretch that is folded."""

QUOTED_CHARACTERS = 36
"""Of a node's text where the other end of a move or a part is named."""

TO_OTHER_END: dict[Kind, tuple[str, str]] = {
    "moved": ("moved to", "moved from"),
    "merged": ("part of", "holds"),
    "split": ("holds", "part of"),
}
"""What a left and a right node say of the other end, which stands in another line."""


class Cell(NamedTuple):
    """A node in a line.

    Attributes:
        node: the node.
        kind: its status or operation.
        pieces: its text.
        partner: the node that it corresponds to, if that stands in another line.
    """

    node: Node
    kind: Kind
    pieces: list[Piece]
    partner: Node | None

    @property
    def way(self) -> str:
        """Where its partner is: "moved to below “x”"; empty without one."""
        if self.partner is None:
            return ""
        words = TO_OTHER_END.get(self.kind, ("paired with", "paired with"))[self.node.side]
        named = self.partner
        if self.kind == "moved":
            if named.parent is None:
                return f"{words} the root"
            named, words = named.parent, f"{words} below"
        return f"{words} “{shortened(printable(named.label), QUOTED_CHARACTERS)}”"


class Line(NamedTuple):
    """One or two nodes side by side; ``amount`` is empty if nothing is paid, and at the second end of a pair."""

    kind: Kind
    amount: str
    cells: tuple[Cell | None, Cell | None]
    notes: Sequence[str]
    flags: Sequence[Flag]

    @property
    def nodes(self) -> list[Node]:
        """Those that there are."""
        return [cell.node for cell in self.cells if cell]


class Block(NamedTuple):
    """Lines that follow each other; ``unchanged`` counts them if they can be folded, and is 0 otherwise."""

    lines: tuple[Line, ...]
    unchanged: int


@dataclass(frozen=True)
class Reading:
    """One of both readings.

    Attributes:
        name: "sentences" or "script".
        title: of the switch.
        summary: a sentence that sums it up.
        lines: from the top of both maps on.
        counts: number of sentences or operations by kind.
        styles: sign, meaning and colours of each kind.
    """

    name: Literal["sentences", "script"]
    title: str
    summary: str
    lines: tuple[Line, ...]
    counts: dict[Status, int] | dict[OpKind, int]
    styles: dict[Status, OpStyle] | dict[OpKind, OpStyle]

    @cached_property
    def blocks(self) -> list[Block]:
        """The lines; in a map of ``MANY`` nodes, unchanged ones above nothing that changed can be folded."""
        quiet = {*QUIET, "match"}
        kind_of = {cell.node: cell.kind for line in self.lines for cell in line.cells if cell}
        kept = {node for node in kind_of if node.parent is None}
        for node, kind in kind_of.items():
            above: Node | None = node
            while kind not in quiet and above and above not in kept:
                kept.add(above)
                above = above.parent
        if max(node.index for node in kind_of) < MANY - 1:
            return [Block(self.lines, 0)]
        blocks = []
        for keep, lines in groupby(self.lines, lambda line: not kept.isdisjoint(line.nodes)):
            found = tuple(lines)
            blocks.append(Block(found, 0 if keep or len(found) < LEAST_FOLDED else len(found)))
        return blocks


def read_sentences(explanation: Explanation) -> Reading:
    """The reading of what became of each sentence."""
    lines, amounts_shown = [], set()
    for row in explanation.rows:
        sentence = row.sentence
        is_last = row.right is not None or sentence.right is None
        paired = row.left is not None and row.right is not None
        ends = [
            Cell(node, node.status, _marked(pieces_of(node)), None if paired else partner) if node else None
            for node, partner in zip(row, reversed(sentence.nodes), strict=True)
        ]
        amount = "" if sentence in amounts_shown else explanation.amount_text(sentence, digits=2)
        amounts_shown.add(sentence)
        flagged = [f"! {flag.words}" for flag in sentence.flags]
        notes = [note for note in explanation.notes(sentence) if note not in flagged] if is_last else []
        lines.append(
            Line(sentence.status, amount, (ends[0], ends[1]), notes, sentence.flags if is_last else ())
        )
    return Reading(
        "sentences",
        "Sentences",
        what_happened(explanation),
        tuple(lines),
        {status: explanation.matching.counts[status] for status in STATUSES},
        STYLES,
    )


def read_script(explanation: Explanation) -> Reading:
    """The reading of the edit script: each operation with its amount."""
    comparison, nodes = explanation.comparison, explanation.nodes
    pairs, unit = comparison.script.pairs, comparison.script.unit
    right = comparison.right.tree
    ordered = comparison.method.order == "ordered"
    order = list(range(len(right))) if ordered else display_order(right, pairs)
    lines = []
    for row in aligned_rows(comparison.left.tree, order, pairs):
        here = [None if index is None else of[index] for of, index in zip(nodes, row, strict=True)]
        operation = next(node for node in here if node).operation
        op, is_paired = operation.edit, None not in row
        is_last = row[1] is not None or operation.nodes[1] is None
        cells = [
            Cell(node, op.op, _script_pieces(node), None if is_paired else partner) if node else None
            for node, partner in zip(here, reversed(operation.nodes), strict=True)
        ]
        amount = unit.text(unit.amount(op.cost), 2) if row[0] is not None or op.source is None else ""
        sentence = next(node for node in here if node).sentence
        flags = sentence.flags if is_last and sentence.nodes == operation.nodes else ()
        lines.append(Line(op.op, amount, (cells[0], cells[1]), op.notes if is_last else (), flags))
    counts = {kind: comparison.script.count(kind) for kind in OP_STYLES}
    return Reading("script", "Edit script", script_in_words(comparison), tuple(lines), counts, OP_STYLES)


def _script_pieces(node: Node) -> list[Piece]:
    """A node's text, compared with that of the node that the script pairs it with."""
    left, right = node.operation.nodes
    if left is None or right is None or left.label == right.label:
        return [Piece(node.label)]
    if node.sentence.ends == node.operation.nodes:
        return _marked(pieces_of(node))
    return _marked([Piece(*part) for part in word_diff(left.label, right.label)[node.side]])


def _marked(pieces: list[Piece]) -> list[Piece]:
    """The pieces; in one if every word changed, since there is nothing to point at then."""
    if all(piece.changed and not piece.flagged for piece in pieces):
        return [Piece("".join(piece.text for piece in pieces))]
    return pieces
