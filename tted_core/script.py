"""The edit script of a mapping, operation by operation.

TTED has no move operation: a branch that moved is deleted and inserted, or matched under a new parent. Notes
mention it; they never change a cost.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import share, total
from tted_core.solvers.solution import Mapping
from tted_core.solvers.structure import Pair
from tted_core.tree import TextTree

OpKind: TypeAlias = Literal["match", "replace", "delete", "insert"]

GLYPHS: dict[OpKind, str] = {"match": "=", "replace": "~", "delete": "−", "insert": "+"}

SAME_TEXT = "same text, other context"
NEW_PARENT = "new parent"
RELOCATED = "relocated (delete + insert)"


@dataclass(frozen=True)
class EditOp:
    """An operation; ``source`` and ``target`` are preorder indices, None if there is no node."""

    op: OpKind
    source: int | None
    target: int | None
    cost: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unit:
    """The unit in which operations of a script add up: costs, or with a power p shares of d^p.

    Attributes:
        power: the p.
        whole: the distance d.
    """

    power: float
    whole: float

    @property
    def name(self) -> str:
        """Heading of a column of amounts."""
        return "cost" if self.power == 1 else f"share of {self.total}"

    @property
    def total(self) -> str:
        """Name of the sum of all amounts: "the distance", or "d^8"."""
        return "the distance" if self.power == 1 else f"d^{self.power:g}"

    def amount(self, *costs: float) -> float:
        """The amount of operations with these costs together."""
        together = total(costs, self.power)
        return together if self.power == 1 else share(together, self.whole, self.power)

    def text(self, amount: float, decimals: int = 4) -> str:
        """Format an amount: with so many decimals if it is a cost, else in percent."""
        return f"{amount:.{decimals}f}" if self.power == 1 else f"{100 * amount:.1f} %"


@dataclass(frozen=True)
class EditScript:
    """All operations in an order in which they can be applied.

    Matches and replacements first, then deletions (children before parents), then insertions (parents before
    children): every intermediate state is a tree, or a forest while the root is missing.
    """

    ops: tuple[EditOp, ...]
    power: float = 1.0

    @property
    def cost(self) -> float:
        """The distance: the correctly rounded sum of the costs, or d_p with a power p."""
        return total((op.cost for op in self.ops), self.power)

    @cached_property
    def unit(self) -> Unit:
        """The unit in which the operations add up."""
        return Unit(self.power, self.cost)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The (left, right) nodes of matches and replacements."""
        return tuple(
            (op.source, op.target) for op in self.ops if op.source is not None and op.target is not None
        )

    def count(self, kind: OpKind) -> int:
        """Number of operations of this kind."""
        return sum(op.op == kind for op in self.ops)


def edit_script(
    left: TextTree,
    right: TextTree,
    mapping: Mapping,
    costs: NDArray[np.float64],
    texts: tuple[Sequence[str], Sequence[str]],
    *,
    power: float = 1.0,
) -> EditScript:
    """Turn a mapping into an edit script.

    Args:
        left: the source tree, n nodes.
        right: the target tree, m nodes.
        mapping: every node of both trees once (see :mod:`tted_core.solvers.solution`).
        costs: (n+1, m+1); the last row and column are the gap.
        texts: the texts encoded for the nodes of each tree (labels in their context).
        power: the p of d_p.
    """
    partner = {source: target for source, target in mapping if source is not None and target is not None}
    deleted = [source for source, target in mapping if source is not None and target is None]
    inserted = [target for source, target in mapping if source is None and target is not None]
    relocated = Counter(left.labels[node] for node in deleted) & Counter(
        right.labels[node] for node in inserted
    )

    def pair(source: int, target: int) -> EditOp:
        # A context that blends vectors can distinguish equal texts.
        equal = texts[0][source] == texts[1][target] and costs[source, target] == 0.0
        kind: OpKind = "match" if equal else "replace"
        notes = []
        if kind == "replace" and left.labels[source] == right.labels[target]:
            notes.append(SAME_TEXT)
        parents = left.parents[source], right.parents[target]
        if parents != (-1, -1) and partner.get(parents[0]) != parents[1]:
            notes.append(NEW_PARENT)
        return EditOp(kind, source, target, float(costs[source, target]), tuple(notes))

    def gap_notes(nodes: list[int], labels: Sequence[str]) -> dict[int, tuple[str, ...]]:
        remaining = Counter(relocated)
        notes: dict[int, tuple[str, ...]] = {}
        for node in sorted(nodes):
            is_relocated = remaining[labels[node]] > 0
            notes[node] = (RELOCATED,) if is_relocated else ()
            remaining[labels[node]] -= is_relocated
        return notes

    delete_notes = gap_notes(deleted, left.labels)
    insert_notes = gap_notes(inserted, right.labels)
    return EditScript(
        (
            *(pair(source, target) for source, target in sorted(partner.items())),
            *(
                EditOp("delete", node, None, float(costs[node, -1]), delete_notes[node])
                for node in sorted(deleted, reverse=True)
            ),
            *(
                EditOp("insert", None, node, float(costs[-1, node]), insert_notes[node])
                for node in sorted(inserted)
            ),
        ),
        power,
    )
