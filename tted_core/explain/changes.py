"""Changes as people see them: branches that moved, are missing or extra, and sentences with another text.

The pieces come from the correspondence of sentences, the costs from the edit script. TTED has no move and no
merge: a branch that moved is deleted here and inserted there, or stays paired below another parent; what stands
around it may have to give way. Each operation is put down to exactly one change, so the changes' costs come to the
distance (with a power p, by d_p).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from tted_core.arithmetic import total
from tted_core.comparison import Comparison
from tted_core.explain.correspondence import QUIET, Outcome, Status, correspondence
from tted_core.script import EditOp

LOUDNESS: tuple[Status, ...] = (
    "same",
    "reworded",
    "moved",
    "merged",
    "split",
    "replaced",
    "extra",
    "missing",
)
"""Of two sentences that the script pairs though they don't correspond, the louder one has the pair's cost."""


@dataclass(frozen=True)
class Change:
    """Outcomes that belong together: a sentence with another text, a branch with one fate, all parts of a node.

    Attributes:
        kind: what became of it; "same" where the script pays though nothing changed, as it may with choices.
        source: the topmost node in the left map, None for what is extra.
        target: the topmost node in the right map, None for what is missing.
        nodes: how many sentences it has.
        cost: what its operations' costs come to, with those of what had to give way to it and of the contexts
            that it changed.
    """

    kind: Status
    source: int | None
    target: int | None
    nodes: int
    cost: float


@dataclass(frozen=True)
class Grouping:
    """The outcomes of a comparison with their operations and changes.

    Attributes:
        outcomes: as ``correspondence`` has them.
        at: for each side node -> the number of the outcome that stands for it: that with its counterpart, or the
            first one of which it is an end.
        operations: of each outcome, those whose cost is put down to it.
        changes: the most costly first; equals in the order of their topmost nodes.
        change_of: for each outcome the number of its change, None if nothing became of it.
        payer_of: for each outcome the number of the change that has its cost, None if it costs nothing.
    """

    outcomes: tuple[Outcome, ...]
    at: tuple[dict[int, int], dict[int, int]]
    operations: tuple[tuple[EditOp, ...], ...]
    changes: tuple[Change, ...]
    change_of: tuple[int | None, ...]
    payer_of: tuple[int | None, ...]


def changes(comparison: Comparison) -> tuple[Change, ...]:
    """All changes of a comparison, the most costly first."""
    return grouped(comparison).changes


def grouped(comparison: Comparison) -> Grouping:
    """The outcomes of a comparison, each with its operations and its change.

    Kept with the comparison, as a ``cached_property`` would be, for all that draw it ask; its class stands below.
    """
    kept: Grouping | None = vars(comparison).get("_grouping")
    if kept is None:
        kept = vars(comparison)["_grouping"] = _grouped(comparison)
    return kept


def _grouped(comparison: Comparison) -> Grouping:
    found = correspondence(comparison).outcomes
    at = _places(found)
    operations: list[list[EditOp]] = [[] for _ in found]
    for op in comparison.script.ops:
        numbers = [at[side][node] for side, node in enumerate((op.source, op.target)) if node is not None]
        operations[max(numbers, key=lambda number: LOUDNESS.index(found[number].status))].append(op)
    heads = _Heads(comparison, found, at)
    tops = [heads.top(number) for number in range(len(found))]
    prices = [sum(op.cost for op in each) for each in operations]
    payers = [
        heads.cause(number, prices) if top is None and price else top
        for number, (top, price) in enumerate(zip(tops, prices, strict=True))
    ]
    power = comparison.script.power
    nodes = Counter(tops)
    costs: dict[int, list[float]] = {top: [] for top in (*tops, *payers) if top is not None}
    for payer, each in zip(payers, operations, strict=True):
        if payer is not None:
            costs[payer] += [op.cost for op in each]
    made = {
        top: Change(
            found[top].status if tops[top] is not None and found[top].status not in QUIET else "same",
            found[top].source,
            found[top].target,
            nodes[top] or 1,
            total(parts, power),
        )
        for top, parts in costs.items()
    }
    order = sorted(made, key=lambda top: (-made[top].cost, top))
    number_of = {top: number for number, top in enumerate(order)}
    return Grouping(
        found,
        at,
        tuple(map(tuple, operations)),
        tuple(made[top] for top in order),
        *(tuple(None if top is None else number_of[top] for top in each) for each in (tops, payers)),
    )


def _places(found: Sequence[Outcome]) -> tuple[dict[int, int], dict[int, int]]:
    """For each side node -> the number of the outcome that stands for it."""
    at: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for parts in (False, True):  # counterparts before parts
        for number, each in enumerate(found):
            if (each.status in {"merged", "split"}) == parts:
                for numbers, node in zip(at, (each.source, each.target), strict=True):
                    if node is not None:
                        numbers.setdefault(node, number)
    return at


class _Heads:
    """Which outcome stands for the change that another one belongs to."""

    def __init__(
        self, comparison: Comparison, found: Sequence[Outcome], at: tuple[dict[int, int], dict[int, int]]
    ) -> None:
        self.trees = comparison.left.tree, comparison.right.tree
        self.found, self.at = found, at
        self.tops: dict[int, int | None] = {}
        self.parts: dict[tuple[Status, int | None], int] = {}

    def top(self, number: int) -> int | None:
        """The topmost outcome of the branch with one fate; None for what stayed the same. Ask in order."""
        each = self.found[number]
        top: int | None = number
        if each.status in QUIET:
            top = None
        elif each.status == "moved":
            top = self.at[0][each.head or 0] if each.head is not None else number
        elif each.status in {"merged", "split"}:  # with the others that the same node holds
            held = each.target if each.status == "merged" else each.source
            top = self.parts.setdefault((each.status, held), number)
        elif each.status in {"missing", "extra"}:
            side, node = (0, each.source) if each.source is not None else (1, each.target)
            parent = self.trees[side].parents[node or 0]
            above = self.at[side][parent] if parent >= 0 else number
            if parent >= 0 and self.found[above].status == each.status:
                top = self.tops[above]
        self.tops[number] = top
        return top

    def cause(self, number: int, prices: Sequence[float]) -> int:
        """The change for which the script pays at a sentence of which nothing changed.

        The nearest one above, else the most costly one below, else the most costly of all; without any, the
        sentence itself.
        """
        each = self.found[number]
        ways = [
            self._above(side, node)
            for side, node in enumerate((each.source, each.target))
            if node is not None
        ]
        above = (top for pair in zip_longest(*ways) for top in pair if top is not None)
        nearest = next(above, None)
        if nearest is not None:
            return nearest
        below = [
            (prices[inside], -top)
            for side, node in enumerate((each.source, each.target))
            if node is not None
            for v in range(node, node + self.trees[side].sizes[node])
            if (top := self.tops[inside := self.at[side][v]]) is not None
        ]
        anywhere = [
            (price, -top) for price, top in zip(prices, self.tops.values(), strict=True) if top is not None
        ]
        return -max(below or anywhere)[1] if below or anywhere else number

    def _above(self, side: int, node: int) -> Iterator[int | None]:
        """The changes of the nodes above one, the nearest first."""
        while (node := self.trees[side].parents[node]) >= 0:
            yield self.tops[self.at[side][node]]
