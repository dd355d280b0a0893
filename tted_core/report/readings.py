"""Both readings of a comparison as lines to draw: what became of each sentence, and the edit script.

A line has paired nodes side by side. Reports, pictures and graphs draw these lines.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias

from tted_core.explain.pieces import Piece, pieces_of
from tted_core.explanation import Ends, Explanation, Node, Row
from tted_core.foundations.printable import printable, shortened
from tted_core.matching.records import QUIET, STATUSES, Status
from tted_core.report.palette import OP_STYLES, STYLES, OpStyle
from tted_core.report.words import script_in_words, what_happened
from tted_core.script import OpKind
from tted_core.words.claims import Flag

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
    lines, paid = [], set()
    for row in explanation.rows:
        sentence = row.sentence
        is_last = row.right is not None or sentence.right is None
        amount = "" if sentence in paid else explanation.amount_text(sentence, digits=2)
        paid.add(sentence)
        flags = sentence.flags if is_last else ()
        notes = [note for note in explanation.notes(sentence) if is_last and not note.startswith("! ")]
        lines.append(_line(row, sentence.status, sentence.nodes, amount=amount, notes=notes, flags=flags))
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
    comparison, lines = explanation.comparison, []
    unit = comparison.script.unit
    for row in explanation.script_rows:
        operation, sentence = row.nodes[0].operation, row.sentence
        op = operation.edit
        is_last = row.right is not None or op.target is None
        amount = unit.text(unit.amount(op.cost), 2) if row.left or op.source is None else ""
        flags = sentence.flags if is_last and sentence.nodes == operation.nodes else ()
        notes = op.notes if is_last else ()
        lines.append(_line(row, op.op, operation.nodes, amount=amount, notes=notes, flags=flags))
    counts = {kind: comparison.script.count(kind) for kind in OP_STYLES}
    return Reading("script", "Edit script", script_in_words(comparison), tuple(lines), counts, OP_STYLES)


def _line(
    row: Row, kind: Kind, ends: Ends, *, amount: str, notes: Sequence[str], flags: Sequence[Flag]
) -> Line:
    """A line, of which each cell whose other end stands elsewhere knows that end."""
    by_script = kind in OP_STYLES
    cells = [
        Cell(
            node,
            kind if by_script else node.status,
            _marked(pieces_of(node, by_script=by_script)),
            None if row.left and row.right else other,
        )
        if node
        else None
        for node, other in zip(row, reversed(ends), strict=True)
    ]
    return Line(kind, amount, (cells[0], cells[1]), notes, flags)


def _marked(pieces: list[Piece]) -> list[Piece]:
    """The pieces; in one if every word changed, since there is nothing to point at then."""
    if all(piece.changed and not piece.flagged for piece in pieces):
        return [Piece("".join(piece.text for piece in pieces))]
    return pieces
