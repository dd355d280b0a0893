"""The mapping as all drawings show it: the rows of both outlines, and what became of each node.

The outline, the graph, the report, the notebook and the pictures differ in what they draw of it; all read it here.
"""

from functools import cached_property

from tted_core.comparison import Comparison
from tted_core.explain.alignment import aligned_rows, display_order
from tted_core.explain.looks import Look, LookKind, counted_looks, looks
from tted_core.script import EditOp


class MappingView:
    """A comparison's operations by node, with looks and rows; sides are 0 (left) and 1 (right).

    Attributes:
        comparison: what is shown.
        trees: of both sides.
        ops: the operations of the script.
        looks: how each of them looks.
        at: for each side node -> the number of its operation.
    """

    def __init__(self, comparison: Comparison) -> None:
        """Number the operations of each node."""
        self.comparison = comparison
        self.trees = (comparison.left.tree, comparison.right.tree)
        self.ops = comparison.script.ops
        self.looks = looks(comparison)
        self.at: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for number, op in enumerate(self.ops):
            for numbers, node in zip(self.at, (op.source, op.target), strict=True):
                if node is not None:
                    numbers[node] = number

    @cached_property
    def order(self) -> list[int]:
        """The right map's nodes in the order of display; the left map's are in preorder."""
        return display_order(self.comparison)

    @property
    def reordered(self) -> bool:
        """Whether siblings on the right changed places for display."""
        return self.order != sorted(self.order)

    @cached_property
    def rows(self) -> list[tuple[int | None, int | None]]:
        """The nodes on common rows, left and right; None where a side has none."""
        return aligned_rows(self.comparison, self.order)

    @property
    def counts(self) -> dict[LookKind, int]:
        """How many nodes have each look; a node that was deleted and inserted counts once."""
        return counted_looks(self.looks)

    @property
    def links(self) -> list[tuple[LookKind, tuple[int, int]]]:
        """What a line joins, (left node, right node) with its look: pairs of the script, and the ends of moves."""
        found: list[tuple[LookKind, tuple[int, int]]] = []
        for op, look in zip(self.ops, self.looks, strict=True):
            target = op.target if look.twin is None else self.ops[look.twin].target
            if op.source is not None and target is not None:
                found.append((look.kind, (op.source, target)))
        return found

    def op(self, side: int, node: int) -> EditOp:
        """The operation that concerns a node."""
        return self.ops[self.at[side][node]]

    def look(self, side: int, node: int) -> Look:
        """How the operation of a node looks."""
        return self.looks[self.at[side][node]]
