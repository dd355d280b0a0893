"""The edit script in larger pieces: branches that moved, went, came or changed their context; new wordings.

TTED has no move. A branch that moved is deleted here and inserted there (*relocated*), or stays matched below
another parent; with the context "ancestors" the latter costs something at every node of the branch. So deleted
nodes are paired with inserted ones (``twins``), and a node has moved if the nearest nodes above it that have a
counterpart, before and after, are no counterparts of each other: where its parent was only reworded, deleted or
inserted, it stays. Each operation belongs to exactly one change, so the changes' costs sum to the distance
(with a power p, by d_p).
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from tted_core.arithmetic import total
from tted_core.comparison import Comparison
from tted_core.explain.twins import twins
from tted_core.script import SAME_TEXT, EditOp

ChangeKind: TypeAlias = Literal["match", "reword", "context", "move", "delete", "insert"]

Place: TypeAlias = tuple[Literal["left", "right", "around"], int]
"""Names a group: by its topmost node in a map, or by the left node of a branch that moved while it matched, around
which other nodes were deleted and inserted."""


@dataclass(frozen=True)
class Change:
    """Operations that belong together: one new wording, or a branch (or its connected part) with one fate.

    Attributes:
        kind: "reword" is a node with another text, related or not; "context" a branch whose texts stay while
            another changed;
            "move" a branch with another parent (or place, where siblings keep their order), its head perhaps
            reworded; "delete" and "insert" a branch, with what had to give way to it; "match" costs nothing.
        source: the topmost node in the left map, None for an insertion.
        target: the topmost node in the right map, None for a deletion.
        nodes: how many nodes it has; a node that was deleted and inserted counts once.
        cost: what its operations' costs come to.
    """

    kind: ChangeKind
    source: int | None
    target: int | None
    nodes: int
    cost: float


def changes(comparison: Comparison) -> tuple[Change, ...]:
    """All changes of a comparison, the dearest first; equals in the order of the script."""
    return tuple(change for change, _ in grouped(comparison))


def grouped(comparison: Comparison) -> tuple[tuple[Change, tuple[EditOp, ...]], ...]:
    """The changes, as ``changes`` has them, each with its operations in the order of the script."""
    grouping = _Grouping(comparison)
    groups: dict[Place, list[EditOp]] = defaultdict(list)
    for op in comparison.script.ops:
        groups[grouping.top(op)].append(op)
    found = [(grouping.change(place, ops), tuple(ops)) for place, ops in groups.items()]
    return tuple(sorted(found, key=lambda each: -each[0].cost))


def causes(comparison: Comparison) -> tuple[Change, ...]:
    """The changes, each with what it did to the contexts around it, the dearest first.

    A context that changed goes to the nearest change above it or, if there is none (contexts may look below), to
    the dearest one below. The costs come to the distance, as those of ``changes`` do.
    """
    found = changes(comparison)
    at = {_head(each): number for number, each in enumerate(found) if each.kind not in {"match", "context"}}
    left, right = comparison.left.tree.parents, comparison.right.tree.parents
    sizes = comparison.left.tree.sizes, comparison.right.tree.sizes
    costs = [[each.cost] for each in found]
    for number, each in enumerate(found):
        if each.kind == "context" and each.source is not None and each.target is not None:
            above = [("left", node) for node in _above(each.source, left)]
            above += [("right", node) for node in _above(each.target, right)]
            below = [("left", node) for node in range(each.source, each.source + sizes[0][each.source])]
            below += [("right", node) for node in range(each.target, each.target + sizes[1][each.target])]
            dearest = min((at[place] for place in below if place in at), default=number)
            reason = next((at[place] for place in above if place in at), dearest)
            if reason != number:
                costs[reason].append(each.cost)
                costs[number].clear()
    merged = (
        replace(each, cost=total(parts, comparison.script.power))
        for each, parts in zip(found, costs, strict=True)
        if parts
    )
    return tuple(sorted(merged, key=lambda change: -change.cost))


def _head(change: Change) -> tuple[str, int]:
    return ("right", change.target or 0) if change.source is None else ("left", change.source)


def _above(node: int, parents: Sequence[int]) -> Iterator[int]:
    """The node's ancestors, the nearest first."""
    while (node := parents[node]) >= 0:
        yield node


class _Grouping:
    """Which operation belongs to which group."""

    def __init__(self, comparison: Comparison) -> None:
        self.left, self.right = comparison.left.tree, comparison.right.tree
        ops = comparison.script.ops
        self.power = comparison.script.power
        self.at_left = {op.source: op for op in ops if op.source is not None}
        self.twins = twins(comparison)
        mapped = {v: op.target for v, op in self.at_left.items() if op.target is not None}
        self.partners = mapped | self.twins
        self.origins = {target: source for source, target in self.partners.items()}
        self.tops_right: dict[int, int] = {}
        for node, parent in enumerate(self.right.parents):  # parents come first in preorder
            if node not in self.origins:
                self.tops_right[node] = self.tops_right.get(parent, node)
        self.tops_left: dict[int, Place] = {}
        for node in range(len(self.left)):
            self.tops_left[node] = self._top(node)

    def top(self, op: EditOp) -> Place:
        """The name of the operation's group."""
        source = op.source if op.source is not None else self.origins.get(op.target or 0)
        return ("right", self.tops_right[op.target or 0]) if source is None else self.tops_left[source]

    def change(self, place: Place, ops: list[EditOp]) -> Change:
        """The group as a change."""
        side, node = place
        cost = total((op.cost for op in ops), self.power)
        if side == "right":
            return Change("insert", None, node, sum(op.target in self.tops_right for op in ops), cost)
        kind = "move" if side == "around" else self._kind(node)
        if kind == "context" and self._moved(node):
            kind = "move"
        elif kind == "move" and self._other_text(node) and not self._moved(node):
            kind = "reword"
        sources = [op.source for op in ops if op.source is not None]
        if kind == "delete":
            return Change(kind, node, None, sum(v not in self.partners for v in sources), cost)
        within = sum(node <= v < node + self.left.sizes[node] for v in sources)
        return Change(kind, node, self.partners[node], within or len(sources), cost)

    def _kind(self, node: int) -> ChangeKind:
        """What became of a left node; "move" where it was deleted and inserted."""
        if node in self.twins:
            return "move"
        op = self.at_left[node]
        if op.op == "replace":
            return "context" if SAME_TEXT in op.notes else "reword"
        return op.op

    def _moved(self, node: int) -> bool:
        """Whether the nearest nodes above it with a counterpart, before and after, aren't each other's."""
        before = next((v for v in _above(node, self.left.parents) if v in self.partners), None)
        above = _above(self.partners[node], self.right.parents)
        return next((self.origins[w] for w in above if w in self.origins), None) != before

    def _other_text(self, node: int) -> bool:
        return self.left.labels[node] != self.right.labels[self.partners[node]]

    def _top(self, node: int) -> Place:
        """The group of a left node; those of the nodes before it are known."""
        kind, parent = self._kind(node), self.left.parents[node]
        if kind == "move":
            return ("left", node) if self._moved(node) else self._given_way(node)
        if kind == "delete" and parent >= 0 and parent not in self.partners:
            return self.tops_left[parent]
        together = parent >= 0 and self.partners.get(parent) == self.right.parents[self.partners.get(node, 0)]
        if kind == "context" and together and self._kind(parent) == "context":
            return self.tops_left[parent]
        return "left", node

    def _given_way(self, node: int) -> Place:
        """The group of a node that was deleted and inserted again at the same place: of what it gave way to."""
        parent, there = self.left.parents[node], self.partners[node]
        if parent >= 0 and (parent in self.twins or parent not in self.partners):
            return self.tops_left[parent]  # it went along with its branch, or rose where one was deleted
        above = self.right.parents[there]
        if above in self.tops_right:
            return "right", self.tops_right[above]
        inside = range(node, node + self.left.sizes[node])
        came = [self.origins.get(w, node) for w in range(there, there + self.right.sizes[there])]
        crossed = {v for v in came if v not in inside} | {v for v in inside if v in self.partners} - set(came)
        moved = [v for v in sorted(crossed) if self._moved(v)]
        if not moved:
            return "left", node
        largest = max(moved, key=self.left.sizes.__getitem__)
        return ("left" if self._kind(largest) in {"move", "context"} else "around"), largest
