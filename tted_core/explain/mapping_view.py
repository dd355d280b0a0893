"""The comparison as all drawings show it: the rows of both outlines, and what became of each sentence.

The outline, the graph, the report, the notebook and the pictures differ in what they draw of it; all read it here.
"""

from functools import cached_property

from tted_core.arithmetic import share, total
from tted_core.compare import Comparison
from tted_core.explain.alignment import aligned_rows, display_order, paired
from tted_core.explain.changes import grouped
from tted_core.explain.correspondence import QUIET, Outcome, Status, counted_outcomes
from tted_core.script import NEW_PARENT, RELOCATED
from tted_core.solvers.structure import Pair, obstacle

CROSSING = {
    "one-to-one": "the script pairs one of them with another sentence",
    "ancestors": "the pairs above or below would cross",
    "siblings": "the order of siblings would change",
    "branches": "it would join or split branches",
}
"""Why the script can't pair two sentences beside its other pairs, by the rule that they would break."""


SAID = frozenset({RELOCATED, NEW_PARENT})
"""Notes of the script on which the correspondence has the last word."""


class MappingView:
    """A comparison's outcomes by node, with their costs and rows; sides are 0 (left) and 1 (right).

    Attributes:
        comparison: what is shown.
        trees: of both sides.
        outcomes: what became of the sentences.
        operations: of each outcome, those of the script whose cost it has.
        changes: the most costly first.
        change_of: for each outcome the number of its change, None if nothing became of it.
        payer_of: for each outcome the number of the change that has its cost, None if it costs nothing.
        at: for each side node -> the number of its outcome.
    """

    def __init__(self, comparison: Comparison) -> None:
        """Number the outcomes of each node."""
        self.comparison = comparison
        self.trees = (comparison.left.tree, comparison.right.tree)
        found = grouped(comparison)
        self.outcomes, self.operations = found.outcomes, found.operations
        self.changes, self.change_of, self.payer_of = found.changes, found.change_of, found.payer_of
        self.at: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for number, each in enumerate(self.outcomes):
            for numbers, node in zip(self.at, (each.source, each.target), strict=True):
                if node is not None:
                    numbers[node] = number

    @cached_property
    def order(self) -> list[int]:
        """The right map's nodes in the order of display; the left map's are in preorder."""
        return display_order(self.comparison, self._in_place)

    @property
    def reordered(self) -> bool:
        """Whether siblings on the right changed places for display."""
        return self.order != sorted(self.order)

    @cached_property
    def rows(self) -> list[tuple[int | None, int | None]]:
        """The nodes on common rows, left and right; None where a side has none. Of a move each end has its own."""
        return aligned_rows(self.comparison, self.order, self._in_place)

    @property
    def counts(self) -> dict[Status, int]:
        """How many sentences have each status; one that has a counterpart counts once."""
        return counted_outcomes(self.outcomes)

    @cached_property
    def listed(self) -> dict[int, float]:
        """The changes that lists, steps and sums have, by number: each with its share of the distance (or d^p)."""
        whole, power = self.comparison.tted, self.comparison.script.power
        return {
            number: share(change.cost, whole, power)
            for number, change in enumerate(self.changes)
            if change.kind not in QUIET or change.cost
        }

    @cached_property
    def change_places(self) -> dict[int, int]:
        """The changes' numbers from the top of the outline to its end, by their numbers from the most costly."""
        met = (
            self.change_of[self.at[side][node]]
            for row in self.rows
            for side, node in enumerate(row)
            if node is not None
        )
        in_order = dict.fromkeys(change for change in met if change is not None)
        return {change: place for place, change in enumerate(in_order)}

    @property
    def links(self) -> list[tuple[Status, Pair]]:
        """What a line joins: (left node, right node) of each pair, with its status."""
        return [
            (each.status, (each.source, each.target))
            for each in self.outcomes
            if each.source is not None and each.target is not None
        ]

    def outcome(self, side: int, node: int) -> Outcome:
        """What became of a node."""
        return self.outcomes[self.at[side][node]]

    def status(self, side: int, node: int) -> Status:
        """The word for what became of a node."""
        return self.outcome(side, node).status

    def cost(self, number: int) -> float:
        """What the operations of an outcome come to."""
        return total((op.cost for op in self.operations[number]), self.comparison.script.power)

    def amount_text(self, number: int, places: int = 4) -> str:
        """The same in the unit of the script, in which amounts add up."""
        unit = self.comparison.script.unit
        return unit.text(unit.amount(*(op.cost for op in self.operations[number])), places)

    @cached_property
    def status_of(self) -> dict[tuple[int | None, int | None], Status]:
        """(source, target) of each operation -> the status of the sentence that has its cost."""
        return {
            (op.source, op.target): self.outcomes[number].status
            for number, ops in enumerate(self.operations)
            for op in ops
        }

    @cached_property
    def payer(self) -> dict[tuple[int | None, int | None], int | None]:
        """(source, target) of each operation -> the number of the change that has its cost, None for none."""
        return {
            (op.source, op.target): change
            for ops, change in zip(self.operations, self.payer_of, strict=True)
            for op in ops
        }

    def notes(self, number: int) -> list[str]:
        """What is to be said of an outcome besides its status: the notes of its operations, and of its pair.

        The last says why the script doesn't pair two sentences that correspond, unless it deletes one and inserts
        the other since they moved.
        """
        found = [note for op in self.operations[number] for note in op.notes if note not in SAID]
        return [*dict.fromkeys(found), *self._unpaired(self.outcomes[number])]

    def _unpaired(self, each: Outcome) -> list[str]:
        source, target = each.source, each.target
        if source is None or target is None or self._partner.get(source) == target:
            return []
        others = [self._partner.get(source), self._origin.get(target)]
        if each.status == "moved" and others == [None, None]:
            return []
        rest = [(v, w) for v, w in self._partner.items() if v != source and w != target]
        found = obstacle(*self.trees, self.comparison.method.order, (source, target), rest)
        why = CROSSING[found.rule] if found else "that would cost more"
        return [f"not paired by the script: {why}"]

    @cached_property
    def _partner(self) -> dict[int, int]:
        return dict(paired(self.comparison))

    @cached_property
    def _origin(self) -> dict[int, int]:
        return {target: source for source, target in self._partner.items()}

    @cached_property
    def _in_place(self) -> list[Pair]:
        return [pair for status, pair in self.links if status != "moved"]
