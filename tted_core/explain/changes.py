"""The edit script in larger pieces: branches that moved, went, came or changed their context; new wordings.

TTED has no move. A branch that moved is deleted here and inserted there (*relocated*), or stays matched below
another parent; with the context "ancestors" the latter costs something at every node of the branch. Each
operation belongs to exactly one change, so the changes' costs sum to the distance (with a power p, by d_p).
"""

from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tted_core.comparison import Comparison
from tted_core.script import NEW_PARENT, RELOCATED, SAME_TEXT, EditOp
from tted_core.tree import TextTree
from tted_core.weighing import total

ChangeKind: TypeAlias = Literal["match", "reword", "context", "move", "delete", "insert"]


@dataclass(frozen=True)
class Change:
    """Operations that belong together: one new wording, or a branch (or its connected part) with one fate.

    Attributes:
        kind: "reword" is a node with another text; "context" a branch whose texts stay while one above it changed;
            "move" a branch with another parent; "match" costs nothing.
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
    grouping = _Grouping(comparison)
    groups: dict[tuple[str, int], list[EditOp]] = defaultdict(list)
    for op in comparison.script.ops:
        groups[grouping.top(op)].append(op)
    found = [grouping.change(ops) for ops in groups.values()]
    return tuple(sorted(found, key=lambda change: -change.cost))


class _Grouping:
    """Which operation belongs to which group; a group is named by its side and its topmost node there."""

    def __init__(self, comparison: Comparison) -> None:
        left, right = comparison.left.tree, comparison.right.tree
        self.trees = {"left": left, "right": right}
        ops = comparison.script.ops
        self.power = comparison.script.power
        self.at_left = {op.source: op for op in ops if op.source is not None}
        self.at_right = {op.target: op for op in ops if op.target is not None}
        self.twins = _twins(ops, left, right)
        self.origins = {target: source for source, target in self.twins.items()}
        self.tops: dict[tuple[str, int], int] = {}
        for side, at, joined in (
            ("left", self.at_left, self._joined_left),
            ("right", self.at_right, self._joined_right),
        ):
            self._climb(side, at, joined)

    def top(self, op: EditOp) -> tuple[str, int]:
        """The name of the operation's group."""
        source = op.source if op.source is not None else self.origins.get(op.target or 0)
        if source is not None:
            return "left", self.tops["left", source]
        return "right", self.tops["right", op.target or 0]

    def change(self, ops: list[EditOp]) -> Change:
        """The group as a change."""
        sources = [op.source for op in ops if op.source is not None]
        targets = [op.target for op in ops if op.target is not None]
        source, target = min(sources, default=None), min(targets, default=None)
        top = self.at_left[source] if source is not None else self.at_right[target or 0]
        if source is not None and top.op == "delete":
            target = self.twins.get(source)
        kind = _class(top)
        if kind == "context" and NEW_PARENT in top.notes:
            kind = "move"
        cost = total((op.cost for op in ops), self.power)
        return Change(kind, source, target, max(len(sources), len(targets)), cost)

    def _climb(self, side: str, at: dict[int, EditOp], joined: Callable[[int, int], bool]) -> None:
        """Parents come first in preorder, so a node takes over its parent's top if it belongs to it."""
        for node, parent in enumerate(self.trees[side].parents):
            together = parent >= 0 and _class(at[node]) == _class(at[parent]) and joined(node, parent)
            self.tops[side, node] = self.tops[side, parent] if together else node

    def _joined_left(self, node: int, parent: int) -> bool:
        match _class(self.at_left[node]):
            case "delete":
                return True
            case "move":
                return self.trees["right"].parents[self.twins[node]] == self.twins[parent]
            case "context":
                return NEW_PARENT not in self.at_left[node].notes
            case _:
                return False

    def _joined_right(self, node: int, _parent: int) -> bool:
        return _class(self.at_right[node]) == "insert"


def _class(op: EditOp) -> ChangeKind:
    if RELOCATED in op.notes:
        return "move"
    if op.op == "replace":
        return "context" if SAME_TEXT in op.notes else "reword"
    return op.op


def _twins(ops: tuple[EditOp, ...], left: TextTree, right: TextTree) -> dict[int, int]:
    """Deleted node -> inserted node with its label, for what was relocated; both in preorder."""
    inserted: dict[str, deque[int]] = defaultdict(deque)
    for op in ops:
        if RELOCATED in op.notes and op.target is not None:
            inserted[right.labels[op.target]].append(op.target)
    deleted = sorted(op.source for op in ops if RELOCATED in op.notes and op.source is not None)
    return {source: inserted[left.labels[source]].popleft() for source in deleted}
