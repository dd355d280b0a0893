"""The cost receipt: every operation with its amount, its share and the running sum, and where they add up.

Amounts are in the unit of the script (:class:`tted_core.script.Unit`): costs, which sum to the distance, or with a
power p shares of d^p, which sum to 1. Sums of costs are correctly rounded, so the last running sum is exactly the
distance, whatever the order of the operations. Kinds and levels each hold every operation once.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tted_core.arithmetic import share, shares
from tted_core.comparison import Comparison
from tted_core.script import GLYPHS, EditOp, OpKind, Unit

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Line:
    """One operation; ``share`` is of the total (0 if that is 0), ``running`` the sum of amounts up to here."""

    op: EditOp
    share: float
    running: float


@dataclass(frozen=True)
class Subtotal:
    """Total of several operations; ``share`` is of the distance, ``amount`` in the script's unit."""

    operations: int
    amount: float
    share: float


@dataclass(frozen=True)
class Receipt:
    """Shares of the operations in the distance.

    Attributes:
        unit: what amounts and running sums are.
        lines: all operations, the most costly first.
        by_kind: for each kind of operation, its operations.
        by_level: level -> part; an operation counts at its left node's level, an insertion at its right one's.
    """

    unit: Unit
    lines: tuple[Line, ...]
    by_kind: dict[OpKind, Subtotal]
    by_level: dict[int, Subtotal]


def receipt(comparison: Comparison) -> Receipt:
    """The receipt of a comparison's script."""
    ops = sorted(comparison.script.ops, key=lambda op: -op.cost)  # stable: equal ones as in the script
    costs = [op.cost for op in ops]
    unit = comparison.script.unit
    share_of = shares(costs, unit.power)
    left, right = comparison.left.tree, comparison.right.tree

    def level(op: EditOp) -> int:
        return right.depths[op.target or 0] if op.source is None else left.depths[op.source]

    kinds = _parts(ops, lambda op: op.op, unit)
    return Receipt(
        unit,
        tuple(Line(op, share_of[count], unit.amount(*costs[: count + 1])) for count, op in enumerate(ops)),
        {kind: kinds.get(kind, Subtotal(0, 0.0, 0.0)) for kind in GLYPHS},
        dict(sorted(_parts(ops, level, unit).items())),
    )


def _parts(ops: Sequence[EditOp], key: Callable[[EditOp], Key], unit: Unit) -> dict[Key, Subtotal]:
    groups: dict[Key, list[float]] = {}
    for op in ops:
        groups.setdefault(key(op), []).append(op.cost)
    found = {}
    for name, costs in groups.items():
        amount = unit.amount(*costs)
        found[name] = Subtotal(
            len(costs), amount, share(amount, unit.whole, 1) if unit.power == 1 else amount
        )
    return found
