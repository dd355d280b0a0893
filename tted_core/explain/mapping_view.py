"""The comparison as all drawings show it: the rows of both outlines, and what became of each sentence.

The outline, the graph, the report, the notebook and the pictures differ in what they draw of it; all read it here.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from tted_core.arithmetic import share
from tted_core.comparison import Comparison
from tted_core.explain.alignment import aligned_rows, display_order, paired
from tted_core.explain.changes import grouped
from tted_core.explain.correspondence import QUIET, Outcome, Status, correspondence
from tted_core.script import NEW_PARENT, RELOCATED, EditOp
from tted_core.solvers.structure import Entry, Pair, obstacle
from tted_core.words.claims import Flag
from tted_core.words.splitting import Word, word_diff

CROSSING = {
    "one-to-one": "the script pairs one of them with another sentence",
    "ancestors": "the pairs above or below would cross",
    "siblings": "the order of siblings would change",
    "branches": "it would join or split branches",
}
"""Why the script can't pair two sentences beside its other pairs, by the rule that they would break."""


class Piece(NamedTuple):
    """A piece of a text: ``changed`` where the counterpart has other words, or with the outcome of a part.

    ``flagged`` says that it may have changed the claim.
    """

    text: str
    changed: bool = False
    part: int | None = None
    flagged: bool = False


SAID = frozenset({RELOCATED, NEW_PARENT})
"""Notes of the script on which the correspondence has the last word."""


class MappingView:
    """A comparison's outcomes by node, with their costs and rows; sides are 0 (left) and 1 (right).

    Attributes:
        comparison: what is shown.
        trees: of both sides.
        outcomes: what became of the sentences; a node that holds parts is in several.
        at: for each side node -> the number of the outcome that stands for it.
        operations: of each outcome, those of the script whose cost is put down to it.
        changes: the most costly first.
        change_of: for each outcome the number of its change, None if nothing became of it.
        payer_of: for each outcome the number of the change that its cost is put down to, None if it costs nothing.
    """

    def __init__(self, comparison: Comparison) -> None:
        """Take what was found; nothing is drawn yet."""
        self.comparison = comparison
        self.trees = (comparison.left.tree, comparison.right.tree)
        found = grouped(comparison)
        self.outcomes, self.at, self.operations = found.outcomes, found.at, found.operations
        self.changes, self.change_of, self.payer_of = found.changes, found.change_of, found.payer_of

    def ends(self, number: int) -> tuple[int | None, int | None]:
        """The nodes that an outcome stands for: of a part, the longer node only if no other outcome does."""
        each = self.outcomes[number]
        source, target = (
            node if node is not None and numbers[node] == number else None
            for numbers, node in zip(self.at, (each.source, each.target), strict=True)
        )
        return source, target

    @cached_property
    def order(self) -> list[int]:
        """The right map's nodes in the order of display; the left map's are in preorder."""
        return display_order(self.comparison, self._in_position)

    @property
    def reordered(self) -> bool:
        """True if siblings on the right were reordered for display."""
        return self.order != sorted(self.order)

    @cached_property
    def rows(self) -> list[tuple[int | None, int | None]]:
        """The nodes on common rows, left and right; None where a side has none. Of a move each end has its own."""
        return aligned_rows(self.comparison, self.order, self._in_position)

    @property
    def counts(self) -> dict[Status, int]:
        """Number of outcomes of each status; two counterparts count once."""
        return correspondence(self.comparison).counts

    @cached_property
    def listed(self) -> dict[int, float]:
        """The changes that lists, steps and sums have, by number: each with its share of the distance (or d^p)."""
        whole, power = self.comparison.tted, self.comparison.script.power
        return {number: share(change.cost, whole, power) for number, change in enumerate(self.changes)}

    @cached_property
    def change_positions(self) -> dict[int, int]:
        """The changes' numbers from the top of the outline to its end, by their numbers from the most costly."""
        met = (
            self.change_of[self.at[side][node]]
            for row in self.rows
            for side, node in enumerate(row)
            if node is not None
        )
        in_order = dict.fromkeys(change for change in met if change is not None)
        return {change: position for position, change in enumerate(in_order)}

    @property
    def links(self) -> list[tuple[Status, Pair]]:
        """The drawn lines: (left node, right node) of each pair, with its status."""
        return [
            (each.status, (each.source, each.target))
            for each in self.outcomes
            if each.source is not None and each.target is not None
        ]

    def pieces(self, side: int, node: int) -> list[Piece]:
        """A node's text in pieces: the words that changed, those that have flags, the parts that it holds."""
        return list(_flagged(self._plain_pieces(side, node), self._flagged_words[side].get(node, ())))

    def _plain_pieces(self, side: int, node: int) -> list[Piece]:
        label = self.trees[side].labels[node]
        marks = self._parts[side].get(node)
        if marks:
            return list(_cut(label, marks))
        source, target = self.ends(self.at[side][node])
        if source is None or target is None:
            return [Piece(label)]
        texts = self.trees[0].labels[source], self.trees[1].labels[target]
        if texts[0] == texts[1]:
            return [Piece(label)]
        return [Piece(*part) for part in word_diff(*texts)[side]]

    @cached_property
    def _parts(self) -> tuple[dict[int, list[tuple[int, int, int]]], ...]:
        """For each side: node -> (start, end, outcome) of the parts in its text, in their order."""
        found: tuple[dict[int, list[tuple[int, int, int]]], ...] = ({}, {})
        for number, each in enumerate(self.outcomes):
            side, node = (1, each.target) if each.status == "merged" else (0, each.source)
            for start, end in each.within:
                found[side].setdefault(node or 0, []).append((start, end, number))
        return tuple({node: sorted(marks) for node, marks in of_side.items()} for of_side in found)

    @cached_property
    def flags(self) -> tuple[tuple[Flag, ...], ...]:
        """For each outcome the signs of a changed claim."""
        return tuple(map(correspondence(self.comparison).flags, self.outcomes))

    @cached_property
    def _flagged_words(self) -> tuple[dict[int, list[Word]], dict[int, list[Word]]]:
        """For each side: node -> the words of its flags."""
        found: tuple[dict[int, list[Word]], dict[int, list[Word]]] = ({}, {})
        for each, flags in zip(self.outcomes, self.flags, strict=True):
            for flag in flags:
                for side, node, word in ((0, each.source, flag.left), (1, each.target, flag.right)):
                    if word and node is not None:
                        found[side].setdefault(node, []).append(word)
        return found

    def flags_of_change(self, change: int) -> list[str]:
        """The flags of a change's sentences, as notes."""
        return [
            f"! {flag.words}"
            for flags, own in zip(self.flags, self.change_of, strict=True)
            if own == change
            for flag in flags
        ]

    def outcome(self, side: int, node: int) -> Outcome:
        """The outcome of a node."""
        return self.outcomes[self.at[side][node]]

    def status(self, side: int, node: int) -> Status:
        """The word for what became of a node."""
        return self.outcome(side, node).status

    def status_of(self, op: EditOp) -> Status:
        """The word for what became of an operation's left node, or of its right one if it has no left one."""
        return self.status(1, op.target or 0) if op.source is None else self.status(0, op.source)

    def is_aligned(self, number: int) -> bool:
        """Return True if the script pairs the two ends of an outcome, or it has only one."""
        each = self.outcomes[number]
        return each.source is None or each.target is None or self._partner.get(each.source) == each.target

    def amount_text(self, number: int, digits: int = 4) -> str:
        """Amount of the operation with the same ends, in the unit of the script, in which amounts add up.

        Empty where the script has no such operation or it costs nothing, since a cost stands beside what it is the
        cost of, and for what stayed the same.
        """
        each, unit = self.outcomes[number], self.comparison.script.unit
        ends = each.source, each.target
        op = next((op for op in self.operations[number] if (op.source, op.target) == ends), None)
        return (
            ""
            if op is None or not op.cost or each.status in QUIET
            else unit.text(unit.amount(op.cost), digits)
        )

    @cached_property
    def payer(self) -> dict[Entry, int | None]:
        """(source, target) of each operation -> the number of the change it is put down to, None for none."""
        return {
            (op.source, op.target): change
            for ops, change in zip(self.operations, self.payer_of, strict=True)
            for op in ops
        }

    def notes(self, number: int) -> list[str]:
        """Notes on an outcome besides its status: its claim, the notes of its operations, its pair.

        The last says why the script doesn't pair two sentences that correspond, unless it deletes one and inserts
        the other since they moved, or one is a part: the script pairs whole nodes.
        """
        found = [note for op in self.operations[number] for note in op.notes if note not in SAID]
        claims = [f"! {flag.words}" for flag in self.flags[number]]
        return [*claims, *dict.fromkeys(found), *self._unpaired(number)]

    def _unpaired(self, number: int) -> list[str]:
        each = self.outcomes[number]
        source, target = each.source, each.target
        if self.is_aligned(number) or source is None or target is None or each.status in {"merged", "split"}:
            return []
        others = [self._partner.get(source), self._origin.get(target)]
        if each.status == "moved" and others == [None, None]:
            return []
        rest = [(v, w) for v, w in self._partner.items() if v != source and w != target]
        found = obstacle(*self.trees, self.comparison.method.order, (source, target), rest)
        why = CROSSING[found.rule] if found else "that would cost more"
        return [f"not aligned by the script: {why}"]

    @cached_property
    def _partner(self) -> dict[int, int]:
        return dict(paired(self.comparison))

    @cached_property
    def _origin(self) -> dict[int, int]:
        return {target: source for source, target in self._partner.items()}

    @cached_property
    def _in_position(self) -> list[Pair]:
        ends = (self.ends(number) for number, each in enumerate(self.outcomes) if each.status != "moved")
        return [(source, target) for source, target in ends if source is not None and target is not None]


def _cut(label: str, marks: Sequence[tuple[int, int, int]]) -> Iterator[Piece]:
    """A text cut where parts begin and end; of parts that overlap, the first one has what both are."""
    here = 0
    for start, end, number in marks:
        if here < start:
            yield Piece(label[here:start])
        if max(here, start) < end:
            yield Piece(label[max(here, start) : end], part=number)
        here = max(here, end)
    if here < len(label):
        yield Piece(label[here:])


def _flagged(pieces: Iterable[Piece], words: Sequence[Word]) -> Iterator[Piece]:
    """The pieces cut where words of flags begin and end."""
    here = 0
    for piece in pieces:
        end = here + len(piece.text)
        cuts = {cut for word in words for cut in (word.start, word.end) if here < cut < end}
        for start, stop in pairwise(sorted({here, end} | cuts)):
            flagged = any(word.start <= start and stop <= word.end for word in words)
            yield piece._replace(text=piece.text[start - here : stop - here], flagged=flagged)
        here = end
