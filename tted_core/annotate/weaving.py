"""A tree woven of nodes of two trees: every node has a parent and a position among its siblings by one of them."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from tted_core.tree import TextTree

_Ends: TypeAlias = tuple[int | None, int | None]


class WovenNode(NamedTuple):
    """A node of the woven tree; sides are 0 (left) and 1 (right).

    Attributes:
        nodes: its left and its right node, None where a side has none.
        text: the side that has its text.
        position: the side that says below which node it hangs; None where nothing moved it.
    """

    nodes: _Ends
    text: int
    position: int | None = None


def weave(
    trees: tuple[TextTree, TextTree], items: Sequence[WovenNode], lean: int
) -> tuple[TextTree, frozenset[int]]:
    """Weave a tree of the items: first those that stand by the leading side, then the others among them.

    Args:
        trees: the left and the right one.
        items: its nodes; each node of a tree is in one of them at most.
        lean: the leading side, which decides what nothing else does.

    Returns:
        The tree, and its nodes whose parent was dropped.
    """
    weaving = _Weaving(trees, items, lean)
    for side in (lean, 1 - lean):
        for node in range(len(trees[side])):
            number = weaving.at[side].get(node)
            if number is not None and number != weaving.root and weaving.stands_by(number, side):
                weaving.hang(number, side)
    order, stack = [], [weaving.root]
    while stack:
        order.append(stack.pop())
        stack += reversed(weaving.children[order[-1]])
    labels = [trees[item.text].labels[item.nodes[item.text] or 0] for item in weaving.items]
    return (
        TextTree.from_children(labels, weaving.children, weaving.root),
        frozenset(node for node, number in enumerate(order) if number in weaving.lifted),
    )


class _Weaving:
    """Items, by their numbers, that are hung below each other one by one."""

    def __init__(self, trees: tuple[TextTree, TextTree], items: Sequence[WovenNode], lean: int) -> None:
        self.trees, self.items, self.lean = trees, list(items), lean
        # Rather a root that wasn't moved away, then that of the leading side.
        roots = [
            (item.position == 1 - side, side != lean, number)
            for number, item in enumerate(items)
            for side in (0, 1)
            if item.nodes[side] == 0
        ]
        if not roots:  # both are dropped, but a map needs one
            self.items.append(WovenNode((None, 0) if lean else (0, None), lean))
        self.root = min(roots)[-1] if roots else len(items)
        self.at = [{item.nodes[side]: number for number, item in enumerate(self.items)} for side in (0, 1)]
        self.parents: dict[int, int] = {}
        self.children: list[list[int]] = [[] for _ in self.items]
        self.lifted: set[int] = set()

    def stands_by(self, number: int, side: int) -> bool:
        """Return True if an item hangs where it does on this side, not on the one before."""
        item = self.items[number]
        if item.position is not None or None in item.nodes or number not in self.parents:
            return item.position != 1 - side
        # Both sides have it, and it hangs by the leading one, unless its parent is new on the other one alone.
        return self._is_new(self._above(number, side), side) and not self._is_new(
            self._above(number, self.lean), self.lean
        )

    def _is_new(self, number: int, side: int) -> bool:
        """Return True for a node that was added or moved on this side."""
        return self.items[number].nodes[1 - side] is None or self.items[number].position == side

    def _above(self, number: int, side: int) -> int:
        """The item of the nearest ancestor on this side; of a node that wasn't moved, one that wasn't either."""
        item, above = self.items[number], []
        node = item.nodes[side]
        while node is not None and (node := self.trees[side].parents[node]) >= 0:
            if node in self.at[side]:
                above.append(self.at[side][node])
        at_home = [each for each in above if self.items[each].position != 1 - side]
        is_free = item.position is None and None not in item.nodes
        return next(iter(at_home if is_free and at_home else above), self.root)

    def hang(self, number: int, side: int) -> None:
        """Hang an item where this side has it; by the leading side, or below the root, if that is below itself."""
        for parent in (self._above(number, side), self._above(number, self.lean), self.root):
            line = [parent]
            while line[-1] in self.parents:
                line.append(self.parents[line[-1]])
            if number not in line:
                break
        if number in self.parents:
            self.children[self.parents[number]].remove(number)
        self.parents[number] = parent
        siblings = self.children[parent]
        siblings.insert(len(siblings) if side == self.lean else self._index(number, siblings), number)
        node = self.items[number].nodes[side]
        if node and self.trees[side].parents[node] not in self.at[side]:
            self.lifted.add(number)
        else:
            self.lifted.discard(number)

    def _index(self, number: int, siblings: Sequence[int]) -> int:
        """Behind the siblings that come before it on the other side, and what only the leading one has there."""
        other = 1 - self.lean
        nodes = [self.items[each].nodes[other] for each in siblings]
        here = self.items[number].nodes[other] or 0
        before = [(node, index) for index, node in enumerate(nodes) if node is not None and node < here]
        index = max(before)[1] + 1 if before else 0
        while index < len(nodes) and nodes[index] is None:
            index += 1
        return index
