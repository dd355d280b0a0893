"""The edit script: what an optimal mapping says, operation by operation.

TTED has no move: a branch that moved is deleted and inserted, or matched under a new parent. Notes say so;
they never change a cost.
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
from tted_core.tree import TextTree

OpKind: TypeAlias = Literal["match", "replace", "delete", "insert"]

GLYPHS: dict[OpKind, str] = {"match": "=", "replace": "~", "delete": "−", "insert": "+"}

SAME_TEXT = "same text, other context"
NEW_PARENT = "new parent"
RELOCATED = "relocated (delete + insert)"


@dataclass(frozen=True)
class EditOp:
    """One operation; ``source`` and ``target`` are preorder indices, None where there is no node."""

    op: OpKind
    source: int | None
    target: int | None
    cost: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unit:
    """The unit in which the operations of a script add up: costs, or with a power p shares of d^p.

    Attributes:
        power: the p.
        whole: the distance d.
    """

    power: float
    whole: float

    @property
    def name(self) -> str:
        """What stands above a column of amounts."""
        return "cost" if self.power == 1 else f"share of {self.total}"

    @property
    def total(self) -> str:
        """What all amounts come to: "the distance", or "d^8"."""
        return "the distance" if self.power == 1 else f"d^{self.power:g}"

    def amount(self, *costs: float) -> float:
        """What operations of these costs come to together."""
        together = total(costs, self.power)
        return together if self.power == 1 else share(together, self.whole, self.power)

    def text(self, amount: float, places: int = 4) -> str:
        """An amount: with so many decimal places if it is a cost, else in percent."""
        return f"{amount:.{places}f}" if self.power == 1 else f"{100 * amount:.1f} %"


@dataclass(frozen=True)
class EditScript:
    """All operations in an order that can be carried out.

    Matches and replacements first, then deletions (children before parents), then insertions (parents before
    children): every state in between is a tree, or a forest while the root is missing.
    """

    ops: tuple[EditOp, ...]
    power: float = 1.0

    @property
    def cost(self) -> float:
        """The distance: the sum of the costs, correctly rounded, or what it is with the power (d_p)."""
        return total((op.cost for op in self.ops), self.power)

    @cached_property
    def unit(self) -> Unit:
        """The unit in which its operations add up."""
        return Unit(self.power, self.cost)

    def amount_text(self, op: EditOp) -> str:
        """What an operation counts, in this unit."""
        return self.unit.text(self.unit.amount(op.cost))

    def count(self, kind: OpKind) -> int:
        """How many operations are of this kind."""
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
        left: the tree that is edited, n nodes.
        right: the tree that comes out, m nodes.
        mapping: every node of both trees once (see :mod:`tted_core.solvers.solution`).
        costs: (n+1, m+1), the last row and column being the gap.
        texts: the texts that were encoded for the nodes of each tree (labels in their context).
        power: the p of d_p, by which the costs come to the distance.
    """
    partner = {source: target for source, target in mapping if source is not None and target is not None}
    deleted = [source for source, target in mapping if source is not None and target is None]
    inserted = [target for source, target in mapping if source is None and target is not None]
    relocated = Counter(left.labels[node] for node in deleted) & Counter(
        right.labels[node] for node in inserted
    )

    def pair(source: int, target: int) -> EditOp:
        # Equal texts can stand in different contexts, if these are told apart by their vectors.
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
        left_over = Counter(relocated)
        notes: dict[int, tuple[str, ...]] = {}
        for node in sorted(nodes):
            moved = left_over[labels[node]] > 0
            left_over[labels[node]] -= moved
            notes[node] = (RELOCATED,) if moved else ()
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
