"""Both readings of a comparison, its edit script and its sentences, as all pages, files and commands show them.

A reading has lines: an operation of the script, or the status of a sentence. A line's amount is what it is
charged with, so the amounts of either reading add up to the distance (with a power p, shares of d^p to 1).
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import Literal, NamedTuple, TypeAlias

from tted_core.explanation import Ends, Explanation, Node, Operation, Sentence
from tted_core.foundations.output import printable, shorten
from tted_core.matching.records import QUIET
from tted_core.report.palette import OP_STYLES, STYLES, LineKind
from tted_core.report.wording import change_in_words, find_changes, quote_pair, script_in_words, what_happened
from tted_core.script import Unit
from tted_core.words.claims import Flag

UNCHANGED: frozenset[LineKind] = frozenset({*QUIET, "match"})

MANY = 60  # nodes of a map from which on unchanged stretches are folded
LEAST_FOLDED = 3  # lines of an unchanged stretch that is folded
QUOTED_CHARACTERS = 36  # of a node's text where the other end of a move or a part is named

# The other end of a line, if it stands in another row, and words for it: "moved to", "below", the text there.
Goal: TypeAlias = tuple[Node, str, str, str]


@dataclass(frozen=True, eq=False)
class ReadingLine:
    """An operation, or the status of a sentence.

    Attributes:
        number: its index in the reading's lines.
        kind: its operation or status.
        nodes: its left and its right node; None where it has none.
        own: those of them that show it; the longer node of a part may show another line.
        amount: what it is charged with, in the unit of the script.
        amount_text: the amount; of an unchanged sentence without one, empty.
        flags: signs of a changed claim.
        notes: what else there is to say.
        is_aligned: True if its nodes correspond and the script pairs them, or it has only one.
        change: the number of its change from the top of the outline on; None without one.
        head: of what moved, the left preorder index of the topmost node of its branch.
    """

    number: int
    kind: LineKind
    nodes: Ends
    own: Sequence[Node]
    amount: float
    amount_text: str
    flags: Sequence[Flag]
    notes: Sequence[str]
    is_aligned: bool
    change: int | None
    head: int | None = None

    @property
    def remarks(self) -> list[str]:
        """Its flags and notes as texts."""
        return [*(f"! {flag.words}" for flag in self.flags), *self.notes]

    def goal(self, node: Node) -> Goal | None:
        """The other end; None if the line has none, or its node only moved along with another one."""
        side, other = node.side, self.nodes[1 - node.side]
        moves_along = self.head is not None and self.nodes[0] and self.head != self.nodes[0].index
        if other is None or moves_along or self.kind == ("split", "merged")[side]:
            return None
        if self.kind != "moved":
            return other, "part of" if self.kind in STYLES else "paired with", "", _name_of(other)
        verb = ("moved to", "moved from")[side]
        if other.parent is None:
            return other, verb, "the root", ""
        return other, verb, "below", _name_of(other.parent)


class TextPiece(NamedTuple):
    """A piece of a text: ``changed`` where the counterpart has other words, or with the sentence that is a part.

    ``flagged`` says that it may have changed the claim.
    """

    text: str
    changed: bool = False
    part: Sentence | None = None
    flagged: bool = False


class RowCell(NamedTuple):
    """A node in a row: its text, and where its other end is if that stands in another row."""

    node: Node
    pieces: list[TextPiece]
    goal: Goal | None


class LineRow(NamedTuple):
    """Nodes of a line side by side; the amount stands at its first node, flags and notes at the last."""

    line: ReadingLine
    cells: tuple[RowCell | None, RowCell | None]
    is_first: bool
    is_last: bool

    @property
    def nodes(self) -> list[Node]:
        """Those that there are."""
        return [cell.node for cell in self.cells if cell]


class ListedChange(NamedTuple):
    """An entry of the list of changes: the line that stands for it, its share of the whole, words and flags."""

    line: ReadingLine
    share: float
    words: str
    flags: Sequence[Flag]


@dataclass(frozen=True)
class Subtotal:
    """Total of the lines of a kind; ``share`` is of the amounts of all."""

    count: int
    amount: float
    share: float


@dataclass(frozen=True, eq=False)
class ComparisonReading:
    """One of both readings.

    Attributes:
        name: "script" or "sentences".
        title: of the switch.
        summary: a sentence that sums it up.
        unit: of the amounts.
        lines: operations as in the script, or sentences as in the matching.
        rows: from the top of both maps on.
        changes: those with flags first, then the most costly.
        kinds: all that lines can have, in the order of the legend.
    """

    name: Literal["script", "sentences"]
    title: str
    summary: str
    unit: Unit
    lines: tuple[ReadingLine, ...]
    rows: tuple[LineRow, ...]
    changes: Sequence[ListedChange]
    kinds: tuple[LineKind, ...]

    @property
    def whole(self) -> float:
        """The sum of all amounts."""
        return math.fsum(line.amount for line in self.lines)

    @property
    def by_kind(self) -> dict[LineKind, Subtotal]:
        """Subtotals of all kinds, in the order of the legend."""
        found, whole = dict[LineKind, Subtotal](), self.whole or 1.0
        for kind in self.kinds:
            amounts = [line.amount for line in self.lines if line.kind == kind]
            amount = math.fsum(amounts)
            found[kind] = Subtotal(len(amounts), amount, amount / whole)
        return found

    @property
    def flagged(self) -> dict[str, ReadingLine]:
        """The words of each flag, and the most costly change that has it; the last one comes first."""
        return {flag.words: each.line for each in reversed(self.changes) for flag in each.flags}

    @cached_property
    def receipt(self) -> list[tuple[ReadingLine, float]]:
        """All lines, the most costly first, each with the sum of the amounts up to it."""
        lines = sorted(self.lines, key=lambda line: -line.amount)  # stable: equal ones as they are
        amounts = [line.amount for line in lines]
        return [(line, math.fsum(amounts[:count])) for count, line in enumerate(lines, start=1)]

    @cached_property
    def ranks(self) -> list[float]:
        """The rank of each row: where there is no room for all, those up to some rank are shown.

        First the roots, then each changed line with the nodes above it, flagged and costly ones first; the rank of
        what is unchanged, above nothing that changed, is infinite.
        """
        found = {node: 0 for row in self.rows for node in row.nodes if node.parent is None}
        changed = [line for line, _ in self.receipt if line.kind not in UNCHANGED]
        for number, line in enumerate(sorted(changed, key=lambda line: not line.flags), start=1):
            for own in line.own:
                node: Node | None = own
                while node and node not in found:
                    found[node] = number
                    node = node.parent
        return [min(found.get(node, math.inf) for node in row.nodes) for row in self.rows]

    @property
    def blocks(self) -> list[tuple[Sequence[LineRow], bool]]:
        """The rows in stretches, and whether these can be folded.

        In a map of ``MANY`` nodes, ``LEAST_FOLDED`` unchanged ones above nothing that changed can.
        """
        if max(node.index for row in self.rows for node in row.nodes) < MANY - 1:
            return [(self.rows, False)]
        ranked = zip(self.rows, self.ranks, strict=True)
        stretches = [
            (is_unchanged, [row for row, _ in rows])
            for is_unchanged, rows in groupby(ranked, lambda each: each[1] == math.inf)
        ]
        return [(rows, can_fold and len(rows) >= LEAST_FOLDED) for can_fold, rows in stretches]


def read_sentences(explanation: Explanation) -> ComparisonReading:
    """The reading by the status of each sentence."""
    unit = explanation.comparison.script.unit
    lines = tuple(
        ReadingLine(
            each.number,
            each.status,
            each.nodes,
            [node for node in each.ends if node],
            *_charge(each.operations, unit, "" if each.status in QUIET else "–"),
            each.flags,
            explanation.notes(each),
            each.is_aligned,
            each.change.position if each.change else None,
            each.record.head,
        )
        for each in explanation.sentences
    )
    changes = [
        ListedChange(lines[each.top.number], each.share, change_in_words(each), each.flags)
        for each in sorted(explanation.changes, key=lambda change: not change.flags)
    ]
    return ComparisonReading(
        "sentences",
        "Sentences",
        what_happened(explanation),
        unit,
        lines,
        _rows(explanation.rows, lines, by_script=False),
        changes,
        tuple(STYLES),
    )


def read_script(explanation: Explanation) -> ComparisonReading:
    """The reading of the edit script; its changes are the operations that cost something.

    Flags stand where the script pairs the sentences that they compare: elsewhere they contradict the line's texts.
    """
    script, forced = explanation.comparison.script, explanation.comparison.choices.forced
    changed = (
        node.operation for row in explanation.script_rows for node in row if node and node.operation.edit.cost
    )
    position = {operation: number for number, operation in enumerate(dict.fromkeys(changed))}
    lines = tuple(
        ReadingLine(
            number,
            each.edit.op,
            each.nodes,
            [node for node in each.nodes if node],
            *_charge([each], script.unit, "0"),
            [
                flag
                for of in dict.fromkeys(node.sentence for node in each.nodes if node)
                if of.is_aligned
                for flag in of.flags
            ],
            [*["forced by you"] * ((each.edit.source, each.edit.target) in forced), *each.edit.notes],
            each.is_near,
            position.get(each),
        )
        for number, each in enumerate(explanation.operations)
    )
    whole = script.unit.amount(*(op.cost for op in script.ops)) or 1.0
    costly = sorted((line for line in lines if line.amount), key=lambda line: (not line.flags, -line.amount))
    return ComparisonReading(
        "script",
        "Edit script",
        script_in_words(explanation.comparison),
        script.unit,
        lines,
        _rows(explanation.script_rows, lines, by_script=True),
        [ListedChange(each, each.amount / whole, quote_pair(each.nodes), each.flags) for each in costly],
        tuple(OP_STYLES),
    )


def _charge(operations: Iterable[Operation], unit: Unit, nothing: str) -> tuple[float, str]:
    """The amount of some operations together, as a number and as shown."""
    amount = unit.amount(*(each.edit.cost for each in operations))
    return amount, unit.text(amount, 3) if amount else nothing


def _rows(rows: Iterable[Ends], lines: Sequence[ReadingLine], *, by_script: bool) -> tuple[LineRow, ...]:
    line_of = {node: line for line in lines for node in line.own}
    found = []
    for row in rows:
        line = next(line_of[node] for node in row if node)
        cells = [
            RowCell(node, pieces_of(node, by_script=by_script), None if all(row) else line.goal(node))
            if node
            else None
            for node in row
        ]
        found.append(LineRow(line, (cells[0], cells[1]), line.own[0] in row, line.own[-1] in row))
    return tuple(found)


def _name_of(node: Node) -> str:
    return shorten(printable(node.label), QUOTED_CHARACTERS)


def pieces_of(node: Node, *, by_script: bool) -> list[TextPiece]:
    """The text of a node in pieces, in order; in one if every word changed, as there is nothing to point at then.

    ``by_script`` compares the text with that of its partner in the edit script.
    """
    left, right = node.operation.nodes if by_script else node.sentence.ends
    spans: list[tuple[int, int, TextPiece]] = []
    if node.holds and not by_script:
        spans = [(start, end, TextPiece("", part=sentence)) for start, end, sentence in node.holds]
    elif left and right and left.label != right.label:
        changes = find_changes(left.label, right.label)[node.side]
        spans = [(start, end, TextPiece("", changed=True)) for start, end in changes]
    flagged = [(start, end) for start, end, of in node.flagged if of.is_aligned or not by_script]
    found = list(_cut_at_flags(_cut(node.label, spans), flagged))
    return (
        [TextPiece(node.label)]
        if all(each.changed and not each.flagged for each in found if each.text.strip())
        else found
    )


def _cut(label: str, spans: Iterable[tuple[int, int, TextPiece]]) -> Iterator[TextPiece]:
    """A text cut where spans with marks begin and end; of those that overlap, the first one has what both are."""
    here = 0
    for start, end, mark in spans:
        if here < start:
            yield TextPiece(label[here:start])
        if max(here, start) < end:
            yield mark._replace(text=label[max(here, start) : end])
        here = max(here, end)
    if here < len(label):
        yield TextPiece(label[here:])


def _cut_at_flags(pieces: Iterable[TextPiece], words: list[tuple[int, int]]) -> Iterator[TextPiece]:
    """The pieces cut where words of flags begin and end."""
    here = 0
    for piece in pieces:
        end = here + len(piece.text)
        cuts = {cut for word in words for cut in word if here < cut < end}
        for start, stop in pairwise(sorted({here, end} | cuts)):
            flagged = any(word[0] <= start and stop <= word[1] for word in words)
            yield piece._replace(text=piece.text[start - here : stop - here], flagged=flagged)
        here = end
