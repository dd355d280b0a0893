"""An explanation of a comparison: its edit script and the status of each sentence, as linked objects.

Both readings stand in it. By the edit script each node has an operation, and the operations' costs add up to the
distance. By the sentences each node has a status, and statuses that belong together are a change: a branch that
moved, is missing or extra, a sentence with another text, all parts of a node. TTED has no move and no merge: what
moved is deleted here and inserted there, or stays paired below another parent; what stands around it may have to
give way. Each operation is charged to exactly one change, so the changes' costs come to the distance as well (with
a power p, by d_p).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from tted_core.comparison import Comparison
from tted_core.matching.bounds import NearBounds
from tted_core.matching.records import PARTS, Matching, Record, Status
from tted_core.matching.rows import align_rows, display_order
from tted_core.script import NEW_PARENT, RELOCATED, EditOp
from tted_core.tree import TextTree
from tted_core.words.claims import Flag

# Why the script can't pair two sentences beside its other pairs, by the rule that they would break.
CROSSING = {
    "one-to-one": "the script pairs one of them with another sentence",
    "ancestors": "the pairs above or below would cross",
    "siblings": "the order of siblings would change",
    "branches": "it would join or split branches",
}

# Sentences that the script doesn't align, times the square of its pairs, up to which notes give the reasons.
MAX_REASONS = 30_000_000

SETTLED = frozenset({RELOCATED, NEW_PARENT})  # notes of the script that the statuses of sentences replace


@dataclass(eq=False, repr=False)
class Node:
    """A node of one of both maps.

    Attributes:
        side: 0 (left) or 1 (right).
        index: its preorder index.
        label: its text.
        level: 1 for the root.
        parent: the node above.
        children: those below, in order.
        operation: that of the script.
        sentence: the one that stands for it, with its counterpart, or else the first of which it is an end.
        holds: the parts in its text, as (start, end, sentence), in the order of the text.
        flagged: the flags' words in its text, as (start, end, sentence).
    """

    side: int
    index: int
    label: str
    level: int
    parent: "Node | None"
    children: "list[Node]" = field(default_factory=list)
    operation: "Operation" = field(init=False)
    sentence: "Sentence" = field(init=False)
    holds: "list[tuple[int, int, Sentence]]" = field(default_factory=list)
    flagged: "list[tuple[int, int, Sentence]]" = field(default_factory=list)

    @property
    def status(self) -> Status:
        """Its status."""
        return self.sentence.status

    @property
    def branch(self) -> Iterator["Node"]:
        """The node and all below it, in preorder."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)


Ends: TypeAlias = tuple[Node | None, Node | None]


@dataclass(eq=False, repr=False)
class Operation:
    """An operation of the edit script on its nodes.

    Attributes:
        edit: the operation.
        nodes: its left and its right node; None where it has none.
        change: the change that it is charged to; None if it costs nothing.
    """

    edit: EditOp
    nodes: Ends
    change: "Change | None" = None

    @property
    def is_near(self) -> bool:
        """True if its two nodes correspond, or it has only one."""
        left, right = self.nodes
        return left is None or right is None or left.sentence is right.sentence


@dataclass(eq=False, repr=False)
class Sentence:
    """A sentence with its counterpart, with the longer node that it is a part of, or alone.

    Attributes:
        number: its index in ``Explanation.sentences``.
        record: status and nodes as in the matching.
        left: the left node; None if it is extra.
        right: the right node; None if it is missing.
        flags: signs of a changed claim.
        head: of a moved one, the topmost one of its branch that moved.
        operations: those of the script that belong to it.
        change: the change that it is in; None if it is unchanged.
    """

    number: int
    record: Record
    left: Node | None
    right: Node | None
    flags: tuple[Flag, ...]
    head: "Sentence | None" = None
    operations: list[Operation] = field(default_factory=list)
    change: "Change | None" = None

    @property
    def status(self) -> Status:
        """Its status."""
        return self.record.status

    @property
    def nodes(self) -> Ends:
        """The left and the right node."""
        return self.left, self.right

    @property
    def ends(self) -> Ends:
        """The nodes that it stands for: of a part, the longer node only if no other sentence does."""
        left, right = (node if node and node.sentence is self else None for node in self.nodes)
        return left, right

    @property
    def is_aligned(self) -> bool:
        """True if the script pairs its two nodes, or it has only one."""
        return self.left is None or self.right is None or self.left.operation is self.right.operation

    @property
    def moves_along(self) -> bool:
        """True if it moved only because the branch moved that it is in."""
        return self.head is not None and self.head is not self


@dataclass(eq=False, repr=False)
class Change:
    """Sentences that belong together, and the operations that are charged to them.

    Attributes:
        top: the topmost sentence.
        sentences: all of them; none if the script pays though nothing changed, as it may with choices.
        operations: those of the sentences, of what had to give way to them, and of contexts that they changed.
        cost: what the operations come to.
        share: of the distance, or with a power p of d^p.
        number: from the most costly on.
        position: from the top of the outline on.
    """

    top: Sentence
    sentences: list[Sentence] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    cost: float = 0.0
    share: float = 0.0
    number: int = 0
    position: int = 0

    @property
    def kind(self) -> Status:
        """The status of its sentences; "same" if it has none."""
        return self.top.status if self.sentences else "same"

    @property
    def size(self) -> int:
        """Number of sentences, or 1."""
        return len(self.sentences) or 1

    @property
    def ends(self) -> tuple[int | None, int | None]:
        """The preorder indices of its topmost nodes."""
        return self.top.record.source, self.top.record.target

    @property
    def flags(self) -> list[Flag]:
        """The signs of changed claims of its sentences."""
        return [flag for each in self.sentences for flag in each.flags]


@dataclass(frozen=True, eq=False)
class Explanation:
    """A comparison explained. Its objects hold each other, and don't change.

    Attributes:
        comparison: what is explained.
        bounds: up to which distance two sentences are near.
        matching: the statuses of the sentences.
        nodes: the left and the right map's, by preorder index.
        operations: of the script, in its order.
        sentences: in the order of the matching.
        changes: the most costly first; equals in the order of their topmost sentences.
    """

    comparison: Comparison
    bounds: NearBounds
    matching: Matching
    nodes: tuple[tuple[Node, ...], tuple[Node, ...]]
    operations: tuple[Operation, ...]
    sentences: tuple[Sentence, ...]
    changes: tuple[Change, ...]

    @property
    def trees(self) -> tuple[TextTree, TextTree]:
        """Both trees."""
        return self.comparison.left.tree, self.comparison.right.tree

    @cached_property
    def rows(self) -> list[Ends]:
        """The rows of both outlines, counterparts side by side; of a move each end has its own row."""
        in_position = (each for each in self.sentences if each.status != "moved")
        return self._rows(
            [
                (left.index, right.index)
                for each in in_position
                for left, right in [each.ends]
                if left and right
            ]
        )

    @cached_property
    def script_rows(self) -> list[Ends]:
        """The rows of both outlines, pairs of the script side by side."""
        return self._rows(self.comparison.script.pairs)

    def _rows(self, pairs: Sequence[tuple[int, int]]) -> list[Ends]:
        """Rows, with siblings on the right in the order of the left map unless the comparison keeps theirs."""
        left, right = self.trees
        is_ordered = self.comparison.method.order == "ordered"
        order = list(range(len(right))) if is_ordered else display_order(right, pairs)
        return [
            (
                None if source is None else self.nodes[0][source],
                None if target is None else self.nodes[1][target],
            )
            for source, target in align_rows(left, order, pairs)
        ]

    def notes(self, sentence: Sentence) -> list[str]:
        """Notes on a sentence besides its status and flags: those of its operations, and on its pair.

        The last says why the script doesn't pair two sentences that correspond, unless it deletes one and inserts
        the other since they moved, or one is a part: the script pairs whole nodes.
        """
        notes = [note for each in sentence.operations for note in each.edit.notes if note not in SETTLED]
        return [*dict.fromkeys(notes), *self._unpaired(sentence)]

    def _unpaired(self, sentence: Sentence) -> list[str]:
        left, right = sentence.nodes
        if sentence.is_aligned or left is None or right is None or sentence.status in PARTS:
            return []
        if sentence.status == "moved" and None in left.operation.nodes and None in right.operation.nodes:
            return []
        if not self._gives_reasons:
            return ["not aligned by the script"]
        found = self.comparison.obstacle((left.index, right.index))
        return [f"not aligned by the script: {CROSSING[found.rule] if found else 'that would cost more'}"]

    @cached_property
    def _gives_reasons(self) -> bool:
        """False if to find all reasons, each of which looks at any two pairs of the script, would take long."""
        return (
            sum(not each.is_aligned for each in self.sentences) * len(self.comparison.script.pairs) ** 2
            <= MAX_REASONS
        )
