"""The cost receipt: every operation with its cost, its share and the running sum, and where the costs add up.

All sums are correctly rounded, so the last running sum is exactly the distance, whatever the order of the
operations. Kinds, levels and branches each hold every operation once. With a power p, shares are of the sum of c^p
and add up to 1, while a "sum" of costs is its p-th root: what they would come to by themselves.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from tted_core.arithmetic import share, shares, total
from tted_core.comparison import Comparison
from tted_core.script import GLYPHS, EditOp, OpKind

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Line:
    """One operation; ``share`` is of the total (0 if that is 0), ``running`` the sum of all costs up to here."""

    op: EditOp
    share: float
    running: float


@dataclass(frozen=True)
class Part:
    """What several operations cost together; ``share`` is of the total."""

    operations: int
    cost: float
    share: float


@dataclass(frozen=True)
class Branch:
    """A branch below a map's root, by the preorder index of its topmost node; node 0 is the root by itself."""

    side: Literal["left", "right"]
    node: int


@dataclass(frozen=True)
class Receipt:
    """Where the distance comes from.

    Attributes:
        lines: all operations, the dearest first.
        by_kind: for each kind of operation, in the order of ``GLYPHS``.
        by_level: level -> part; an operation counts at its left node's level, an insertion at its right one's.
        by_branch: branch -> part, the dearest first; see ``branch_of``.
    """

    lines: tuple[Line, ...]
    by_kind: dict[OpKind, Part]
    by_level: dict[int, Part]
    by_branch: dict[Branch, Part]


def receipt(comparison: Comparison) -> Receipt:
    """The receipt of a comparison's script."""
    ops = sorted(comparison.script.ops, key=lambda op: -op.cost)  # stable: equal ones as in the script
    costs = [op.cost for op in ops]
    power = comparison.script.power
    share_of = shares(costs, power)
    left, right = comparison.left.tree, comparison.right.tree

    def level(op: EditOp) -> int:
        return right.depths[op.target or 0] if op.source is None else left.depths[op.source]

    kinds = _parts(ops, lambda op: op.op, power)
    branches = _parts(ops, branch_of(comparison), power)
    return Receipt(
        tuple(Line(op, share_of[count], total(costs[: count + 1], power)) for count, op in enumerate(ops)),
        {kind: kinds.get(kind, Part(0, 0.0, 0.0)) for kind in GLYPHS},
        dict(sorted(_parts(ops, level, power).items())),
        dict(sorted(branches.items(), key=lambda item: -item[1].cost)),
    )


def branch_of(comparison: Comparison) -> Callable[[EditOp], Branch]:
    """A function that tells to which branch an operation belongs.

    An operation with a left node belongs to the left map's branch that holds the node. An insertion belongs where
    it is inserted: to the branch of the left node to which its nearest paired ancestor corresponds. If that is
    the root, or none is paired, it belongs to its own branch of the right map.
    """
    left, right = comparison.left.tree, comparison.right.tree
    partner = {op.target: op.source for op in comparison.script.ops if op.target is not None}
    tops_left, tops_right = _tops(left.parents), _tops(right.parents)

    def branch(op: EditOp) -> Branch:
        if op.source is not None:
            return Branch("left", tops_left[op.source])
        node = op.target or 0
        while node >= 0 and partner[node] is None:
            node = right.parents[node]
        above = partner[node] if node >= 0 else None
        return Branch("left", tops_left[above]) if above else Branch("right", tops_right[op.target or 0])

    return branch


def _tops(parents: Sequence[int]) -> list[int]:
    """Each node's ancestor (or itself) just below the root; the root's is the root."""
    tops: list[int] = []
    for node, parent in enumerate(parents):
        tops.append(node if parent <= 0 else tops[parent])
    return tops


def _parts(ops: Sequence[EditOp], key: Callable[[EditOp], Key], power: float) -> dict[Key, Part]:
    whole = total((op.cost for op in ops), power)
    groups: dict[Key, list[float]] = {}
    for op in ops:
        groups.setdefault(key(op), []).append(op.cost)
    found = {}
    for name, costs in groups.items():
        cost = total(costs, power)
        found[name] = Part(len(costs), cost, share(cost, whole, power))
    return found
